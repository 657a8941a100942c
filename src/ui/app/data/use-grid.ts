// The state and the commands of the grid that shows a table: selection, edited cell, clipboard, deletion.
import { type Dispatch, type SetStateAction, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useLeft } from '../hooks.ts'
import {
  afterEdit,
  type Cell,
  type Column,
  cellOf,
  collapse,
  columnsIn,
  type EditedCell,
  type ForeignKey,
  fixedReason,
  hasRows,
  INITIAL_SELECTION,
  type LaidColumn,
  loadedRows,
  type Place,
  type Plan,
  planClear,
  type PlanContext,
  planPaste,
  planSet,
  type Row,
  type RowChange,
  rowCount,
  selectCell,
  selectedRows,
  type Selection,
  selectRange,
  settle,
  startOf,
  type TableInfo,
  unsortedReason,
  type Values,
  type View,
  widthFor,
} from '../../../services/workbench/table/index.ts'
import { shownValue } from './grid/grid-rows.tsx'
import type { GridActions, AfterEdit, Editing } from './grid/grid-types.ts'
import { toggledSorts, type TableModel } from './use-table.ts'

/** What the commands need from a table. */
export interface CommandTable {
  /** Why the table is read-only; undefined when it can be changed. */
  readonly readOnly: string | undefined
  readonly pages: { readonly info: TableInfo }
  readonly layout: { readonly laid: readonly LaidColumn[] }
  readonly edits: {
    readonly cells: ReadonlyMap<string, ReadonlyMap<string, EditedCell>>
    readonly latest: (row: Row) => Row
    readonly retry: (id: number) => void
  }
  readonly deletions: {
    readonly leaving: ReadonlySet<string>
    readonly order: (rows: readonly Row[]) => void
  }
  readonly changes: {
    readonly run: (plan: Pick<Plan, 'title' | 'changes' | 'skipped'>) => void
    readonly change: (title: string, changes: readonly RowChange[]) => void
    readonly skip: (reason: string) => void
  }
}

export interface CommandState {
  readonly table: CommandTable
  readonly view: View
  readonly selection: Selection
  readonly editing: Editing | undefined
  readonly setSelection: (selection: Selection) => void
  readonly setEditing: (editing: Editing | undefined) => void
  readonly openRow: () => void
}

const columnsOf = ({ layout }: CommandTable) => layout.laid.map(({ column }) => column)

/** The context for planning changes. */
export const planContext = ({
  table,
  view,
  selection,
}: Pick<CommandState, 'table' | 'view' | 'selection'>): PlanContext => ({
  view,
  selection,
  columns: columnsOf(table),
  leaving: table.deletions.leaving,
  shownCell: ({ key, row }, column) => {
    const change = table.edits.cells.get(key)?.get(column.name)
    return change === undefined ? cellOf(table.edits.latest(row), column) : change.cell
  },
})

/** Why no cell of the column can be changed; undefined when it can. */
const readOnlyCell = ({ table }: CommandState, column: Column): string | undefined => {
  const fixed = fixedReason(column)
  if (fixed !== undefined) return `${column.name} is read-only: ${fixed}.`
  if (table.readOnly !== undefined) return `The rows are read-only. ${table.readOnly}`
  return table.pages.info.rights.update ? undefined : 'Your role may not change rows of this table.'
}

export const beginEdit = (state: CommandState, place: Place, typed?: string) => {
  const { table, view, setEditing, setSelection, openRow } = state
  const loaded = view.rows.at(place.row)
  const column = table.layout.laid[place.column]?.column
  if (loaded === undefined || column === undefined) return
  const { key, row } = loaded
  const reason = readOnlyCell(state, column)
  if (table.deletions.leaving.has(key) && reason === undefined)
    return typed === undefined ? openRow() : undefined
  // The details name the reason, too.
  if (reason !== undefined) return typed === undefined ? openRow() : table.changes.skip(reason)
  setSelection(selectCell(view, place))
  setEditing({ place, row, key, column: column.name, ...(typed === undefined ? {} : { typed }) })
}

const MOVES: Readonly<Record<Exclude<AfterEdit, 'stay'>, readonly ['Enter' | 'Tab', boolean]>> = {
  down: ['Enter', false],
  up: ['Enter', true],
  right: ['Tab', false],
  left: ['Tab', true],
}

export const endEdit = (state: CommandState, cell: Cell, after: AfterEdit, also: Values = {}) => {
  const { editing, table, view, selection, setEditing, setSelection } = state
  if (editing === undefined) return
  setEditing(undefined)
  const context = { ...planContext(state), columns: table.pages.info.columns }
  const changes = planSet(context, [editing], { ...also, [editing.column]: cell })
  if (changes.length > 0) table.changes.change(`Changed ${editing.column}`, changes)
  else {
    // Saving the same value again retries a failed edit.
    const edit = table.edits.cells.get(editing.key)?.get(editing.column)?.edit
    if (edit?.state.at === 'refused' || edit?.state.at === 'backingOff') table.edits.retry(edit.id)
  }
  if (after !== 'stay') setSelection(afterEdit(view, startOf(view, selection), ...MOVES[after]))
}

const canUpdate = ({ table }: CommandState) => table.readOnly === undefined && table.pages.info.rights.update

