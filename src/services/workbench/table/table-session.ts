// One user's work on a table: the rows of its open page and, whatever page is open, edits, deletions and undo.
import type { ChartroomClient } from '../../client/index.ts'
import type { AnyJob } from '../jobs/run-job.ts'
import type { DataFailure } from '../rest/explain-failure.ts'
import { userOf } from '../storage/by-client.ts'
import { plural } from '../text/index.ts'
import { type Deletion, DeletionStore, leavingKeys } from './edits/deletion-store.ts'
import type { DraftStorage } from './edits/drafts.ts'
import {
  type EditDecision,
  EditStore,
  type OverwrittenCells,
  type TypedCell,
  type Values,
  type WrittenCells,
} from './edits/edit-store.ts'
import { createDeletionSender, createEditSender } from './edits/send.ts'
import type { TableName } from './of-table.ts'
import { RowsStore } from './rows-store.ts'
import { type Row, rowKey, type TableInfo } from './schema.ts'
import { exactRow, selectOf } from './exact-select.ts'
import { emptyRecord } from '../storage/safe-record.ts'
import { type Cell, cellOf, withCells } from './cells/cell-text.ts'
import type { RowChange } from './edits/plan.ts'

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

export interface ImportEntry {
  readonly kind: 'import'
  readonly id: number
  readonly title: string
  /** The added rows as the import left them. */
  readonly rows: ReadonlyMap<string, Row>
  /** Number of the deletion that undoes it. */
  readonly order?: number
}

export type HistoryEntry = CellsEntry | DeletionEntry | ImportEntry

export type HistoryOutcome =
  | { readonly type: 'done'; readonly entry: HistoryEntry }
  /** Too late: the rows are deleted, or the cells were never written. */
  | { readonly type: 'late'; readonly entry: HistoryEntry }
  | { readonly type: 'empty' }

export interface HistoryPorts {
  /**
   * Writes cells that still have the values of `row`. @returns whether there is anything to write or withdraw
   */
  readonly write: (typedCell: TypedCell) => boolean
  readonly order: (rows: ReadonlyMap<string, Row>) => number
  /** Deletes imported rows that did not change since. */
  readonly removeImport: (rows: ReadonlyMap<string, Row>) => number
  /** @returns whether it was in time */
  readonly takeBack: (order: number) => boolean
}

const MOST_ENTRIES = 100

/** Undo and redo of a table; values stay here and enter no machine. */
export class TableHistory {
  readonly #ports: HistoryPorts
  #history: readonly HistoryEntry[] = []
  #future: readonly HistoryEntry[] = []
  #next = 1

  constructor(ports: HistoryPorts) {
    this.#ports = ports
  }

  /** Whether `undo` would undo this change. */
  readonly isLast = ({ id }: HistoryEntry): boolean => this.#history.at(-1)?.id === id

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

