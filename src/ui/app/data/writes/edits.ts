// Changes of cells that are not in the database yet, as the page of their table sees them; each is a machine.
import type { Cell } from '../cells/cell-text.ts'
import { cellOf } from '../cells/cell-text.ts'
import type { DataFailure } from '../rest-failure.ts'
import type { Column, Row, TableInfo } from '../schema.ts'

/** What was typed, by column. */
export type Values = Readonly<Record<string, Cell>>

export type EditState =
  | { readonly at: 'queued' }
  | { readonly at: 'sending' }
  /** No answer came; it goes again by itself. */
  | { readonly at: 'waiting'; readonly failure: DataFailure }
  /** It can't go as it is. */
  | { readonly at: 'refused'; readonly failure: DataFailure }
  /** Somebody changed the same cells meanwhile, or the row is not there any more. */
  | { readonly at: 'conflicting'; readonly theirs: Row | undefined }

export interface Edit {
  readonly id: number
  /** Of its row. */
  readonly key: string
  /** The row as it was when the edit began. */
  readonly row: Row
  readonly values: Values
  readonly state: EditState
  /** The last request that wrote it, by its id. */
  readonly request: string | undefined
}

/** What came of a write. */
export type EditAnswer =
  /** The row as the server has it since. */
  | { readonly type: 'saved'; readonly row: Row }
  | { readonly type: 'failed'; readonly failure: DataFailure }
  | { readonly type: 'crossed'; readonly theirs: Row | undefined }

/** Oldest first. */
export type Edits = readonly Edit[]

export const NO_EDITS: Edits = []

/** What an edit made of a cell, for its display. */
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

/** What happened to the row meanwhile, seen from an edit that matched nothing. */
export type Crossing = 'gone' | 'same' | 'mine' | 'theirs'

/** `same`: nobody changed the cells, so that something else forbids it. `mine`: it was saved after all. */
export const crossingOf = (
  edit: Pick<Edit, 'row' | 'values'>,
  now: Row | undefined,
  { columns }: TableInfo,
): Crossing => {
  if (now === undefined) return 'gone'
  const edited = columns.filter((column: Column) => Object.hasOwn(edit.values, column.name))
  if (edited.every(column => cellOf(now, column) === edit.values[column.name])) return 'mine'
  return edited.every(column => cellOf(now, column) === cellOf(edit.row, column)) ? 'same' : 'theirs'
}