export const paste = (state: CommandState, cells: readonly (readonly Cell[])[]) => {
  const { table, view, selection, setSelection } = state
  if (!canUpdate(state)) return
  if (selection.rows.size === 0) return table.changes.skip(NO_CELL)
  const context = planContext(state)
  const plan = planPaste(context, cells)
  table.changes.run(plan)
  const [first, last] = [plan.rows[0], plan.rows.at(-1)]
  if (selection.rows.size !== 1 || first === undefined || last === undefined || last === first) return
  const left = view.columns.indexOf(columnsIn(view, selection)[0] ?? '')
  const right = Math.min(view.columns.length, left + Math.max(...cells.map(row => row.length))) - 1
  // Select the rows that were written.
  setSelection(selectRange(view, { row: last.index, column: right }, { row: first.index, column: left }))
}

const NO_CELL = 'No cell is selected.'
const AWAY = 'The selected row is no longer loaded.'

export const clear = (state: CommandState, verb: 'Cleared' | 'Cut') => {
  if (!canUpdate(state)) return
  if (state.selection.rows.size === 0) state.table.changes.skip(NO_CELL)
  else state.table.changes.run(planClear(planContext(state), verb))
}

const deleteRows = ({ table }: CommandState, rows: readonly Row[]) => {
  if (table.readOnly === undefined && table.pages.info.rights.delete) table.deletions.order(rows)
}

/**
 * All selected rows: current versions, and the last known versions of rows that are no longer loaded. The bar
 * counts those; the row of a single cell counts only while it is loaded.
 */
export const allSelected = ({
  view,
  selection,
}: Pick<CommandState, 'view' | 'selection'>): readonly Row[] => {
  const { loaded, away } = selectedRows(view, selection)
  return [...loaded, ...(hasRows(selection) ? away : [])].map(({ row }) => row)
}

export const deleteSelected = (state: CommandState) => {
  const { view, selection, setSelection } = state
  const rows = allSelected(state)
  if (rows.length > 0) {
    deleteRows(state, rows)
    // Otherwise deleted rows would count as selected rows that left.
    setSelection(collapse(view, selection))
  } else state.table.changes.skip(selection.rows.size === 0 ? NO_CELL : AWAY)
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

interface GridState extends CommandState {
  readonly table: TableModel
  readonly setSelection: Dispatch<SetStateAction<Selection>>
  readonly editRow: (row: Row) => void
  /** Opens the inline draft row. */
  readonly insertRow: () => void
}

/** Stable functions, so that rows do not render again. */
const useGridActions = (state: GridState): GridActions => {
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
    const reason = unsortedReason(columnsOf(table).find(({ name }) => name === column) ?? {})
    if (reason !== undefined) return table.changes.skip(`${reason}.`)
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
      fit: name => {
        const { table, view } = latest.current
        const column = columnsOf(table).find(each => each.name === name)
        if (column === undefined) return
        const loaded = view.rows.between(0, view.count - 1)
        const texts = loaded.map(({ row }) => shownValue({ column, value: row[name], me: undefined }).text)
        change({ type: 'column.sized', name, width: widthFor(column, texts) })
      },
      move: (name, to) => change({ type: 'column.moved', name, to }),
    }),
    [setSelection, setEditing, type, sort, look, change],
  )
}

/** The open form of a row. */
export type RowForm =
  /** `from`: the row to duplicate. */
  { readonly kind: 'new'; readonly from?: Row } | { readonly kind: 'edit'; readonly row: Row }

/** Inline rows need existing rows below them: in an empty table the form is used. */
export const canInsert = ({ pages: { info, state } }: TableModel) =>
  info.rights.insert && info.columns.length > 0 && rowCount(state) > 0

/** The selection, the edited cell and the commands of the grid that shows a table. */
export const useGrid = (table: TableModel, openForm: (form: RowForm) => void) => {
  const [inserts, setInserts] = useState(false)
  const [details, setDetails] = useState(false)
  const [asked, askFilter] = useState<string>()
  const [relatedKey, showRelated] = useState<ForeignKey>()
  const [kept, setSelection] = useState<Selection>(INITIAL_SELECTION)
  const [editing, setEditing] = useState<Editing>()
  const element = useRef<HTMLDivElement>(null)
  const { state, info } = table.pages
  const { rows: pageRows, stale } = state
  const { laid } = table.layout
  const rows = useMemo(() => loadedRows(info, { rows: pageRows, stale }), [info, pageRows, stale])
  const count = rowCount(state)
  const view = useMemo(
    (): View => ({ count, rows, columns: laid.map(({ column }) => column.name) }),
    [count, rows, laid],
  )
  const selection = settle(view, kept)
  if (selection !== kept) setSelection(selection)
  const actions = useGridActions({
    table,
    selection,
    editing,
    view,
    setSelection,
    setEditing,
    openRow: () => setDetails(true),
    editRow: row => openForm({ kind: 'edit', row }),
    insertRow: () => (canInsert(table) ? setInserts(true) : undefined),
  })
  return {
    selection,
    setSelection,
    editing,
    view,
    element,
    /** Returns focus to the cells. */
    focus: () => element.current?.focus({ preventScroll: true }),
    actions,
    details,
    setDetails,
    duplicate: (from: Row) => {
      setInserts(false)
      openForm({ kind: 'new', from })
    },
    asked,
    askFilter,
    /** The foreign key whose columns are being chosen. */
    relatedKey,
    showRelated,
    inserts,
    setInserts,
  }
}

export type GridModel = ReturnType<typeof useGrid>