  /** Adds an import that has ended. */
  readonly imported = (title: string, rows: ReadonlyMap<string, Row>): ImportEntry => {
    const entry: ImportEntry = { kind: 'import', id: this.#next++, title, rows }
    this.#push(entry)
    return entry
  }

  /** Removes a deletion that was undone from its own notice; the import that it undid can be undone again. */
  readonly forget = (order: number): void => {
    const isOf = (entry: HistoryEntry) => entry.kind !== 'cells' && entry.order === order
    const undone = this.#future.filter(entry => entry.kind === 'import' && isOf(entry))
    this.#future = this.#future.filter(entry => !undone.includes(entry))
    this.#history = [...this.#history.filter(entry => entry.kind !== 'deletion' || !isOf(entry)), ...undone]
  }

  /** @param id an import that may have been followed by other changes; undefined: the last change */
  readonly undo = (id = this.#history.at(-1)?.id): HistoryOutcome => {
    const entry = this.#history.find(each => each.id === id)
    if (entry === undefined) return { type: 'empty' }
    this.#history = this.#history.filter(each => each !== entry)
    if (entry.kind === 'import') {
      const undone = { ...entry, order: this.#ports.removeImport(entry.rows) }
      this.#future = [...this.#future, undone]
      return { type: 'done', entry: undone }
    }
    const isDone = entry.kind === 'cells' ? this.#write(entry, 'before') : this.#ports.takeBack(entry.order)
    if (!isDone) return { type: 'late', entry }
    this.#future = [...this.#future, entry]
    return { type: 'done', entry }
  }

  readonly redo = (): HistoryOutcome => {
    const entry = this.#future.at(-1)
    if (entry === undefined) return { type: 'empty' }
    this.#future = this.#future.slice(0, -1)
    if (entry.kind === 'import') {
      if (entry.order === undefined || !this.#ports.takeBack(entry.order)) return { type: 'late', entry }
      this.#history = [...this.#history.filter(({ id }) => id !== entry.id), entry]
      return { type: 'done', entry }
    }
    if (entry.kind === 'deletion') {
      const order = this.#ports.order(entry.rows)
      this.#history = [...this.#history, { ...entry, order }]
      return { type: 'done', entry }
    }
    this.#write(entry, 'after')
    this.#history = [...this.#history, entry]
    return { type: 'done', entry }
  }

  /** A write succeeded: from now on these cells have the values it left. */
  readonly saved = ({ key, columns, row, keySince }: WrittenCells): void =>
    this.#update(change =>
      change.key === key ? { ...change, key: keySince, row: withCells(change.row, columns, row) } : change,
    )

  /** Undoing restores the value the user chose to overwrite. */
  readonly overwrote = ({ key, columns, before: was, theirs }: OverwrittenCells): void => {
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
    this.#history = this.#history
      .toReversed()
      .map(entry => (entry.kind === 'cells' ? { ...entry, changes: entry.changes.map(rebase) } : entry))
      .toReversed()
  }

  #push(entry: HistoryEntry) {
    this.#history = [...this.#history, entry].slice(-MOST_ENTRIES)
    this.#future = []
  }

  #write({ changes }: CellsEntry, to: 'before' | 'after'): boolean {
    const written = changes.map(({ key, row, [to]: values }) => this.#ports.write({ key, row, values }))
    return written.includes(true)
  }

  #update(step: (change: RowChange) => RowChange) {
    const stepped = (entry: HistoryEntry): HistoryEntry =>
      entry.kind === 'cells' ? { ...entry, changes: entry.changes.map(step) } : entry
    this.#history = this.#history.map(stepped)
    this.#future = this.#future.map(stepped)
  }
}

/** Where the session keeps and shows what happens, also while its table is not visible. */
export interface TableSessionPorts {
  readonly drafts: DraftStorage
  /** Whether all drafts are stored; others are lost with the page. */
  readonly onKept: (isKept: boolean) => void
  /** Whether a deletion is pending, which would be lost with the page. */
  readonly onPending: (isPending: boolean) => void
  /** The table was opened, and another one closed, if there was one. */
  readonly onOpened: (name: string, job: AnyJob) => void
  /** A job of the session started. */
  readonly onBegun: (name: string, job: AnyJob) => void
  /** Rows will be deleted, unless the user undoes it. */
  readonly onOrdered: (id: number, title: string, undo: () => void) => void
  /** A deletion can no longer be undone, or was undone. */
  readonly onClosed: (id: number) => void
  /** A deletion failed while its table is not visible. */
  readonly onUnseen: (failed: Deletion, failure: DataFailure, retry: () => void) => void
}

const LEFT = {
  message: 'You left the page while typing this. Retry to save it, or discard it.',
  retry: false,
}

const lowered = (title: string) => title.charAt(0).toLowerCase() + title.slice(1)

/** Replaces the key of a row that does not exist yet. */
const NEW = 'new'

export class TableSession {
  readonly rows: RowsStore
  readonly edits: EditStore
  readonly deletions: DeletionStore
  readonly history: TableHistory
  readonly #client: ChartroomClient
  readonly #of: TableName
  readonly #ports: TableSessionPorts
  #info: TableInfo | undefined

