// The selection: cells by row key and column name, so that inserted and deleted rows do not move it.
import type { Row } from './schema.ts'
import type { LoadedRow, View } from './pages.ts'

/** A cell by screen position; row -1 is the header. */
export interface Place {
  readonly row: number
  readonly column: number
}

/** A cell by identity. */
export interface CellId {
  /** Undefined in the header, and until the row is loaded. */
  readonly key: string | undefined
  /** The row's index when the cell was selected. */
  readonly index: number
  readonly column: string
}

export interface Selection {
  readonly cursor: CellId
  /** Where the range began. */
  readonly anchor: CellId
  /** The selected rows by key, as loaded when selected. Only these are ever written. */
  readonly rows: ReadonlyMap<string, Row>
  /** Rows of the range that were not loaded, and are not selected. */
  readonly unloaded: number
  /** Names of the selected columns; `all` for whole rows, including columns shown later. */
  readonly columns: ReadonlySet<string> | 'all'
  /** False while the cursor is at its initial position: it stays at the top when rows arrive. */
  readonly isPlaced: boolean
}

const ORIGIN: CellId = { key: undefined, index: 0, column: '' }
const NO_COLUMNS: ReadonlySet<string> = new Set()

/** The initial selection. */
export const INITIAL_SELECTION: Selection = {
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

/** A cell's current position; undefined when its row is no longer loaded. */
export const placeOf = (view: View, { key, index, column }: CellId): Place | undefined => {
  const row = key === undefined ? index : view.rows.withKey(key)?.index
  return row === undefined ? undefined : { row, column: columnIndex(view, column) }
}

/** The cursor's position; undefined while its row is not loaded. */
export const cursorPlace = (view: View, { cursor }: Selection): Place | undefined => placeOf(view, cursor)

/** Selects from an anchor to the cursor. */
export const selectRange = (view: View, anchor: Place, cursor: Place, isWhole = false): Selection => {
  const top = Math.max(0, Math.min(anchor.row, cursor.row))
  const bottom = Math.min(view.count - 1, Math.max(anchor.row, cursor.row))
  const rows = view.rows.between(top, bottom)
  const [left, right] = [Math.min(anchor.column, cursor.column), Math.max(anchor.column, cursor.column)]
  return {
    cursor: idAt(view, cursor),
    anchor: idAt(view, anchor),
    rows: new Map(rows.map(({ key, row }) => [key, row])),
    unloaded: Math.max(0, bottom - top + 1) - rows.length,
    columns: isWhole ? 'all' : new Set(view.columns.slice(left, right + 1)),
    isPlaced: true,
  }
}

/** Selects a single cell. */
export const selectCell = (view: View, place: Place): Selection => selectRange(view, place, place)

/** Selects a single cell of a row that may not be loaded. */
export const selectKey = (view: View, key: string, row: Row, column: string): Selection => {
  const index = view.rows.withKey(key)?.index ?? 0
  const cell: CellId = { key, index, column }
  return {
    ...INITIAL_SELECTION,
    cursor: cell,
    anchor: cell,
    rows: new Map([[key, row]]),
    columns: new Set([column]),
    isPlaced: true,
  }
}

/** Extends the range to a place; starts at the place itself when the anchor is no longer loaded. */
export const extendTo = (
  view: View,
  selection: Selection,
  place: Place,
  isWhole = selection.columns === 'all',
): Selection => {
  const anchor = placeOf(view, selection.anchor)
  return selectRange(view, anchor === undefined || anchor.row < 0 ? place : anchor, place, isWhole)
}

/** Selects the row at a place with all its columns. */
export const selectRow = (view: View, place: Place): Selection => selectRange(view, place, place, true)

/** Selects all loaded rows; the cursor does not move. */
export const selectAll = (view: View, selection: Selection): Selection => {
  const all = selectRange(view, { row: 0, column: 0 }, { row: view.count - 1, column: 0 }, true)
  const cursor = idAt(view, cursorPlace(view, selection) ?? { row: 0, column: 0 })
  return { ...all, cursor, anchor: cursor }
}

/** Selects only the cursor's cell, even if its row is not loaded. */
export const collapse = (view: View, selection: Selection): Selection => {
  const place = cursorPlace(view, selection)
  if (place !== undefined) return selectCell(view, place)
  // A range that is extended from here starts at the clicked row, not at the top.
  return { ...INITIAL_SELECTION, cursor: { ...selection.cursor, key: undefined }, anchor: selection.cursor }
}

/** Binds a cursor that was placed before its row loaded to that row. */
export const settle = (view: View, selection: Selection): Selection => {
  const { cursor, anchor, rows, unloaded, isPlaced } = selection
  if (!isPlaced || cursor.key !== undefined || cursor.index < 0) return selection
  const loaded = view.rows.at(cursor.index)
  if (loaded === undefined) return selection
  const here = { ...cursor, key: loaded.key }
  // Rows that were not loaded when the range was made stay unselected.
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
  /** In grid order, current versions. */
  readonly loaded: readonly LoadedRow[]
  /** Rows that are no longer loaded (moved, deleted or filtered out), as last known. */
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

/** The cursor's row, even when it is no longer loaded. */
export const cursorRow = (view: View, { cursor, rows, isPlaced }: Selection): Row | undefined => {
  if (cursor.key === undefined) return isPlaced ? undefined : view.rows.at(Math.max(0, cursor.index))?.row
  return view.rows.withKey(cursor.key)?.row ?? rows.get(cursor.key)
}

/** Names of the selected and visible columns, in order. */
export const columnsIn = (view: View, { columns }: Selection): readonly string[] =>
  columns === 'all' ? view.columns : view.columns.filter(name => columns.has(name))

/** Whether exactly one cell is selected. */
export const isSingle = ({ rows, unloaded, columns }: Selection): boolean =>
  rows.size + unloaded <= 1 && columns !== 'all' && columns.size <= 1

/** Whether the selection spans several rows or a whole row. */
export const hasRows = ({ rows, unloaded, columns }: Selection): boolean =>
  rows.size + unloaded > 1 || (columns === 'all' && rows.size > 0)

/** Direction of a key; -1 is the header. */
export type SelectionMove = 'up' | 'down' | 'left' | 'right' | 'page-up' | 'page-down'

/** Moves by one, or with `toEnd` to the edge. */
export const stepFrom = (
  view: View,
  { row, column }: Place,
  step: SelectionMove,
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

/** The cursor's position, or its last one when its row left. */
export const startOf = (view: View, selection: Selection): Place =>
  cursorPlace(view, selection) ?? {
    row: clamp(selection.cursor.index, 0, Math.max(0, view.count - 1)),
    column: columnIndex(view, selection.cursor.column),
  }

/** Moves the cursor to a place, clamped to the grid; an extended selection never reaches the header. */
export const goTo = (view: View, selection: Selection, place: Place, extends_: boolean): Selection => {
  const first = extends_ ? 0 : -1
  const cursor = {
    row: clamp(place.row, first, Math.max(first, view.count - 1)),
    column: clamp(place.column, 0, Math.max(0, view.columns.length - 1)),
  }
  return extends_ ? extendTo(view, selection, cursor) : selectCell(view, cursor)
}

/** The next cell after an edit: Enter moves down; Tab moves right, then to the next row. */
export const afterEdit = (view: View, from: Place, key: 'Enter' | 'Tab', isBackward: boolean): Selection => {
  const by = isBackward ? -1 : 1
  const width = view.columns.length
  if (key === 'Enter')
    return selectCell(view, { ...from, row: clamp(from.row + by, 0, Math.max(0, view.count - 1)) })
  const flat = clamp(from.row * width + from.column + by, 0, Math.max(0, view.count * width - 1))
  return selectCell(view, { row: Math.floor(flat / width), column: flat % width })
}
