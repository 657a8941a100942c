// A table: its rows, or the loading, error or empty state; its query and unsaved input.
import { Rows3 } from 'lucide-react'
import { memo, type ReactNode, useCallback, useMemo, useState } from 'react'
import { Button } from '../../widgets/button.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../widgets/state.tsx'
import { useAppCommands, useAppKeyNotes } from '../commands/use-app-commands.ts'
import type { AppCommand } from '../commands/app-command.ts'
import { useTitle } from '../hooks.ts'
import { useTimeZone } from '../time-zone.ts'
import { describeTrouble } from '../shell/describe-trouble.ts'
import { troubleLabel } from '../shell/health.ts'
import { useBackendTrouble } from '../shell/use-backend-trouble.ts'
import { useWorkspace } from '../workspace.tsx'
import { Notice } from '../shell/page.tsx'
import { reportHeight } from '../shell/report-height.ts'
import { lazyPart } from '../lazy-part.tsx'
import { TableTools } from '../data-tools/table-tools.tsx'
import { CellMenu } from './cell-menu.tsx'
import { DraftRow } from './draft-row.tsx'
import { CellEditor } from './editors/cell-editor.tsx'
import { AddFilter, FilterChips, QuickSearch } from './filter/filter-bar.tsx'
import { ColumnsMenu } from './grid/columns-menu.tsx'
import { HeadMenu } from './grid/grid-head.tsx'
import { GRID_KEY_NOTES, Grid } from './grid/grid.tsx'
import type { CellEditorProps, DraftPlace, GridProps } from './grid/grid-types.ts'
import {
  type Column,
  embeddingOf,
  keysFrom,
  cursorPlace,
  cursorRow,
  isSingle,
  type Row,
  rowCount,
  selectKey,
  type TableInfo,
  type TableQuery,
  unreadableReason,
} from '../../../services/workbench/table/index.ts'
import { MissingTable } from './missing/missing-table.tsx'
import styles from './data.module.css'
import { RowDetails } from './row-details.tsx'
import { RowDialog } from './row-dialog.tsx'
import { SelectionBar } from './selection-bar.tsx'
import { StructureTable } from './structure-table.tsx'
import { TableHead } from './table-head.tsx'
import { allSelected, type GridModel, type RowForm, useGrid } from './use-grid.ts'
import { type RowWrites, useRowWrites } from './use-row-form.ts'
import { useTable, type TableModel } from './use-table.ts'
import { UnsavedBar } from './writes/unsaved-bar.tsx'

interface ToolbarProps {
  readonly table: TableModel
  /** Several selected rows; empty for a single cell. */
  readonly selected: readonly Row[]
  /** The column to filter by, which a column's menu named. */
  readonly asked: string | undefined
  readonly onAsk: (column: string | undefined) => void
}

const Toolbar = memo(function Toolbar({ table, selected, asked, onAsk }: ToolbarProps) {
  const { query, pages, layout, sorts } = table
  const { info, state } = pages
  const shown: TableQuery = {
    ...query,
    sorts,
    related: layout.related,
    columns:
      layout.related.length === 0 && layout.laid.length === info.columns.length
        ? []
        : layout.laid.map(({ column }) => column.name),
  }
  return (
    <div className={styles.toolbar}>
      <AddFilter
        columns={info.columns}
        filters={query.filters}
        onChange={table.filterBy}
        asked={asked}
        onAsk={onAsk}
      />
      <QuickSearch columns={info.columns} filters={query.filters} onChange={table.filterBy} />
      <ColumnsMenu
        columns={layout.columns}
        layout={layout.layout}
        hasLabels={table.labels.areThere}
        onLayout={layout.change}
      />
      <FilterChips columns={info.columns} filters={query.filters} onChange={table.filterBy} />
      <span className={styles.tools}>
        <TableTools
          query={shown}
          info={info}
          total={state.total}
          isExact={state.isExact}
          selected={selected}
          reload={pages.reload}
          importUndo={table.changes.importUndo}
          open={table.show}
        />
      </span>
    </div>
  )
})

interface RowsPaneProps {
  readonly table: TableModel
  readonly grid: GridModel
  readonly writes: RowWrites
  readonly onNew: () => void
  /** Rendered next to the rows. */
  readonly children: ReactNode
}

function StaleNotice({ table: { pages } }: Pick<RowsPaneProps, 'table'>) {
  const trouble = useBackendText()
  return (
    <div className={styles.stale}>
      <Notice tone="fail">
        Showing cached rows. {trouble ?? pages.state.failure?.message}
        <Button size="s" isPending={pages.isLoading} onPress={() => pages.reload({ kind: 'user' })}>
          Try again
        </Button>
      </Notice>
    </div>
  )
}

