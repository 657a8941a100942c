// Splits a client's bytes into whole messages of the PostgreSQL protocol, and accepts only well-formed ones.
import type { Socket } from 'node:net'
import { WireError } from './errors.ts'

const CANCEL_REQUEST = 80_877_102
/** Requests for TLS and GSSAPI; a client may try one after the other. */
const ENCRYPTION_REQUESTS = new Set([80_877_103, 80_877_104])
const PROTOCOL_3_0 = 196_608

/** Messages before the password are short. */
const GREETING_BYTES = 10_000
/** A larger statement with parameters is a mistake or an attack. */
const MESSAGE_BYTES = 64 * 1024 * 1024

type Frame = Uint8Array<ArrayBuffer>

/**
 * Yields the messages of one client, each in a separate buffer. Ends when the client disconnects or sends a
 * cancel request (which has no effect: statements run to completion).
 * @throws WireError if the client violates the protocol; the socket stays open for the error response
 */
export async function* readFrames(socket: Socket, isTrusted: () => boolean): AsyncGenerator<Frame> {
  const buffer = new FrameBuffer()
  const declined = new Set<number>()
  let greeted = false
  const chunks = socket.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>
  for await (const chunk of chunks) {
    buffer.push(Buffer.from(chunk))
    for (;;) {
      const frame: Frame | undefined = greeted
        ? buffer.message(isTrusted() ? MESSAGE_BYTES : GREETING_BYTES)
        : buffer.greeting()
      if (frame === undefined) break
      if (!greeted) {
        const code: number = Buffer.from(frame.buffer).readInt32BE(4)
        if (code === CANCEL_REQUEST) return
        if (ENCRYPTION_REQUESTS.has(code) && !declined.has(code)) {
          declined.add(code)
          socket.write('N')
          continue
        }
        greeted = true
        if (code !== PROTOCOL_3_0) throw broken('Only protocol version 3.0 is supported.')
      }
      yield frame
    }
  }
}

const broken = (message: string) => new WireError('08P01', message)

/** Received bytes that do not form a whole message yet. */
class FrameBuffer {
  #chunks: Buffer[] = []
  #length = 0

  push(chunk: Buffer): void {
    this.#chunks.push(chunk)
    this.#length += chunk.length
  }

  greeting(): Frame | undefined {
    if (this.#length < 8) return undefined
    return this.#take(this.#size(this.#head().readInt32BE(0), 8, GREETING_BYTES))
  }

  message(maxBytes: number): Frame | undefined {
    if (this.#length < 5) return undefined
    return this.#take(1 + this.#size(this.#head().readInt32BE(1), 4, maxBytes))
  }

  #size(size: number, min: number, max: number): number {
    if (size < min || size > max) throw broken(`Invalid message length: ${size} bytes.`)
    return size
  }

  #head(): Buffer {
    const [first] = this.#chunks
    return first && first.length >= 8 ? first : this.#join()
  }

  #join(): Buffer {
    const all = Buffer.concat(this.#chunks)
    this.#chunks = [all]
    return all
  }

  #take(length: number): Frame | undefined {
    if (this.#length < length) return undefined
    const all = this.#join()
    this.#chunks = length < all.length ? [all.subarray(length)] : []
    this.#length -= length
    // pg-gateway ignores a view's offset and reads from the start of its buffer, so it gets a copy.
    return Uint8Array.from(all.subarray(0, length))
  }
}
