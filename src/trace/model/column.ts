// Columns of numbers that grow without being copied, at a few bytes per number.

export type Numbers =
  | Float64Array<ArrayBuffer>
  | Int32Array<ArrayBuffer>
  | Uint32Array<ArrayBuffer>
  | Uint16Array<ArrayBuffer>
  | Uint8Array<ArrayBuffer>

const BITS = 14
/** Numbers per block. */
const BLOCK = 2 ** BITS

/** A list of numbers of one width. */
export class Column {
  length = 0
  readonly #blocks: Numbers[] = []
  readonly #make: (length: number) => Numbers

  constructor(make: (length: number) => Numbers) {
    this.#make = make
  }

  push(value: number): void {
    const at = this.length++
    let block = this.#blocks[at >> BITS]
    if (!block) this.#blocks.push((block = this.#make(BLOCK)))
    block[at & (BLOCK - 1)] = value
  }

  /** Appends all of these at once. */
  append(values: Numbers): void {
    for (let from = 0; from < values.length;) {
      const at = this.length & (BLOCK - 1)
      const part = values.subarray(from, from + BLOCK - at)
      let block = this.#blocks[this.length >> BITS]
      if (!block) this.#blocks.push((block = this.#make(BLOCK)))
      block.set(part, at)
      from += part.length
      this.length += part.length
    }
  }

  set(at: number, value: number): void {
    const block = this.#blocks[at >> BITS]
    if (block) block[at & (BLOCK - 1)] = value
  }

  /** The number at this index; NaN beyond the end. */
  get(at: number): number {
    return at >= 0 && at < this.length ? (this.#blocks[at >> BITS]?.[at & (BLOCK - 1)] ?? NaN) : NaN
  }

  /** Bytes in memory. */
  get bytes(): number {
    return this.#blocks.reduce((sum, block) => sum + block.byteLength, 0)
  }
}

/**
 * Counts by bisection how many of the first `length` indices are at or before the searched position, which is
 * not before `from`.
 */
export function countUpTo(length: number, isUpTo: (at: number) => boolean, from = 0): number {
  let [low, high] = [from, length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (isUpTo(middle)) low = middle + 1
    else high = middle
  }
  return low
}
