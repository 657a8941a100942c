// What is selected: cells by the key of their row and the name of their column, so that rows which come and go move nothing.
import type { Row } from '../schema.ts'
import type { LoadedRow, View } from './view.ts'

/** A cell by its place on the screen; row -1 is the head. */
export interface Place {
  readonly row: number
  readonly column: number
}

/** A cell by what it is. */
export interface CellId {
  /** Undefined in the head, and until the row is loaded. */
  readonly key: string | undefined
  /** Where its row was when the cell was selected. */
  readonly index: number
  readonly column: string
}

export interface Selection {
  readonly cursor: CellId
  /** Where the range began. */
  readonly anchor: CellId
  /** The selected rows by key, as they were when they were selected. Nothing else is ever written. */
  readonly rows: ReadonlyMap<string, Row>
  /** Rows of the range that were not loaded, and are not selected. */
  readonly unloaded: number
  /** Names of the selected columns; all of them, however many come to be shown, for whole rows. */
  readonly columns: ReadonlySet<string> | 'all'
  /** False while the cursor is where it was put for a start: at the top, whatever row comes there. */
  readonly isPlaced: boolean
}

const ORIGIN: CellId = { key: undefined, index: 0, column: '' }
const NO_COLUMNS: ReadonlySet<string> = new Set()

/** Before anything was selected. */
export const START: Selection = {
  cursor: ORIGIN,
  anchor: ORIGIN,
  rows: new Map(),
  unloaded: 0,
  columns: NO_COLUMNS,
  isPlaced: false,
}

const clamp = (value: number, low: number, high: number) => Math.max(low, Math.min(high, value))

const columnIndex = ({ columns }: View, name: string): number => Math.max(0, columns.indexOf(name))

const idAt = ({ rows, columns }: View, { row, column }: Place): CellId => ({
  key: rows.at(row)?.key,
  index: row,
  column: columns[column] ?? '',
})

/** Where a cell is now; undefined once its row is not among those that are loaded. */
export const placeOf = (view: View, { key, index, column }: CellId): Place | undefined => {
  const row = key === undefined ? index : view.rows.withKey(key)?.index
  return row === undefined ? undefined : { row, column: columnIndex(view, column) }
}

/** The cursor's place; undefined while its row is not loaded any more. */
export const cursorPlace = (view: View, { cursor }: Selection): Place | undefined => placeOf(view, cursor)

/** From an anchor to the cursor. */
export const selectRange = (view: View, anchor: Place, cursor: Place, isWhole = false): Selection => {
  const top = Math.max(0, Math.min(anchor.row, cursor.row))
  const bottom = Math.min(view.count - 1, Math.max(anchor.row, cursor.row))
  const found = view.rows.between(top, bottom)
  const [left, right] = [Math.min(anchor.column, cursor.column), Math.max(anchor.column, cursor.column)]
  return {
    cursor: idAt(view, cursor),
    anchor: idAt(view, anchor),
    rows: new Map(found.map(({ key, row }) => [key, row])),
    unloaded: Math.max(0, bottom - top + 1) - found.length,
    columns: isWhole ? 'all' : new Set(view.columns.slice(left, right + 1)),
    isPlaced: true,
  }
}

/** A single cell. */
export const selectCell = (view: View, place: Place): Selection => selectRange(view, place, place)

/** A single cell of a row that need not be loaded. */
export const selectKey = (view: View, key: string, row: Row, column: string): Selection => {
  const index = view.rows.withKey(key)?.index ?? 0
  const cell: CellId = { key, index, column }
  return {
    ...START,
    cursor: cell,
    anchor: cell,
    rows: new Map([[key, row]]),
    columns: new Set([column]),
    isPlaced: true,
  }
}

/** From where the range began to a place; from the place itself where that beginning is not loaded any more. */
export const extendTo = (
  view: View,
  selection: Selection,
  place: Place,
  isWhole = selection.columns === 'all',
): Selection => {
  const anchor = placeOf(view, selection.anchor)
  return selectRange(view, anchor === undefined || anchor.row < 0 ? place : anchor, place, isWhole)
}

/** The row at a place, with all of its columns. */
export const selectRow = (view: View, place: Place): Selection => selectRange(view, place, place, true)

/** All rows that are loaded; the cursor stays where it is. */
export const selectAll = (view: View, selection: Selection): Selection => {
  const all = selectRange(view, { row: 0, column: 0 }, { row: view.count - 1, column: 0 }, true)
  const cursor = idAt(view, cursorPlace(view, selection) ?? { row: 0, column: 0 })
  return { ...all, cursor, anchor: cursor }
}

/** The cell of the cursor alone, wherever its row is. */
export const collapse = (view: View, selection: Selection): Selection => {
  const place = cursorPlace(view, selection)
  if (place !== undefined) return selectCell(view, place)
  // A range that is extended from here starts at the clicked row, not at the top.
  return { ...START, cursor: { ...selection.cursor, key: undefined }, anchor: selection.cursor }
}