function Failed({ table }: Pick<RowsPaneProps, 'table'>) {
  const { pages, query, open } = table
  const { failure } = pages.state
  const trouble = useBackendText()
  return (
    <ErrorState
      title="Could not load the rows"
      action={
        <span className={styles.actions}>
          <Button isPending={pages.isLoading} onPress={() => pages.reload({ kind: 'user' })}>
            Try again
          </Button>
          {failure?.retry === true || trouble !== undefined ? null : (
            <Button onPress={() => open({ ...query, filters: [], sorts: [] })}>Clear filters and sort</Button>
          )}
        </span>
      }
    >
      {trouble ?? failure?.message} {failure?.retry === true ? 'Retrying automatically.' : ''}
    </ErrorState>
  )
}

/** The backend's problem as the banner describes it; undefined while it responds. */
function useBackendText(): string | undefined {
  const trouble = useBackendTrouble()
  const { active } = useWorkspace()
  if (troubleLabel(trouble) === undefined || trouble === undefined) return undefined
  return describeTrouble(trouble, active?.name ?? 'the backend').summary
}

/** Rows that load; a backend that does not respond is named instead of shown as a long load. */
function Loading() {
  const trouble = useBackendText()
  if (useBackendTrouble()?.fault === 'keyRejected')
    return (
      <ErrorState title="The rows can’t be loaded">
        {trouble} Enter another key in the banner above.
      </ErrorState>
    )
  return (
    <>
      {trouble === undefined ? null : <p className={styles.readOnly}>Waiting to load the rows. {trouble}</p>}
      <Skeleton rows={10} label="Loading rows" />
    </>
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
    <div className={styles.emptyTable}>
      <EmptyState
        icon={<Rows3 size={22} aria-hidden />}
        title="No rows visible to you"
        action={pages.info.rights.insert ? <Button onPress={onNew}>Add first row</Button> : null}
      >
        The table is empty or RLS hides its rows. New rows appear here automatically.
      </EmptyState>
      <StructureTable info={pages.info} schema={query.schema} />
    </div>
  )
}

const cellEditor = (props: CellEditorProps) => <CellEditor {...props} />

function FilledGrid({ table, grid, writes }: Pick<RowsPaneProps, 'table' | 'grid' | 'writes'>) {
  const { pages, layout, edits, deletions, sorts, query } = table
  const { info, reload } = pages
  const { me, readOnly } = table
  const zone = useTimeZone()
  const { setInserts, actions, askFilter, showRelated } = grid
  const { sortBy } = table
  const headMenu = useCallback(
    (column: Column) => (
      <HeadMenu
        column={column}
        columns={layout.laid}
        onLayout={layout.change}
        onFit={() => actions.fit(column.name)}
        onFilter={() => askFilter(column.name)}
        references={referencesOf(info, column).map(({ key, reason }) => ({
          table: key.table,
          reason,
          show: () => showRelated(key),
        }))}
        onSort={(direction, isAdded) => {
          const others = isAdded ? sorts.filter(sort => sort.column !== column.name) : []
          sortBy(direction === undefined ? others : [...others, { column: column.name, direction }])
        }}
      />
    ),
    [info, showRelated, layout, actions, askFilter, sorts, sortBy],
  )
  const draft = useCallback(
    (place: DraftPlace) => (
      <DraftRow
        place={place}
        me={me}
        info={info}
        writes={writes}
        onDone={() => reload({ kind: 'written' })}
        onClose={() => setInserts(false)}
      />
    ),
    [me, info, writes, reload, setInserts],
  )
  const cellMenu: GridProps['cellMenu'] = useCallback(
    (cell, onClose) => <CellMenu table={table} grid={grid} cell={cell} onClose={onClose} />,
    [table, grid],
  )
  return (
    <Grid
      info={info}
      columns={layout.laid}
      view={grid.view}
      marks={{ live: pages.state.live, leaving: deletions.leaving, edited: edits.cells }}
      labels={table.labels.byColumn}
      sorts={sorts}
      selection={grid.selection}
      editing={grid.editing}
      canEdit={readOnly === undefined && info.rights.update && info.columns.length > 0}
      canDelete={readOnly === undefined && info.rights.delete}
      isBusy={pages.isLoading}
      element={grid.element}
      me={me}
      zone={zone}
      actions={actions}
      editor={cellEditor}
      headMenu={headMenu}
      cellMenu={cellMenu}
      draft={grid.inserts ? draft : undefined}
      key={`${query.schema}.${query.table}`}
    />
  )
}

/** The keys that the column is a part of. */
const referencesOf = (info: TableInfo, { name, related }: Column) =>
  related !== undefined
    ? []
    : keysFrom(info)
        .filter(({ pairs }) => pairs.some(({ ours }) => ours === name))
        .map(key => {
          const embedding = embeddingOf(info.name, key)
          return { key, reason: 'reason' in embedding ? embedding.reason : undefined }
        })

