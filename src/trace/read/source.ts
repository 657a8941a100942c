// Sources of a file's bytes: memory, a browser's file, or a custom source that can be read in parts.

/** Bytes that can be read in parts. */
export interface ByteSource {
  readonly size: number
  /** The bytes from `from` up to, but not including, `to`; both are within the size. */
  read(from: number, to: number): Promise<Uint8Array<ArrayBuffer>>
}

/** Input types for reading a trace. A `File` is a `Blob` and stays on disk. */
export type ByteInput = Uint8Array | Blob | ByteSource

/** Creates a source from the input. */
export function sourceOf(input: ByteInput): ByteSource {
  if (input instanceof Blob) {
    const read = async (from: number, to: number) => new Uint8Array(await input.slice(from, to).arrayBuffer())
    return { size: input.size, read }
  }
  if (!(input instanceof Uint8Array)) return input
  const bytes = input.buffer instanceof ArrayBuffer ? (input as Uint8Array<ArrayBuffer>) : input.slice()
  return { size: bytes.length, read: (from, to) => Promise.resolve(bytes.subarray(from, to)) }
}

/** Read size: large enough to make the overhead negligible, small compared with the memory in use. */
const BLOCK = 2 ** 20

/** Reads forward in a source in large blocks. */
export class Window {
  readonly #source: ByteSource
  #from = 0
  #bytes: Uint8Array<ArrayBuffer> = new Uint8Array()

  constructor(source: ByteSource) {
    this.#source = source
  }

  /** Returns the bytes from `from` on: `size` bytes, or fewer at the end. */
  async read(from: number, size: number): Promise<Uint8Array<ArrayBuffer>> {
    const end = Math.min(from + size, this.#source.size)
    if (from < this.#from || end > this.#from + this.#bytes.length) {
      this.#bytes = await this.#source.read(from, Math.min(from + Math.max(size, BLOCK), this.#source.size))
      this.#from = from
    }
    return this.#bytes.subarray(from - this.#from, end - this.#from)
  }
}