/** A cursor that was put on a row before the row was loaded is on that row once it is. */
export const settle = (view: View, selection: Selection): Selection => {
  const { cursor, anchor, rows, unloaded, isPlaced } = selection
  if (!isPlaced || cursor.key !== undefined || cursor.index < 0) return selection
  const loaded = view.rows.at(cursor.index)
  if (loaded === undefined) return selection
  const here = { ...cursor, key: loaded.key }
  // Rows of a range that were not loaded when it was made stay out of it.
  if (rows.size + unloaded > 1) return { ...selection, cursor: here }
  return {
    ...selection,
    cursor: here,
    anchor: { ...anchor, key: here.key },
    rows: new Map([[loaded.key, loaded.row]]),
    unloaded: 0,
  }
}

export interface SelectedRows {
  /** In the order of the grid, as they are now. */
  readonly loaded: readonly LoadedRow[]
  /** Those that are not among the loaded rows any more: moved, deleted or filtered out; as they were. */
  readonly away: readonly Omit<LoadedRow, 'index'>[]
}

export const selectedRows = (view: View, { rows }: Selection): SelectedRows => {
  const loaded: LoadedRow[] = []
  const away: Omit<LoadedRow, 'index'>[] = []
  for (const [key, row] of rows) {
    const found = view.rows.withKey(key)
    if (found === undefined) away.push({ key, row })
    else loaded.push(found)
  }
  return { loaded: loaded.sort((a, b) => a.index - b.index), away }
}

/** The row of the cursor, also when it is not loaded any more. */
export const cursorRow = (view: View, { cursor, rows, isPlaced }: Selection): Row | undefined => {
  if (cursor.key === undefined) return isPlaced ? undefined : view.rows.at(Math.max(0, cursor.index))?.row
  return view.rows.withKey(cursor.key)?.row ?? rows.get(cursor.key)
}

/** Names of the selected columns that are on show, in their order. */
export const columnsIn = (view: View, { columns }: Selection): readonly string[] =>
  columns === 'all' ? view.columns : view.columns.filter(name => columns.has(name))

/** One cell and no more. */
export const isSingle = ({ rows, unloaded, columns }: Selection): boolean =>
  rows.size + unloaded <= 1 && columns !== 'all' && columns.size <= 1

/** Whether more than cells of one row is selected, or a whole one. */
export const hasRows = ({ rows, unloaded, columns }: Selection): boolean =>
  rows.size + unloaded > 1 || (columns === 'all' && rows.size > 0)

/** Where a key leads from a place; -1 is the head. */
export type Step = 'up' | 'down' | 'left' | 'right' | 'page-up' | 'page-down'

/** By one, or with `toEnd` as far as it goes. */
export const stepFrom = (
  view: View,
  { row, column }: Place,
  step: Step,
  toEnd: boolean,
  page: number,
): Place => {
  const [last, end] = [view.count - 1, view.columns.length - 1]
  switch (step) {
    case 'up':
      return { row: toEnd ? 0 : row - 1, column }
    case 'down':
      return { row: toEnd ? last : row + 1, column }
    case 'left':
      return { row, column: toEnd ? 0 : column - 1 }
    case 'right':
      return { row, column: toEnd ? end : column + 1 }
    case 'page-up':
      return { row: Math.max(0, row - page), column }
    case 'page-down':
      return { row: row + page, column }
  }
}

/** Where the cursor is, or was when its row left. */
export const startOf = (view: View, selection: Selection): Place =>
  cursorPlace(view, selection) ?? {
    row: clamp(selection.cursor.index, 0, Math.max(0, view.count - 1)),
    column: columnIndex(view, selection.cursor.column),
  }

/** The selection after the cursor went to a place, which is made one of the grid; extended, it never reaches the head. */
export const goTo = (view: View, selection: Selection, place: Place, extends_: boolean): Selection => {
  const first = extends_ ? 0 : -1
  const cursor = {
    row: clamp(place.row, first, Math.max(first, view.count - 1)),
    column: clamp(place.column, 0, Math.max(0, view.columns.length - 1)),
  }
  return extends_ ? extendTo(view, selection, cursor) : selectCell(view, cursor)
}

/** To the next cell after an edit: Enter goes down, Tab to the right and then on to the next row. */
export const afterEdit = (view: View, from: Place, key: 'Enter' | 'Tab', back: boolean): Selection => {
  const by = back ? -1 : 1
  const width = view.columns.length
  if (key === 'Enter')
    return selectCell(view, { ...from, row: clamp(from.row + by, 0, Math.max(0, view.count - 1)) })
  const flat = clamp(from.row * width + from.column + by, 0, Math.max(0, view.count * width - 1))
  return selectCell(view, { row: Math.floor(flat / width), column: flat % width })
}
