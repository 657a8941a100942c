// What can be undone and redone in one table by one user, for as long as the page is loaded. Values stay here and in no machine.
import { emptyNamed } from '../../named.ts'
import { cellOf, type Cell } from '../cells/cell-text.ts'
import type { Row } from '../schema.ts'
import type { Typed } from './contents.ts'
import type { RowChange } from './plan.ts'

export interface CellsEntry {
  readonly kind: 'cells'
  readonly id: number
  readonly title: string
  /** Rows with the cells as this user's own writes left them: a cell that holds something else was changed since. */
  readonly changes: readonly RowChange[]
}

export interface DeletionEntry {
  readonly kind: 'deletion'
  readonly id: number
  readonly title: string
  readonly rows: ReadonlyMap<string, Row>
  /** Number of the order, by which it is taken back. */
  readonly order: number
}

export type HistoryEntry = CellsEntry | DeletionEntry

export type HistoryOutcome =
  | { readonly type: 'done'; readonly entry: HistoryEntry }
  /** The rows are deleted, or the cells were never written. */
  | { readonly type: 'late'; readonly entry: HistoryEntry }
  | { readonly type: 'empty' }

/** What was written of a row. */
export interface WrittenCells {
  readonly key: string
  readonly columns: readonly string[]
  readonly row: Row
  /** The row's key since, where that was written. */
  readonly keySince: string
}

/** A write over what somebody else had written. */
export interface OverwrittenCells {
  readonly key: string
  readonly columns: readonly string[]
  readonly was: Row
  readonly theirs: Row
}

export interface HistoryPorts {
  /** Writes cells where they still hold what `row` holds. @returns whether there is anything to write or to withdraw */
  readonly write: (typed: Typed) => boolean
  readonly order: (rows: ReadonlyMap<string, Row>) => number
  /** @returns whether it was not too late */
  readonly takeBack: (order: number) => boolean
}

const MOST_ENTRIES = 100

/** The row with some cells as another version of it has them. */
export const withCells = (row: Row, columns: readonly string[], from: Row): Row => {
  const next = Object.assign(emptyNamed<unknown>(), row)
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

  /** Whether it is this change that `undo` would undo. */
  readonly isLast = ({ id }: HistoryEntry): boolean => this.#past.at(-1)?.id === id

  /** Writes cells. @returns what can be undone; undefined where nothing changes */
  readonly change = (title: string, changes: readonly RowChange[]): CellsEntry | undefined => {
    if (changes.length === 0) return undefined
    for (const { key, row, after } of changes) this.#ports.write({ key, row, values: after })
    return this.written(title, changes)
  }

  /** Cells that are written already. */
  readonly written = (title: string, changes: readonly RowChange[]): CellsEntry => {
    const entry: CellsEntry = { kind: 'cells', id: this.#next++, title, changes }
    this.#push(entry)
    return entry
  }

  readonly deleted = (title: string, rows: ReadonlyMap<string, Row>, order: number): void =>
    this.#push({ kind: 'deletion', id: this.#next++, title, rows, order })

  /** A deletion that was taken back by its own notice. */
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

  /** A write went through: from now on these cells hold what it left. */
  readonly saved = ({ key, columns, row, keySince }: WrittenCells): void =>
    this.#update(change =>
      change.key === key ? { ...change, key: keySince, row: withCells(change.row, columns, row) } : change,
    )

  /** What an undone write brings back is what the user chose to write over. */
  readonly overwrote = ({ key, columns, was, theirs }: OverwrittenCells): void => {
    const left = new Set(columns)
    const rebase = (change: RowChange): RowChange => {
      if (change.key !== key) return change
      const before: Record<string, Cell> = Object.assign(emptyNamed<Cell>(), change.before)
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