  /** @param user id of the user; nothing is sent as another one */
  constructor(client: ChartroomClient, user: string, of: TableName, ports: TableSessionPorts) {
    this.#client = client
    this.#of = of
    this.#ports = ports
    const isTheirs = () => userOf(client) === user
    this.rows = new RowsStore(client, job => ports.onOpened(`Rows of ${of.table}`, job))
    this.deletions = new DeletionStore({
      isTheirs,
      onPending: ports.onPending,
      onBegun: (job, rows) => ports.onBegun(`Deletion of ${plural(rows, 'row')} of ${of.table}`, job),
      onLate: ports.onClosed,
      onUnseen: (failed, failure) => ports.onUnseen(failed, failure, () => this.deletions.send(failed.id)),
    })
    this.edits = new EditStore({
      ...of,
      storage: ports.drafts,
      onKept: ports.onKept,
      onBegun: job => ports.onBegun(`Edits of ${of.table}`, job),
      isTheirs,
      isOnline: () => client.status().network === 'online',
      onChange: listener => void client.onStatus(listener),
      loaded: key => this.rows.loaded(key),
      onWritten: written => {
        this.rows.replaced(written.key, written.row)
        this.history.saved(written)
      },
      onOverwrite: overwritten => this.history.overwrote(overwritten),
    })
    this.history = new TableHistory({
      write: this.edits.make,
      order: this.order,
      removeImport: rows => this.#order(rows, `Undoing import: ${lowered(this.#titleOf(rows))}`, true),
      takeBack: id => {
        const isUndoable = this.deletions
          .list()
          .some(deletion => deletion.id === id && deletion.state.at === 'undoable')
        if (isUndoable) this.undo(id)
        return isUndoable
      },
    })
    this.deletions.watch({
      onGone: this.rows.removeRows,
      onEnd: () => this.rows.reload({ kind: 'deletion' }),
    })
  }

  /** Sets the table as known now; edits are checked and sent by it, also after its page closed. */
  know(info: TableInfo): void {
    this.#info = info
    this.rows.know(info)
    const query = { ...this.#of, columns: [], filters: [], sorts: [] }
    const writing = { client: this.#client, query, info }
    this.edits.sendBy(createEditSender(writing))
    this.deletions.sendBy(createDeletionSender(writing))
  }

  /** Keeps input that was unsaved when its page closed: the user decides later. */
  readonly keep = (row: Row, values: Values): void => {
    const key = this.#keyOf(row)
    if (key !== undefined) this.edits.make({ key, row, values, failure: LEFT })
  }

  /** Writes a form's row; a new row when `row` is undefined. */
  readonly write = (row: Row | undefined, values: Values): Promise<EditDecision> =>
    row === undefined
      ? this.edits.write({ key: NEW, row: {}, values }, true)
      : this.edits.write({ key: this.#keyOf(row) ?? '', row, values }, false)

  /** Deletes rows after the undo period, except those that are being deleted. @returns whether there are any */
  readonly deleteRows = (ordered: readonly Row[]): boolean => {
    const rows = new Map(ordered.map(row => [this.#keyOf(row) ?? '', row] as const))
    rows.delete('')
    for (const key of leavingKeys(this.deletions.list())) rows.delete(key)
    if (rows.size === 0) return false
    this.history.deleted(this.#titleOf(rows), rows, this.order(rows))
    return true
  }

  /** Deletes rows after the undo period. @returns the deletion's number */
  readonly order = (rows: ReadonlyMap<string, Row>): number => this.#order(rows, this.#titleOf(rows), false)

  /** Prepares undo of an import that starts now; undefined while added rows could not be identified. */
  readonly importing = () => {
    const info = this.#info
    if (info === undefined || !info.columns.some(({ isKey }) => isKey)) return undefined
    const columns = info.isKnown ? info.columns : []
    return {
      returning: selectOf(columns),
      /** Adds the import to the history; undefined when there is no row to delete. */
      ended: (addedRows: readonly Row[]): ImportEntry | undefined => {
        const exact = addedRows.map(row => exactRow(columns, row))
        const rows = new Map(exact.map(row => [rowKey(info, row) ?? '', row] as const))
        rows.delete('')
        if (rows.size === 0) return undefined
        return this.history.imported(`Import of ${plural(rows.size, 'row')} into ${this.#of.table}`, rows)
      },
    }
  }

  /** Undoes a deletion, or gives up a refused one. */
  readonly undo = (id: number): void => {
    this.#ports.onClosed(id)
    this.deletions.undo(id)
    this.history.forget(id)
  }

  #order(rows: ReadonlyMap<string, Row>, title: string, onlyUnchanged: boolean): number {
    const id = this.deletions.order(rows, onlyUnchanged)
    this.#ports.onOrdered(id, title, () => this.undo(id))
    return id
  }

  #keyOf(row: Row): string | undefined {
    return this.#info && rowKey(this.#info, row)
  }

  #titleOf({ size }: ReadonlyMap<string, Row>): string {
    return `Deleting ${plural(size, 'row')} of ${this.#of.table}`
  }
}
