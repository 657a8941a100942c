// Row storage in long columns: uniform records without one object each, to reduce garbage collection.

/** A number of rows, stored consecutively in both lists. */
export interface Chunk {
  readonly refs: unknown[]
  readonly numbers: Float64Array
  readonly size: number
}

/** Sizes of the first chunks; all later chunks have the last size. */
const SIZES = [64, 512]
const SIZE = 4096

const EMPTY: Chunk = { refs: [], numbers: new Float64Array(0), size: 0 }

/** Rows of fixed numbers of references and numbers, each written once and read once, in order. */
export class Rows {
  /** Index, in its chunk, of the row that was begun or taken last. */
  at = 0
  /** Template to copy, which is faster than creating a new array. */
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

  /** Begins a row and returns the chunk to write it to. */
  begin(): Chunk {
    let chunk = this.#current
    if (!chunk || this.#used === chunk.size) chunk = this.#grow()
    this.at = this.#used++
    return chunk
  }

  /** Returns the chunk of the row that was begun last, and sets `at` to it. */
  last(): Chunk {
    this.at = this.#used - 1
    return this.#current ?? EMPTY
  }

  /** Returns the chunk of the next unread row. A chunk is released when all its rows were read. */
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
