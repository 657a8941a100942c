// Groups the rows of the log by cause; each group has a row and can be collapsed.
import { countUpToNumber, type Timeline } from '../../../trace/index.ts'
import type { RowFilter } from '../model/row-filter.ts'

/** A row of the log: an event, or the head of a group. */
export interface Item {
  readonly kind: 'group' | 'event'
  /** The group that it is in, or -1. */
  readonly group: number
  /** Number of the view; for a group, of its first view. */
  readonly seq: number
  /** In the folded log, the event into which this one is folded, or itself. */
  readonly head?: number
  /** How many steps are folded into this event, and whether they are expanded. */
  readonly steps?: number
  readonly isOpen?: boolean
}

/** Groups of adjacent rows caused by one stimulus; grows with the filter. */
export class RowGroups {
  readonly #timeline: Timeline
  readonly #filter: RowFilter
  /** First row of each group. */
  readonly #starts: number[] = []
  /** Expanded groups, ascending. */
  #open: readonly number[] = []
  #taken = 0
  #cause = NaN

  constructor(timeline: Timeline, filter: RowFilter) {
    this.#timeline = timeline
    this.#filter = filter
  }

  /** Adds rows that the filter has found since. */
  advance(): void {
    for (; this.#taken < this.#filter.length; this.#taken++) {
      const cause = this.#timeline.cause(this.#filter.seqAt(this.#taken))
      if (cause !== this.#cause) this.#starts.push(this.#taken)
      this.#cause = cause
    }
  }

  get groups(): number {
    return this.#starts.length
  }

  /** Number of rows: heads and events of expanded groups. */
  get length(): number {
    return this.groups + this.#open.reduce((sum, group) => sum + this.sizeOf(group), 0)
  }

  /** Number of events in a group. */
  sizeOf(group: number): number {
    return (this.#starts[group + 1] ?? this.#taken) - (this.#starts[group] ?? 0)
  }

  isOpen(group: number): boolean {
    return this.#open.includes(group)
  }

  set(group: number, isOpen: boolean): void {
    const others = this.#open.filter(other => other !== group)
    this.#open = isOpen ? [...others, group].sort((a, b) => a - b) : others
  }

  /** Returns the content of a row; undefined after the last. */
  at(row: number): Item | undefined {
    let before = 0
    for (const group of this.#open) {
      const head = group + before
      if (row <= head) break
      const size = this.sizeOf(group)
      if (row <= head + size) return this.#event(group, (this.#starts[group] ?? 0) + row - head - 1)
      before += size
    }
    const start = this.#starts[row - before]
    if (start === undefined || row < 0) return undefined
    return { kind: 'group', group: row - before, seq: this.#filter.seqAt(start) }
  }

  /** Returns the row of an event, or the head of its group while that is collapsed; -1 for none. */
  rowOf(seq: number): number {
    const own = this.#filter.rowOf(seq)
    const group = countUpToNumber(this.#starts, own) - 1
    if (own < 0 || group < 0) return -1
    const before = this.#open.reduce((sum, other) => (other < group ? sum + this.sizeOf(other) : sum), 0)
    return group + before + (this.isOpen(group) ? 1 + own - (this.#starts[group] ?? 0) : 0)
  }

  /** Returns the number of a group's last view. */
  lastOf(group: number): number {
    return this.#filter.seqAt((this.#starts[group] ?? 0) + this.sizeOf(group) - 1)
  }

  #event(group: number, row: number): Item {
    return { kind: 'event', group, seq: this.#filter.seqAt(row) }
  }
}
