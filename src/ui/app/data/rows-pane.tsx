// The rows, or the loading, error or empty state.
import { Rows3 } from 'lucide-react'
import { useCallback, type ReactNode } from 'react'
import { Button } from '../../widgets/button.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../widgets/state.tsx'
import { Notice } from '../shell/page.tsx'
import styles from './data.module.css'
import { CellEditor } from './editors/cell-editor.tsx'
import type { CellEditorProps, DraftPlace, PointedCell } from './grid/grid-types.ts'
import { Grid } from './grid/grid.tsx'
import { DraftRow, type DraftRowProps } from './draft-row.tsx'
import { HeadMenu } from './grid/head-menu.tsx'
import {
  type Column,
  rowCount,
  type Cell,
  cellFilter,
  cellOf,
  filtersTo,
  placeOf,
  type Row,
  rowName,
  selectKey,
} from '../../../services/workbench/table/index.ts'
import type { GridModel } from './table-view.tsx'
import type { RowWrites } from './use-row-form.ts'
import type { TableModel } from './use-table.ts'
import { useNavigate } from '@tanstack/react-router'
import { ActionMenu, type MenuAction } from '../../widgets/menu.tsx'
import { copyText } from '../shell/copy-text.ts'
import { inSchema } from './tables.tsx'

export interface RowsPaneProps {
  readonly table: TableModel
  readonly grid: GridModel
  readonly writes: RowWrites
  readonly onNew: () => void
  /** Rendered next to the rows. */
  readonly children: ReactNode
}

function StaleNotice({ table: { pages } }: Pick<RowsPaneProps, 'table'>) {
  return (
    <div className={styles.stale}>
      <Notice tone="fail">
        Showing cached rows. {pages.state.failure?.message}
        <Button size="s" isPending={pages.isLoading} onPress={pages.reload}>
          Try again
        </Button>
      </Notice>
    </div>
  )
}

function Failed({ table }: Pick<RowsPaneProps, 'table'>) {
  const { pages, query, open } = table
  const { failure } = pages.state
  return (
    <ErrorState
      title="Could not load the rows"
      action={
        <span className={styles.actions}>
          <Button isPending={pages.isLoading} onPress={pages.reload}>
            Try again
          </Button>
          {failure?.retry === true ? null : (
            <Button onPress={() => open({ ...query, filters: [], sorts: [] })}>Clear filters and sort</Button>
          )}
        </span>
      }
    >
      {failure?.message} {failure?.retry === true ? 'Retrying automatically.' : ''}
    </ErrorState>
  )
}

function NoRows({ table, onNew }: Pick<RowsPaneProps, 'table' | 'onNew'>) {
  const { query, filterBy, pages } = table
  if (query.filters.length > 0)
    return (
      <EmptyState
        icon={<Rows3 size={22} aria-hidden />}
        title="No rows match the filters"
        action={<Button onPress={() => filterBy([])}>Clear filters</Button>}
      >
        RLS may hide rows that match.
      </EmptyState>
    )
  return (
    <EmptyState
      icon={<Rows3 size={22} aria-hidden />}
      title="No rows visible to you"
      action={pages.info.rights.insert ? <Button onPress={onNew}>Add first row</Button> : null}
    >
      The table is empty or RLS hides its rows. New rows appear here automatically.
    </EmptyState>
  )
}

const draftRow = (props: DraftRowProps) => <DraftRow {...props} />

const cellMenu = (props: CellMenuProps) => <CellMenu {...props} />

const cellEditor = (props: CellEditorProps) => <CellEditor {...props} />

function FilledGrid({ table, grid, writes }: Pick<RowsPaneProps, 'table' | 'grid' | 'writes'>) {
  const { pages, layout, edits, deletions, sorts, query } = table
  const { info, reload } = pages
  const { me } = table
  const { setInserts } = grid
  const headMenu = useCallback(
    (column: Column) => (
      <HeadMenu
        column={column}
        columns={layout.laid}
        onLayout={layout.change}
        onFilter={() => grid.askFilter(column.name)}
        onSort={(direction, isAdded) => {
          const others = isAdded ? sorts.filter(sort => sort.column !== column.name) : []
          table.sortBy(direction === undefined ? others : [...others, { column: column.name, direction }])
        }}
      />
    ),
    [layout, grid, sorts, table],
  )
  const draft = useCallback(
    (place: DraftPlace) =>
      draftRow({ place, me, info, writes, onDone: reload, onClose: () => setInserts(false) }),
    [me, info, writes, reload, setInserts],
  )
  return (
    <Grid
      info={pages.info}
      columns={layout.laid}
      view={grid.view}
      marks={{ live: pages.state.live, leaving: deletions.leaving, edited: edits.cells }}
      sorts={sorts}
      selection={grid.selection}
      editing={grid.editing}
      canEdit={table.readOnly === undefined && info.rights.update && info.columns.length > 0}
      canDelete={table.readOnly === undefined && pages.info.rights.delete}
      isBusy={pages.isLoading}
      element={grid.element}
      me={table.me}
      actions={grid.actions}
      editor={cellEditor}
      headMenu={headMenu}
      cellMenu={(cell, onClose) => cellMenu({ table, grid, cell, onClose })}
      draft={grid.inserts ? draft : undefined}
      key={`${query.schema}.${query.table}`}
    />
  )
}

/** A failure after rows were shown keeps the rows on screen. */
export function RowsPane(props: RowsPaneProps) {
  const { table, onNew, children } = props
  const { state } = table.pages
  if (state.phase === 'loading') return <Skeleton rows={10} label="Loading rows" />
  if (rowCount(state) === 0)
    return state.phase === 'failed' ? <Failed table={table} /> : <NoRows table={table} onNew={onNew} />
  return (
    <>
      {state.phase === 'failed' ? <StaleNotice table={table} /> : null}
      {table.readOnly === undefined ? null : (
        <p className={styles.readOnly}>
          {table.pages.info.rights.insert ? 'Rows can be added, but not changed.' : 'Read only.'}{' '}
          {table.readOnly}
        </p>
      )}
      <div className={styles.panes}>
        <FilledGrid {...props} />
        {children}
      </div>
    </>
  )
}

interface CellMenuProps {
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
    ...(canChange && rights.update ? change : []),
    ...(rights.insert ? [{ id: 'again', title: 'Duplicate row', run: () => grid.duplicate(row) }] : []),
    ...(canChange && rights.delete ? [remove] : []),
  ]
}

/** Opens on right-click or with the menu key. */
function CellMenu(props: CellMenuProps) {
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
    return [{ id: 'follow', title: `Go to row in ${references.table}`, run }]
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
