// Rows in long columns: records of one form without an object for each, so that the collector has little to do.

/** Some rows, one after the other in either list. */
export interface Chunk {
  readonly refs: unknown[]
  readonly numbers: Float64Array
  readonly size: number
}

/** Sizes of the first chunks; all further ones are as large as the last. */
const SIZES = [64, 512]
const SIZE = 4096

/** Rows of so many references and so many numbers each, that are written once and read once, in order. */
export class Rows {
  /** Which row of its chunk is the one that was begun or taken last. */
  at = 0
  /** To be copied, which is quicker than to make another. */
  #blank: readonly unknown[] | undefined
  readonly #refs: number
  readonly #numbers: number
  readonly #chunks: (Chunk | undefined)[] = []
  #current: Chunk | undefined
  #used = 0
  #reading = 0
  #read = 0

  constructor(refs: number, numbers: number) {
    this.#refs = refs
    this.#numbers = numbers
  }

  /** Begins a row, and gives the chunk in which it is to be written. */
  begin(): Chunk {
    let chunk = this.#current
    if (!chunk || this.#used === chunk.size) chunk = this.#grow()
    this.at = this.#used++
    return chunk
  }

  /** The next row that was not taken yet; a chunk of which all rows are taken is given up. */
  take(): Chunk | undefined {
    let chunk = this.#chunks[this.#reading]
    if (chunk && this.#read === chunk.size) {
      this.#chunks[this.#reading++] = undefined
      this.#read = 0
      chunk = this.#chunks[this.#reading]
    }
    this.at = this.#read++
    return chunk
  }

  #grow(): Chunk {
    const size = SIZES[this.#chunks.length] ?? SIZE
    const refs = size === SIZE ? this.#blanks().slice() : Array.from({ length: size * this.#refs })
    const chunk = { refs, numbers: new Float64Array(size * this.#numbers), size }
    this.#current = chunk
    this.#chunks.push(chunk)
    this.#used = 0
    return chunk
  }

  #blanks(): readonly unknown[] {
    return (this.#blank ??= Array.from({ length: SIZE * this.#refs }))
  }
}
