// One WebSocket with frames: reads them in order, writes them, and disconnects slow readers.
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

/** Queued frames above which reading from the network pauses. */
const MOST_WAITING = 256

export class Socket {
  /** Time of the client's last message, from the monotonic clock, in milliseconds. */
  lastReceivedAt = performance.now()
  readonly #ws: WebSocket
  readonly #options: SocketOptions
  #waiting = 0
  #pending: Promise<void> = Promise.resolve()

  constructor(ws: WebSocket, options: SocketOptions) {
    this.#ws = ws
    this.#options = options
    ws.on('message', (data, isBinary) => this.#receive(data, isBinary))
    ws.on('close', options.closed)
    // Oversized frames and protocol violations are reported here; ws closes with the correct code.
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

  /** Resolves once all frames that have arrived are handled. */
  settled(): Promise<void> {
    return this.#pending
  }

  /**
   * Frames are handled in order, because a broadcast may directly follow a join that waits for the database.
   */
  #receive(data: RawData, isBinary: boolean): void {
    this.lastReceivedAt = performance.now()
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

  /** As in the original, invalid frames are dropped and the socket stays open. */
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
