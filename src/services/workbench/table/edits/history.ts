// Undo and redo history of one table and user, kept until the page reloads. Values stay here and enter no
// machine.
import { emptyRecord } from '../../storage/safe-record.ts'
import { cellOf, type Cell } from '../cells/cell-text.ts'
import type { Row } from '../schema.ts'
import type { Typed } from './edit-store.ts'
import type { RowChange } from './plan.ts'

export interface CellsEntry {
  readonly kind: 'cells'
  readonly id: number
  readonly title: string
  /** Rows with the cells as the user's own writes left them: a cell with another value was changed since. */
  readonly changes: readonly RowChange[]
}

export interface DeletionEntry {
  readonly kind: 'deletion'
  readonly id: number
  readonly title: string
  readonly rows: ReadonlyMap<string, Row>
  /** Number of the deletion, used to undo it. */
  readonly order: number
}

export type HistoryEntry = CellsEntry | DeletionEntry

export type HistoryOutcome =
  | { readonly type: 'done'; readonly entry: HistoryEntry }
  /** Too late: the rows are deleted, or the cells were never written. */
  | { readonly type: 'late'; readonly entry: HistoryEntry }
  | { readonly type: 'empty' }

/** What was written to a row. */
export interface WrittenCells {
  readonly key: string
  readonly columns: readonly string[]
  readonly row: Row
  /** The row's new key, if the key changed. */
  readonly keySince: string
}

/** A write over another user's value. */
export interface OverwrittenCells {
  readonly key: string
  readonly columns: readonly string[]
  readonly was: Row
  readonly theirs: Row
}

export interface HistoryPorts {
  /**
   * Writes cells that still have the values of `row`. @returns whether there is anything to write or withdraw
   */
  readonly write: (typed: Typed) => boolean
  readonly order: (rows: ReadonlyMap<string, Row>) => number
  /** @returns whether it was in time */
  readonly takeBack: (order: number) => boolean
}

const MOST_ENTRIES = 100

/** The row with some cells from another version of it. */
export const withCells = (row: Row, columns: readonly string[], from: Row): Row => {
  const next = Object.assign(emptyRecord<unknown>(), row)
  for (const name of columns) if (Object.hasOwn(from, name)) next[name] = from[name]
  return next
}

export class TableHistory {
  readonly #ports: HistoryPorts
  #past: readonly HistoryEntry[] = []
  #future: readonly HistoryEntry[] = []
  #next = 1

  constructor(ports: HistoryPorts) {
    this.#ports = ports
  }

  /** Whether `undo` would undo this change. */
  readonly isLast = ({ id }: HistoryEntry): boolean => this.#past.at(-1)?.id === id

  /** Writes cells. @returns the entry to undo; undefined when nothing changes */
  readonly change = (title: string, changes: readonly RowChange[]): CellsEntry | undefined => {
    if (changes.length === 0) return undefined
    for (const { key, row, after } of changes) this.#ports.write({ key, row, values: after })
    return this.written(title, changes)
  }

  /** Adds cells that are already written. */
  readonly written = (title: string, changes: readonly RowChange[]): CellsEntry => {
    const entry: CellsEntry = { kind: 'cells', id: this.#next++, title, changes }
    this.#push(entry)
    return entry
  }

  readonly deleted = (title: string, rows: ReadonlyMap<string, Row>, order: number): void =>
    this.#push({ kind: 'deletion', id: this.#next++, title, rows, order })

  /** Removes a deletion that was undone from its own notice. */
  readonly forget = (order: number): void => {
    this.#past = this.#past.filter(entry => entry.kind === 'cells' || entry.order !== order)
  }

  readonly undo = (): HistoryOutcome => {
    const entry = this.#past.at(-1)
    if (entry === undefined) return { type: 'empty' }
    this.#past = this.#past.slice(0, -1)
    const isDone = entry.kind === 'cells' ? this.#write(entry, 'before') : this.#ports.takeBack(entry.order)
    if (!isDone) return { type: 'late', entry }
    this.#future = [...this.#future, entry]
    return { type: 'done', entry }
  }

  readonly redo = (): HistoryOutcome => {
    const entry = this.#future.at(-1)
    if (entry === undefined) return { type: 'empty' }
    this.#future = this.#future.slice(0, -1)
    if (entry.kind === 'deletion') {
      const order = this.#ports.order(entry.rows)
      this.#past = [...this.#past, { ...entry, order }]
      return { type: 'done', entry }
    }
    this.#write(entry, 'after')
    this.#past = [...this.#past, entry]
    return { type: 'done', entry }
  }

  /** A write succeeded: from now on these cells have the values it left. */
  readonly saved = ({ key, columns, row, keySince }: WrittenCells): void =>
    this.#update(change =>
      change.key === key ? { ...change, key: keySince, row: withCells(change.row, columns, row) } : change,
    )

  /** Undoing restores the value the user chose to overwrite. */
  readonly overwrote = ({ key, columns, was, theirs }: OverwrittenCells): void => {
    const left = new Set(columns)
    const rebase = (change: RowChange): RowChange => {
      if (change.key !== key) return change
      const before: Record<string, Cell> = Object.assign(emptyRecord<Cell>(), change.before)
      for (const name of Object.keys(before)) {
        if (!left.has(name) || before[name] !== cellOf(was, { name })) continue
        before[name] = cellOf(theirs, { name })
        left.delete(name)
      }
      return { ...change, before }
    }
    this.#past = this.#past
      .toReversed()
      .map(entry => (entry.kind === 'cells' ? { ...entry, changes: entry.changes.map(rebase) } : entry))
      .toReversed()
  }

  #push(entry: HistoryEntry) {
    this.#past = [...this.#past, entry].slice(-MOST_ENTRIES)
    this.#future = []
  }

  #write({ changes }: CellsEntry, to: 'before' | 'after'): boolean {
    const written = changes.map(({ key, row, [to]: values }) => this.#ports.write({ key, row, values }))
    return written.includes(true)
  }

  #update(step: (change: RowChange) => RowChange) {
    const stepped = (entry: HistoryEntry): HistoryEntry =>
      entry.kind === 'cells' ? { ...entry, changes: entry.changes.map(step) } : entry
    this.#past = this.#past.map(stepped)
    this.#future = this.#future.map(stepped)
  }
}
