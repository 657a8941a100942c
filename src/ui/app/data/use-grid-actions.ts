// What the grid does when somebody acts on it.
import { useCallback, useMemo, useRef, useEffect } from 'react'
import { useLeft } from '../hooks.ts'
import { emptyNamed } from '../named.ts'
import type { Cell } from './cells/cell-text.ts'
import type { AfterEdit, Editing, GridActions } from './grid/grid-types.ts'
import {
  afterEdit,
  at,
  blockOf,
  isSingle,
  type Extent,
  type Place,
  type Selection,
} from './grid/selection.ts'
import { rowKey, type Row } from './schema.ts'
import { toggledSorts, type TableModel } from './use-table.ts'
import type { Values } from './writes/edits.ts'

export interface GridState {
  readonly table: TableModel
  readonly selection: Selection
  readonly editing: Editing | undefined
  readonly extent: Extent
  readonly rowAt: (index: number) => Row | undefined
  readonly setSelection: (selection: Selection) => void
  readonly setEditing: (editing: Editing | undefined) => void
  readonly openRow: (index: number) => void
  readonly editRow: (row: Row) => void
  /** Opens a row to be written in the grid. */
  readonly insertRow: () => void
}

const beginEdit = (state: GridState, place: Place, typed?: string) => {
  const { table, rowAt, setEditing, setSelection, openRow } = state
  const row = rowAt(place.row)
  const column = table.layout.laid[place.column]?.column
  const key = row && rowKey(table.pages.info, row)
  if (row === undefined || column === undefined || key === undefined) return
  const isFixed = table.readOnly !== undefined || !table.pages.info.rights.update || column.made !== undefined
  if (isFixed || table.deletions.leaving.has(key)) return typed === undefined ? openRow(place.row) : undefined
  setSelection(at(place))
  setEditing({ place, row, key, column: column.name, ...(typed === undefined ? {} : { typed }) })
}

const MOVES: Readonly<Record<Exclude<AfterEdit, 'stay'>, readonly ['Enter' | 'Tab', boolean]>> = {
  down: ['Enter', false],
  up: ['Enter', true],
  right: ['Tab', false],
  left: ['Tab', true],
}

const endEdit = (state: GridState, cell: Cell, after: AfterEdit, also: Values = {}) => {
  const { editing, table, selection, extent, setEditing, setSelection } = state
  if (editing === undefined) return
  setEditing(undefined)
  const shown = table.edits.cells.get(editing.key)?.get(editing.column)
  const before = shown === undefined ? (table.edits.latest(editing.row)[editing.column] ?? null) : shown.cell
  if (cell !== before || shown !== undefined || Object.keys(also).length > 0)
    table.edits.edit(editing.row, { ...also, [editing.column]: cell })
  if (after !== 'stay') setSelection(afterEdit(selection.cursor, ...MOVES[after], extent))
}

/** The rows of the chosen block that were read. */
export const chosenRows = ({
  selection,
  extent,
  rowAt,
}: Pick<GridState, 'selection' | 'extent' | 'rowAt'>): readonly Row[] => {
  const block = blockOf(selection, extent)
  if (block === undefined) return []
  const rows: Row[] = []
  for (let index = block.top; index <= Math.min(block.bottom, block.top + 9_999); index += 1) {
    const row = rowAt(index)
    if (row !== undefined) rows.push(row)
  }
  return rows
}

const writable = ({ table }: GridState) => table.readOnly === undefined && table.pages.info.rights.update

/** A single value fills the block; several are put down from its corner on. */
const paste = (state: GridState, cells: readonly (readonly Cell[])[]) => {
  const { table, selection, extent, rowAt } = state
  const block = blockOf(selection, extent)
  if (block === undefined || !writable(state)) return
  const only = cells.length === 1 && cells[0]?.length === 1
  const fills = only && !isSingle(selection)
  const [height, width] = fills
    ? [block.bottom - block.top + 1, block.right - block.left + 1]
    : [cells.length, Math.max(...cells.map(row => row.length))]
  for (let down = 0; down < height; down += 1) {
    const row = rowAt(block.top + down)
    const values = emptyNamed<Cell>()
    for (let right = 0; right < width; right += 1) {
      const column = table.layout.laid[block.left + right]?.column
      const cell = fills ? cells[0]?.[0] : cells[down]?.[right]
      if (column?.made === undefined && column !== undefined && cell !== undefined)
        values[column.name] = cell === '' && column.type !== 'text' ? null : cell
    }
    if (row !== undefined && Object.keys(values).length > 0) table.edits.edit(row, values)
  }
}

/** Null where it is allowed, else an empty text. */
const clear = (state: GridState) => {
  const { table, selection, extent } = state
  const block = blockOf(selection, extent)
  if (block === undefined || !writable(state)) return
  const columns = table.layout.laid.slice(block.left, block.right + 1).map(({ column }) => column)
  for (const row of chosenRows(state)) {
    const values: Values = Object.fromEntries(
      columns
        .filter(
          column =>
            !column.isKey && column.made === undefined && (!column.required || column.type === 'text'),
        )
        .map(column => [column.name, column.required ? '' : null]),
    )
    if (Object.keys(values).length > 0) table.edits.edit(row, values)
  }
}

const deleteRows = (state: GridState, rows: readonly Row[]) => {
  const { table } = state
  if (table.readOnly === undefined && table.pages.info.rights.delete) table.deletions.order(rows)
}

/** What is being typed when the table goes away is kept; gives how to tell what that is. */
const useTyping = ({ editing, table }: GridState) => {
  const typed = useRef<Cell>(undefined)
  useEffect(() => {
    typed.current = editing?.typed
  }, [editing])
  useLeft(() => {
    if (editing === undefined || typed.current === undefined) return
    const { row, column } = editing
    if (typed.current !== (row[column] ?? null)) table.edits.keep(row, { [column]: typed.current })
  })
  return useCallback((cell: Cell) => {
    typed.current = cell
  }, [])
}

/** They stay the same functions, so that rows are not drawn again for them. */
export const useGridActions = (state: GridState): GridActions => {
  const latest = useRef(state)
  useEffect(() => {
    latest.current = state
  })
  const { look } = state.table.pages
  const { change } = state.table.layout
  const { setSelection, setEditing } = state
  const type = useTyping(state)
  const sort = useCallback((column: string, isAdded: boolean) => {
    const { table } = latest.current
    table.sortBy(
      toggledSorts(
        isAdded ? table.sorts : table.sorts.filter(each => each.column === column),
        column,
        isAdded,
      ),
    )
  }, [])
  return useMemo(
    () => ({
      select: setSelection,
      sort,
      edit: (place, typed) => beginEdit(latest.current, place, typed),
      cancel: () => setEditing(undefined),
      commit: (cell, after, also) => endEdit(latest.current, cell, after, also),
      type,
      paste: cells => paste(latest.current, cells),
      clear: () => clear(latest.current),
      deleteRows: () => deleteRows(latest.current, chosenRows(latest.current)),
      insertRow: () => latest.current.insertRow(),
      openRow: index => latest.current.openRow(index),
      editRow: row => latest.current.editRow(row),
      deleteRow: row => deleteRows(latest.current, [row]),
      look,
      resize: (name, width) => change({ type: 'column.sized', name, width }),
      move: (name, to) => change({ type: 'column.moved', name, to }),
    }),
    [setSelection, setEditing, type, sort, look, change],
  )
}
