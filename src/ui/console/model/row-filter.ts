// The steps that match a query: updated as the trace grows, with the progress of the search.
import {
  type CompiledQuery,
  compileQuery,
  countUpToNumber,
  parseQuery,
  type Query,
  type Timeline,
} from '../../../trace/index.ts'
import type { Details } from './details.ts'

/** Steps whose records are requested at once. */
const BATCH = 2000

/** The rows of the log that match a query, by ascending number. */
export class RowFilter {
  readonly query: Query
  readonly #compiled: CompiledQuery
  readonly #timeline: Timeline
  readonly #details: Details
  readonly #matches: number[] = []
  /** Steps that passed the column test and wait for their records. */
  readonly #waiting: number[] = []
  #asked = 0
  #isAsking = false
  #scanned = 0
  #isEnded = false
  /** Why the records could not be searched. */
  failure: string | undefined

  constructor(text: string, timeline: Timeline, details: Details) {
    this.query = parseQuery(text)
    this.#compiled = compileQuery(this.query, timeline)
    this.#timeline = timeline
    this.#details = details
  }

  /** Whether any step can be hidden. */
  get filtering(): boolean {
    return !this.#compiled.isOpen
  }

  /** Number of tested steps. */
  get scanned(): number {
    const next = this.#waiting[this.#asked]
    return next === undefined ? this.#scanned : next
  }

  /** Number of matches. */
  get length(): number {
    return this.filtering ? this.#matches.length : this.#scanned
  }

  /** Tests steps up to `size`, at most `limit` new ones; returns whether more can be tested now. */
  advance(size: number, limit: number): boolean {
    if (!this.filtering) {
      this.#scanned = Math.max(this.#scanned, size)
      return false
    }
    const { test, deep } = this.#compiled
    const end = Math.min(size, this.#scanned + limit)
    const into = deep.length > 0 ? this.#waiting : this.#matches
    for (let seq = this.#scanned; seq < end; seq++) if (test(seq)) into.push(seq)
    this.#scanned = Math.max(this.#scanned, end)
    return this.#scanned < size
  }

  /** Tests the records of waiting steps; `onPart` is called when some are decided. */
  async ask(onPart: () => void): Promise<void> {
    this.#isEnded = false
    if (this.#isAsking) return
    this.#isAsking = true
    try {
      while (this.#asked < this.#waiting.length && !this.#isEnded) {
        const part = Uint32Array.from(this.#waiting.slice(this.#asked, this.#asked + BATCH))
        const matches = await this.#details.match(this.#compiled.deep, part.slice(), this.#timeline)
        part.forEach((seq, at) => matches[at] === 1 && this.#matches.push(seq))
        this.#asked += part.length
        onPart()
      }
    } catch (error) {
      this.failure = error instanceof Error ? error.message : String(error)
    } finally {
      this.#isAsking = false
    }
  }

  /** Ends the search. */
  end(): void {
    this.#isEnded = true
  }

  /** Returns the number of the step in this row, or -1. */
  seqAt(row: number): number {
    if (row < 0 || row >= this.length) return -1
    return this.filtering ? (this.#matches[row] ?? -1) : row
  }

  /** Returns the last row whose step is at or before `seq`; -1 if there is none. */
  rowOf(seq: number): number {
    return this.filtering ? countUpToNumber(this.#matches, seq) - 1 : Math.min(seq, this.#scanned - 1)
  }

  /** Returns the matching step `by` rows away from `seq`, clamped at both ends; -1 if none matches. */
  step(seq: number, by: 1 | -1): number {
    const row = this.rowOf(seq)
    const onRow = this.seqAt(row) === seq
    const next = by === 1 || onRow ? row + by : row
    return this.seqAt(Math.min(Math.max(next, 0), this.length - 1))
  }
}