/** Columns that are left out of the grid, with the reasons. */
function NotShown({ info: { unreadable = [] } }: { readonly info: TableInfo }) {
  if (unreadable.length === 0) return null
  const columns = unreadable.map(column => `${column.name} (${unreadableReason(column)})`)
  return <p className={styles.readOnly}>Not shown: {columns.join(', ')}.</p>
}

/** A failure after rows were shown keeps the rows on screen. */
function RowsPane(props: RowsPaneProps) {
  const { table, onNew, children } = props
  const { state } = table.pages
  if (state.phase === 'loading') return <Loading />
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
      <NotShown info={table.pages.info} />
      {table.pages.relatedFailure === undefined ? null : (
        <p className={styles.readOnly}>
          Columns of related rows could not be read. {table.pages.relatedFailure.message}
        </p>
      )}
      <div className={styles.panes}>
        <FilledGrid {...props} />
        {children}
      </div>
    </>
  )
}

/** Registers the grid's keys on the key sheet, and undo and redo in the palette. */
const useGridCommands = ({ changes: { undo, redo } }: TableModel) => {
  useAppKeyNotes(GRID_KEY_NOTES)
  const commands = useMemo<readonly AppCommand[]>(
    () => [
      { id: 'table.undo', title: 'Undo last table change', section: 'Data', run: undo },
      { id: 'table.redo', title: 'Redo table change', section: 'Data', run: redo },
    ],
    [undo, redo],
  )
  useAppCommands(commands)
}

const RelatedDialog = lazyPart(
  'the related columns',
  async () => (await import('./related/related-dialog.tsx')).RelatedDialog,
  { whileLoading: null, giveUp: ({ onClose }) => onClose() },
)

const NO_ROWS: readonly Row[] = []

const reportBars = reportHeight('--bars')

/** The table named `table`. */
export function TableView({ table: name }: { readonly table: string }) {
  useTitle(name)
  const table = useTable(name)
  const { pages } = table
  const [form, setForm] = useState<RowForm>()
  const grid = useGrid(table, setForm)
  const writes = useRowWrites(table, pages.info)
  const close = () => setForm(undefined)
  const { view, selection, inserts, setInserts } = grid
  const openNew = useCallback(() => {
    // The inline draft and the dialog write the same stored draft.
    setInserts(false)
    setForm({ kind: 'new' })
  }, [setInserts])
  const selected = useMemo(
    () => (isSingle(selection) ? NO_ROWS : allSelected({ view, selection })),
    [view, selection],
  )
  const showCell = (key: string, row: Row, column: string) => {
    grid.setSelection(selectKey(grid.view, key, row, column))
    // A row that is not loaded is shown in the details.
    if (grid.view.rows.withKey(key) === undefined) grid.setDetails(true)
    grid.focus()
  }
  useGridCommands(table)
  const current = cursorRow(grid.view, grid.selection)
  if (pages.state.failure?.isMissing === true)
    return (
      <MissingTable table={name} onAsk={() => pages.reload({ kind: 'user' })}>
        <UnsavedBar table={table} />
      </MissingTable>
    )
  return (
    <>
      <TableHead table={table} inserts={inserts} setInserts={setInserts} onNew={openNew} />
      <Toolbar table={table} selected={selected} asked={grid.asked} onAsk={grid.askFilter} />
      <RowsPane table={table} grid={grid} writes={writes} onNew={openNew}>
        {grid.details && current !== undefined ? (
          <RowDetails
            table={table}
            row={current}
            isAway={cursorPlace(grid.view, grid.selection) === undefined}
            onClose={() => grid.setDetails(false)}
            onEdit={grid.actions.editRow}
          />
        ) : null}
      </RowsPane>
      {/* Below the rows, so that they do not move while one is edited. */}
      <div ref={reportBars} className={styles.bars} data-bars>
        <UnsavedBar table={table} onShow={showCell} />
        <SelectionBar table={table} grid={grid} />
      </div>
      {grid.relatedKey === undefined ? null : (
        <RelatedDialog table={table} of={grid.relatedKey} onClose={() => grid.showRelated(undefined)} />
      )}
      {form === undefined ? null : (
        <RowDialog
          info={pages.info}
          {...(form.kind === 'edit' ? { row: form.row } : {})}
          {...(form.kind === 'new' && form.from !== undefined ? { from: form.from } : {})}
          writes={writes}
          onLeft={table.edits.keep}
          onDone={() => pages.reload({ kind: 'written' })}
          onClose={close}
        />
      )}
    </>
  )
}
