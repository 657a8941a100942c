// Where the bytes of a file are: in memory, in a browser's file, or wherever a caller can read a part of them.

/** Bytes that can be read in parts. */
export interface ByteSource {
  readonly size: number
  /** The bytes from `from` up to, but without, `to`; both lie within the size. */
  read(from: number, to: number): Promise<Uint8Array<ArrayBuffer>>
}

/** What a trace can be read from. A `File` is a `Blob`: it stays on the disk. */
export type ByteInput = Uint8Array | Blob | ByteSource

/** These bytes as a source. */
export function sourceOf(input: ByteInput): ByteSource {
  if (input instanceof Blob) {
    const read = async (from: number, to: number) => new Uint8Array(await input.slice(from, to).arrayBuffer())
    return { size: input.size, read }
  }
  if (!(input instanceof Uint8Array)) return input
  const bytes = input.buffer instanceof ArrayBuffer ? (input as Uint8Array<ArrayBuffer>) : input.slice()
  return { size: bytes.length, read: (from, to) => Promise.resolve(bytes.subarray(from, to)) }
}

/** Read at once from a file: enough that its turns do not count, and little beside what is held anyway. */
const BLOCK = 2 ** 20

/** Reads forward in a source by large blocks. */
export class Window {
  readonly #source: ByteSource
  #from = 0
  #bytes: Uint8Array<ArrayBuffer> = new Uint8Array()

  constructor(source: ByteSource) {
    this.#source = source
  }

  /** The bytes from `from` on, as many as asked for or as there are. */
  async read(from: number, size: number): Promise<Uint8Array<ArrayBuffer>> {
    const end = Math.min(from + size, this.#source.size)
    if (from < this.#from || end > this.#from + this.#bytes.length) {
      this.#bytes = await this.#source.read(from, Math.min(from + Math.max(size, BLOCK), this.#source.size))
      this.#from = from
    }
    return this.#bytes.subarray(from - this.#from, end - this.#from)
  }
}
