// Cell changes that are not in the database yet, as the table's page sees them; each is a machine.
import { type Cell, cellOf } from '../cells/cell-text.ts'
import type { DataFailure } from '../../rest/explain-failure.ts'
import type { Column, Row, TableInfo } from '../schema.ts'

/** Input by column. */
export type Values = Readonly<Record<string, Cell>>

export type EditState =
  | { readonly at: 'queued' }
  | { readonly at: 'sending' }
  /** No response; retries automatically. */
  | { readonly at: 'backingOff'; readonly failure: DataFailure }
  /** It cannot be sent. */
  | { readonly at: 'refused'; readonly failure: DataFailure }
  /** Another user changed the same cells, or the row no longer exists. */
  | { readonly at: 'conflict'; readonly theirs: Row | undefined }

export interface Edit {
  readonly id: number
  /** Key of its row. */
  readonly key: string
  /** The row when the edit began. */
  readonly row: Row
  readonly values: Values
  readonly state: EditState
  /** Id of the last request that wrote it. */
  readonly request: string | undefined
}

/** The result of a write. */
export type EditDecision =
  /** The row as saved by the server. */
  | { readonly type: 'saved'; readonly row: Row }
  | { readonly type: 'failed'; readonly failure: DataFailure }
  | { readonly type: 'conflict'; readonly theirs: Row | undefined }

/** Oldest first. */
export type Edits = readonly Edit[]

export const NO_EDITS: Edits = []

/** A cell's edited value, for display. */
export interface EditedCell {
  readonly cell: Cell
  readonly edit: Edit
}

/** The edited cells of each row; a later edit covers an earlier one. */
export const editedCells = (edits: Edits): ReadonlyMap<string, ReadonlyMap<string, EditedCell>> => {
  const rows = new Map<string, Map<string, EditedCell>>()
  for (const edit of edits) {
    const cells = rows.get(edit.key) ?? new Map<string, EditedCell>()
    for (const [name, cell] of Object.entries(edit.values)) cells.set(name, { cell, edit })
    rows.set(edit.key, cells)
  }
  return rows
}

/** How the row changed since, for an edit that matched no row. */
export type ConflictKind = 'gone' | 'same' | 'mine' | 'theirs'

/** `same`: the cells are unchanged, so something else forbids the write. `mine`: it was saved after all. */
export const conflictKindOf = (
  edit: Pick<Edit, 'row' | 'values'>,
  now: Row | undefined,
  { columns }: TableInfo,
): ConflictKind => {
  if (now === undefined) return 'gone'
  const edited = columns.filter((column: Column) => Object.hasOwn(edit.values, column.name))
  if (edited.every(column => cellOf(now, column) === edit.values[column.name])) return 'mine'
  return edited.every(column => cellOf(now, column) === cellOf(edit.row, column)) ? 'same' : 'theirs'
}
