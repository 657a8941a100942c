// Cuts a client's bytes into whole messages of the PostgreSQL protocol, and lets only well-formed ones through.
import type { Socket } from 'node:net'
import { WireError } from './errors.ts'

const CANCEL_REQUEST = 80_877_102
/** For TLS and for GSSAPI; a client may try one after the other. */
const ENCRYPTION_REQUESTS = new Set([80_877_103, 80_877_104])
const PROTOCOL_3_0 = 196_608

/** What comes before the password is short. */
const GREETING_BYTES = 10_000
/** Above this a statement with its parameters is a mistake or an attack. */
const MESSAGE_BYTES = 64 * 1024 * 1024

type Frame = Uint8Array<ArrayBuffer>

/**
 * Yields the messages of one client, each in a buffer of its own. Ends when the client hangs up or asks to cancel
 * (there is nothing to cancel: statements run to their end).
 * @throws WireError when the client breaks the protocol; the socket stays open, so that it can be answered
 */
export async function* readFrames(socket: Socket, isTrusted: () => boolean): AsyncGenerator<Frame> {
  const intake = new Intake()
  const declined = new Set<number>()
  let greeted = false
  const chunks = socket.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>
  for await (const chunk of chunks) {
    intake.push(Buffer.from(chunk))
    for (;;) {
      const frame: Frame | undefined = greeted
        ? intake.message(isTrusted() ? MESSAGE_BYTES : GREETING_BYTES)
        : intake.greeting()
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
        if (code !== PROTOCOL_3_0) throw broken('Only version 3.0 of the protocol is spoken here.')
      }
      yield frame
    }
  }
}

const broken = (message: string) => new WireError('08P01', message)

/** Bytes that have come and belong to no whole message yet. */
class Intake {
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

  message(most: number): Frame | undefined {
    if (this.#length < 5) return undefined
    return this.#take(1 + this.#size(this.#head().readInt32BE(1), 4, most))
  }

  #size(told: number, least: number, most: number): number {
    if (told < least || told > most) throw broken(`A message can't be ${told} bytes long here.`)
    return told
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
    // pg-gateway reads from the start of the memory that lies behind a view.
    return Uint8Array.from(all.subarray(0, length))
  }
}
