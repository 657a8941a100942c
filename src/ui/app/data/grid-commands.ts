// Grid commands on the selection and the table, independent of rendering.
import {
  afterEdit,
  type Cell,
  cellOf,
  collapse,
  columnsIn,
  type EditedCell,
  hasRows,
  type LaidColumn,
  type Place,
  type Plan,
  planClear,
  type PlanContext,
  planPaste,
  planSet,
  type Row,
  type RowChange,
  selectCell,
  selectedRows,
  type Selection,
  selectRange,
  startOf,
  type TableInfo,
  type Values,
  type View,
} from '../../../services/workbench/table/index.ts'
import type { AfterEdit, Editing } from './grid/grid-types.ts'

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
    /** Reports why nothing was changed. */
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
  shown: ({ key, row }, column) => {
    const change = table.edits.cells.get(key)?.get(column.name)
    return change === undefined ? cellOf(table.edits.latest(row), column) : change.cell
  },
})

export const beginEdit = (state: CommandState, place: Place, typed?: string) => {
  const { table, view, setEditing, setSelection, openRow } = state
  const loaded = view.rows.at(place.row)
  const column = table.layout.laid[place.column]?.column
  if (loaded === undefined || column === undefined) return
  const { key, row } = loaded
  const isFixed = table.readOnly !== undefined || !table.pages.info.rights.update || column.made !== undefined
  if (isFixed || table.deletions.leaving.has(key)) return typed === undefined ? openRow() : undefined
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

export const deleteRows = ({ table }: CommandState, rows: readonly Row[]) => {
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
