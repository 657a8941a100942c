// One WebSocket that speaks frames: reads them in order, writes them, and is let go when it can't keep up.
import type { RawData, WebSocket } from 'ws'
import { decodeBinary } from './binary-frames.ts'
import { FrameError, type Frame, type Version } from './frames.ts'
import { decodeText, encodeText } from './protocol.ts'

export interface SocketOptions {
  readonly version: Version
  readonly maxBacklogBytes: number
  /** Handles one frame; the next one waits until it is done. Must not reject. */
  readonly handle: (frame: Frame) => Promise<void>
  readonly closed: () => void
}

/** How many frames may wait before no more are read from the network. */
const MOST_WAITING = 256

export class Socket {
  /** When the client last said anything, in milliseconds that no clock can move. */
  lastHeard = performance.now()
  readonly #ws: WebSocket
  readonly #options: SocketOptions
  #waiting = 0
  #pending: Promise<void> = Promise.resolve()

  constructor(ws: WebSocket, options: SocketOptions) {
    this.#ws = ws
    this.#options = options
    ws.on('message', (data, isBinary) => this.#receive(data, isBinary))
    ws.on('close', options.closed)
    // A frame that is too large or breaks WebSocket's own rules is reported here; ws closes with the right code.
    ws.on('error', () => undefined)
  }

  get isOpen(): boolean {
    return this.#ws.readyState === this.#ws.OPEN
  }

  send(frame: Frame): void {
    this.transmit(encodeText(this.#options.version, frame))
  }

  transmit(data: string | Uint8Array | undefined): void {
    if (data === undefined || !this.isOpen) return
    if (this.#ws.bufferedAmount > this.#options.maxBacklogBytes) this.#ws.terminate()
    else this.#ws.send(data)
  }

  close(code: number): void {
    this.#ws.close(code)
  }

  terminate(): void {
    this.#ws.terminate()
  }

  /** Resolves when the frames that have arrived are answered. */
  settled(): Promise<void> {
    return this.#pending
  }

  /** Frames are handled in order, for a join waits on the database and a broadcast may follow it at once. */
  #receive(data: RawData, isBinary: boolean): void {
    this.lastHeard = performance.now()
    const frame = this.#read(toBytes(data), isBinary)
    if (!frame) return
    this.#waiting += 1
    if (this.#waiting === MOST_WAITING) this.#ws.pause()
    this.#pending = this.#pending.then(async () => {
      await this.#options.handle(frame)
      this.#waiting -= 1
      if (this.#waiting < MOST_WAITING && this.#ws.isPaused) this.#ws.resume()
    })
  }

  /** As in the original, what can't be read is dropped and the socket stays. */
  #read(bytes: Buffer, isBinary: boolean): Frame | undefined {
    const { version } = this.#options
    try {
      if (!isBinary) return decodeText(version, bytes.toString('utf8'))
      return version === '2.0.0' ? decodeBinary(bytes) : undefined
    } catch (error) {
      if (error instanceof FrameError) return undefined
      throw error
    }
  }
}

function toBytes(data: RawData): Buffer {
  if (Array.isArray(data)) return Buffer.concat(data)
  return data instanceof ArrayBuffer ? Buffer.from(data) : data
}
