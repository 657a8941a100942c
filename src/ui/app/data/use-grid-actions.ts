// The grid's actions on user input.
import { useCallback, useMemo, useRef, useEffect } from 'react'
import { useLeft } from '../hooks.ts'
import {
  type Cell,
  type Row,
  selectCell,
  type Selection,
  startOf,
} from '../../../services/workbench/table/index.ts'
import {
  beginEdit,
  clear,
  deleteRows,
  deleteSelected,
  endEdit,
  paste,
  type CommandState,
} from './grid-commands.ts'
import type { GridActions } from './grid/grid-types.ts'
import { toggledSorts, type TableModel } from './use-table.ts'

export interface GridState extends CommandState {
  readonly table: TableModel
  readonly setSelection: (selection: Selection | ((now: Selection) => Selection)) => void
  readonly editRow: (row: Row) => void
  /** Opens the inline draft row. */
  readonly insertRow: () => void
}

/** Keeps unsaved input when the table unmounts; returns a setter for the current input. */
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

/** Stable functions, so that rows do not render again. */
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
      place: () => {
        const { view } = latest.current
        setSelection(now => (now.isPlaced ? now : selectCell(view, startOf(view, now))))
      },
      sort,
      edit: (place, typed) => beginEdit(latest.current, place, typed),
      cancel: () => setEditing(undefined),
      commit: (cell, after, also) => endEdit(latest.current, cell, after, also),
      type,
      paste: cells => paste(latest.current, cells),
      clear: (verb = 'Cleared') => clear(latest.current, verb),
      undo: () => latest.current.table.changes.undo(),
      redo: () => latest.current.table.changes.redo(),
      deleteRows: () => deleteSelected(latest.current),
      insertRow: () => latest.current.insertRow(),
      openRow: () => latest.current.openRow(),
      editRow: row => latest.current.editRow(row),
      deleteRow: row => deleteRows(latest.current, [row]),
      look,
      resize: (name, width) => change({ type: 'column.sized', name, width }),
      move: (name, to) => change({ type: 'column.moved', name, to }),
    }),
    [setSelection, setEditing, type, sort, look, change],
  )
}
