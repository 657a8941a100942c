// The text filter over the log: which records match, kept up to date as the log grows.
import type { TraceSource, ViewRecord } from '../../trace/format.ts'
import { countUpTo } from './trace-index.ts'
import { stateLabel } from './state-value.ts'

interface Term {
  readonly text: string
  readonly wanted: boolean
}

/** Splits a query into words; all must be found, and a word after `-` must not. */
export function parseTerms(query: string): readonly Term[] {
  return query
    .toLowerCase()
    .split(/\s+/)
    .map(word =>
      word.startsWith('-') ? { text: word.slice(1), wanted: false } : { text: word, wanted: true },
    )
    .filter(term => term.text !== '')
}

/** The rows of the log that match a query, by ascending sequence number. */
export class LogFilter {
  readonly query: string
  readonly #source: TraceSource
  readonly #terms: readonly Term[]
  readonly #matches: number[] = []
  readonly #labels = new WeakMap<object, string>()
  #scanned = 0

  constructor(source: TraceSource, query: string) {
    this.#source = source
    this.query = query
    this.#terms = parseTerms(query)
  }

  /** Whether any record can be hidden. */
  get filtering(): boolean {
    return this.#terms.length > 0
  }

  /** How many records were looked at. */
  get scanned(): number {
    return this.#scanned
  }

  /** How many of them match. */
  get length(): number {
    return this.filtering ? this.#matches.length : this.#scanned
  }

  /** Looks at records up to `size`, at most `limit` new ones; says whether some are left. */
  advance(size: number, limit: number): boolean {
    const end = this.filtering ? Math.min(size, this.#scanned + limit) : size
    if (this.filtering) {
      for (let seq = this.#scanned; seq < end; seq += 1) {
        const view = this.#source.views[seq]
        if (view && this.#accepts(view)) this.#matches.push(seq)
      }
    }
    this.#scanned = Math.max(this.#scanned, end)
    return this.#scanned < size
  }

  /** Sequence number of the row, or -1. */
  seqAt(row: number): number {
    if (row < 0 || row >= this.length) return -1
    return this.filtering ? (this.#matches[row] ?? -1) : row
  }

  /** The last row whose record is at or before `seq`; -1 when there is none. */
  rowOf(seq: number): number {
    return this.filtering ? countUpTo(this.#matches, seq) - 1 : Math.min(seq, this.#scanned - 1)
  }

  /** The matching record `by` rows away from `seq`, held at both ends; -1 when none matches. */
  step(seq: number, by: 1 | -1): number {
    const row = this.rowOf(seq)
    const onRow = this.seqAt(row) === seq
    const next = by === 1 || onRow ? row + by : row
    return this.seqAt(Math.min(Math.max(next, 0), this.length - 1))
  }

  #accepts(view: ViewRecord): boolean {
    const path = this.#source.actors[view.actor]?.path.toLowerCase() ?? ''
    const type = view.event.type.toLowerCase()
    const state = this.#stateOf(view)
    const noop = view.changed ? '' : 'noop'
    return this.#terms.every(({ text, wanted }) => {
      const found = path.includes(text) || type.includes(text) || state.includes(text) || noop === text
      return found === wanted
    })
  }

  #stateOf(view: ViewRecord): string {
    const value = view.value
    if (value === undefined) return view.status
    if (typeof value === 'string') return value.toLowerCase()
    const known = this.#labels.get(value)
    if (known !== undefined) return known
    const label = stateLabel(value).toLowerCase()
    this.#labels.set(value, label)
    return label
  }
}
