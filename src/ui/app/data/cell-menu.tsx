// The menu of a cell: its value, filters by it, the row it refers to, and what can be done with its row.
import { useNavigate } from '@tanstack/react-router'
import { ActionMenu, type MenuAction } from '../../widgets/menu.tsx'
import {
  type Cell,
  cellFilter,
  cellOf,
  type Column,
  filtersTo,
  placeOf,
  type Row,
  rowName,
  selectKey,
} from '../../../services/workbench/table/index.ts'
import { copyText } from '../shell/copy-text.ts'
import type { PointedCell } from './grid/grid-types.ts'
import { inSchema } from './tables.tsx'
import type { GridModel } from './use-grid.ts'
import type { TableModel } from './use-table.ts'

export interface CellMenuProps {
  readonly table: TableModel
  readonly grid: GridModel
  readonly cell: PointedCell
  readonly onClose: (run?: () => void) => void
}

interface Pointed {
  readonly row: Row
  readonly column: Column
  readonly cell: Cell
}

const MOST_TEXT = 24

const shown = (cell: Cell): string => {
  if (cell === null) return 'null'
  if (cell === '') return 'empty string'
  return cell.length > MOST_TEXT ? `${cell.slice(0, MOST_TEXT)}…` : cell
}

const valueActions = ({ table }: CellMenuProps, { column, cell }: Pointed): readonly MenuAction[] => {
  const filtered = (id: string, title: string, isWithout: boolean): readonly MenuAction[] => {
    const filter = cellFilter(column, cell, isWithout)
    if (filter === undefined) return []
    const others = table.query.filters.filter(each => JSON.stringify(each) !== JSON.stringify(filter))
    return [{ id, title, text: shown(cell), run: () => table.filterBy([...others, filter]) }]
  }
  if (column.related !== undefined)
    return [
      { id: 'copy', title: 'Copy value', run: () => void copyText(cell ?? '', `Copied ${column.name}`) },
    ]
  return [
    { id: 'copy', title: 'Copy value', run: () => void copyText(cell ?? '', `Copied ${column.name}`) },
    ...filtered('only', 'Filter: =', false),
    ...filtered('without', 'Filter: ≠', true),
  ]
}

const rowActions = (
  { table, grid, cell: { key } }: CellMenuProps,
  { row, column }: Pointed,
): readonly MenuAction[] => {
  const { rights } = table.pages.info
  const { selection, view, setSelection } = grid
  const isMany = selection.rows.size > 1 && selection.rows.has(key)
  const canChange = table.readOnly === undefined
  const edit = () => {
    const place = placeOf(view, { key, index: 0, column: column.name })
    if (place !== undefined) grid.actions.edit(place)
  }
  const show = () => {
    setSelection(selectKey(view, key, row, column.name))
    grid.actions.openRow()
  }
  const change: readonly MenuAction[] = [
    { id: 'edit', title: `Edit ${column.name}`, text: 'Enter', run: edit },
    { id: 'edit-row', title: 'Edit row', run: () => grid.actions.editRow(row) },
  ]
  const remove: MenuAction = isMany
    ? { id: 'delete', title: `Delete ${selection.rows.size} rows`, run: grid.actions.deleteRows }
    : { id: 'delete', title: 'Delete row', run: () => grid.actions.deleteRow(row) }
  return [
    { id: 'show', title: 'Row details', text: 'Space', run: show },
    ...(canChange && rights.update ? change.slice(column.related === undefined ? 0 : 1) : []),
    ...(rights.insert ? [{ id: 'again', title: 'Duplicate row', run: () => grid.duplicate(row) }] : []),
    ...(canChange && rights.delete ? [remove] : []),
  ]
}

/** Opens on right-click or with the menu key. */
export function CellMenu(props: CellMenuProps) {
  const { table, grid, onClose } = props
  const navigate = useNavigate()
  const { key } = props.cell
  // The menu's row, with changes since the menu opened.
  const row = grid.view.rows.withKey(key)?.row ?? props.cell.row
  const column = table.layout.laid.find(each => each.column.name === props.cell.column)?.column
  if (column === undefined) return null
  const { references } = column
  const cellIn = (name: string): Cell => {
    const found = table.pages.info.columns.find(each => each.name === name)
    return found === undefined ? null : cellOf(row, found)
  }
  const filter = references && filtersTo(references, column.name, cellIn)
  const follow = (): readonly MenuAction[] => {
    if (references === undefined || filter === undefined) return []
    const search = { ...inSchema(table.query.schema), filter: [...filter] }
    const run = () => void navigate({ to: '/data/$table', params: { table: references.table }, search })
    const label = table.labels.byColumn.get(column.name)?.get(cellIn(column.name) ?? '')
    return [
      {
        id: 'follow',
        title: `Go to row in ${references.table}`,
        ...(label === undefined ? {} : { text: shown(label) }),
        run,
      },
    ]
  }
  const pointed = { row, column, cell: cellOf(row, column) }
  const closing = (action: MenuAction): MenuAction => ({ ...action, run: () => onClose(action.run) })
  return (
    <ActionMenu
      label={`${column.name} of ${rowName(table.pages.info, row)}`}
      actions={[...valueActions(props, pointed), ...follow()].map(closing)}
      more={rowActions(props, pointed).map(closing)}
      onClose={() => onClose()}
    />
  )
}
