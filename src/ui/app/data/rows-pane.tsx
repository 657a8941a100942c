// The rows, or the loading, error or empty state.
import { Rows3 } from 'lucide-react'
import { useCallback, type ReactNode } from 'react'
import { Button } from '../../widgets/button.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../widgets/state.tsx'
import { Notice } from '../shell/page.tsx'
import styles from './data.module.css'
import { CellMenu, type CellMenuProps } from './cell-menu.tsx'
import { CellEditor } from './editors/cell-editor.tsx'
import type { CellEditorProps, DraftPlace } from './grid/grid-types.ts'
import { Grid } from './grid/grid.tsx'
import { DraftRow, type DraftRowProps } from './draft-row.tsx'
import { HeadMenu } from './grid/head-menu.tsx'
import { type Column, rowCount } from '../../../services/workbench/table/index.ts'
import type { GridModel } from './table-view.tsx'
import type { RowWrites } from './use-row-form.ts'
import type { TableModel } from './use-table.ts'

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
