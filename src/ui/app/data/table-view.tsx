// One table: its rows, what is asked of them, and what is being written.
import { BetweenHorizontalStart, Plus, RotateCw } from 'lucide-react'
import { useCallback, useState } from 'react'
import { Button, IconButton } from '../../widgets/button.tsx'
import { useTitle } from '../hooks.ts'
import { TableTools } from '../data-tools/table-tools.tsx'
import { RequestLink } from '../requests/request-link.tsx'
import { PageHead } from '../shell/page.tsx'
import { AddFilter, FilterChips } from './filter/filter-bar.tsx'
import { ColumnsMenu } from './grid/columns-menu.tsx'
import { isSingle, type Extent } from './grid/selection.ts'
import { useSelection } from './grid/use-selection.ts'
import { LiveMark } from './live-mark.tsx'
import styles from './data.module.css'
import { RowDetails } from './row-details.tsx'
import { RowDialog } from './row-dialog.tsx'
import { rowAt as rowAtIndex, rowCount, type Pages } from './rows/pages.ts'
import { RowsPane } from './rows-pane.tsx'
import type { Row } from './schema.ts'
import { SchemaPicker } from './schema-picker.tsx'
import { SelectionBar } from './selection-bar.tsx'
import { TablePicker } from './table-picker.tsx'
import type { TableQuery } from './table-query.ts'
import { chosenRows, useGridActions } from './use-grid-actions.ts'
import { useTable, type TableModel } from './use-table.ts'
import { UnsavedBar } from './writes/unsaved-bar.tsx'
import { useRowWrites } from './writes/use-row-writes.ts'

type Form = { readonly kind: 'new' } | { readonly kind: 'edit'; readonly row: Row }

const countText = ({ phase, total, isExact }: Pages) => {
  if (phase === 'loading' || total === null) return undefined
  const words = `${total.toLocaleString('en')} ${total === 1 ? 'row' : 'rows'} that you may see`
  return isExact ? words : `about ${words}`
}

interface HeadProps {
  readonly table: TableModel
  readonly grid: GridModel
  readonly onNew: () => void
}

function Head({ table, grid, onNew }: HeadProps) {
  const { query, pages } = table
  const { info, state } = pages
  return (
    <PageHead title={<TablePicker table={query.table} />} note={countText(state)}>
      <SchemaPicker />
      <RequestLink of={pages.request} />
      <LiveMark status={pages.channel} />
      <IconButton label="Refresh the rows" onPress={pages.reload}>
        <RotateCw size={15} />
      </IconButton>
      {canInsert(table) ? (
        <span className={styles.wideOnly}>
          <IconButton
            label="New row in the grid"
            shortcut="Insert"
            isOn={grid.inserts}
            onPress={() => grid.setInserts(!grid.inserts)}
          >
            <BetweenHorizontalStart size={15} />
          </IconButton>
        </span>
      ) : null}
      {info.rights.insert ? (
        <Button
          variant="primary"
          icon={<Plus size={15} aria-hidden />}
          isDisabled={state.phase === 'loading'}
          onPress={onNew}
        >
          New row
        </Button>
      ) : null}
    </PageHead>
  )
}

function Toolbar({ table, grid }: { readonly table: TableModel; readonly grid: GridModel }) {
  const { query, pages, layout, sorts } = table
  const { info, state } = pages
  const selected = isSingle(grid.selection) ? [] : chosenRows(grid)
  const shown: TableQuery = {
    ...query,
    sorts,
    columns: layout.laid.length === info.columns.length ? [] : layout.laid.map(({ column }) => column.name),
  }
  return (
    <div className={styles.toolbar}>
      <AddFilter
        columns={info.columns}
        filters={query.filters}
        onChange={table.filterBy}
        asked={grid.asked}
        onAsk={grid.askFilter}
      />
      <FilterChips columns={info.columns} filters={query.filters} onChange={table.filterBy} />
      <ColumnsMenu columns={info.columns} layout={layout.layout} onLayout={layout.change} />
      <span className={styles.tools}>
        <TableTools
          query={shown}
          info={info}
          total={state.total}
          isExact={state.isExact}
          selected={selected}
          reload={pages.reload}
          open={table.open}
        />
      </span>
    </div>
  )
}

/** Rows that are not there yet need rows below them: into an empty table they are written in a form. */
const canInsert = ({ pages: { info, state } }: TableModel) =>
  info.rights.insert && info.columns.length > 0 && rowCount(state) > 0

const useGrid = (table: TableModel, openForm: (form: Form) => void) => {
  const [inserts, setInserts] = useState(false)
  const { pages, layout } = table
  const { state, info } = pages
  const [details, setDetails] = useState(false)
  const rowAt = useCallback((index: number) => rowAtIndex(state, index), [state])
  const cursor = useSelection({ info, rows: state.rows, rowAt })
  const extent: Extent = { rows: rowCount(state), columns: layout.laid.length, page: 1 }
  const { selection, setSelection, editing, setEditing } = cursor
  const actions = useGridActions({
    table,
    selection,
    editing,
    extent,
    rowAt,
    setSelection,
    setEditing,
    openRow: () => setDetails(true),
    editRow: row => openForm({ kind: 'edit', row }),
    insertRow: () => (canInsert(table) ? setInserts(true) : undefined),
  })
  const [asked, askFilter] = useState<string>()
  const filter = { asked, askFilter }
  const draft = { inserts, setInserts }
  return {
    selection,
    setSelection,
    editing,
    extent,
    rowAt,
    actions,
    details,
    setDetails,
    ...filter,
    ...draft,
  }
}

/** The table named `table`. */
export function TableView({ table: name }: { readonly table: string }) {
  useTitle(name)
  const table = useTable(name)
  const { pages, query } = table
  const [form, setForm] = useState<Form>()
  const grid = useGrid(table, setForm)
  const writes = useRowWrites(query, pages.info)
  const close = () => setForm(undefined)
  const openNew = () => {
    // Both write the same row, kept until it is added.
    grid.setInserts(false)
    setForm({ kind: 'new' })
  }
  const current = grid.rowAt(Math.max(0, grid.selection.cursor.row))
  return (
    <>
      <Head table={table} grid={grid} onNew={openNew} />
      <Toolbar table={table} grid={grid} />
      <UnsavedBar table={table} />
      <RowsPane table={table} grid={grid} writes={writes} onNew={openNew}>
        {grid.details && current !== undefined ? (
          <RowDetails
            table={table}
            row={current}
            onClose={() => grid.setDetails(false)}
            onEdit={grid.actions.editRow}
          />
        ) : null}
      </RowsPane>
      <SelectionBar table={table} grid={grid} />
      {form === undefined ? null : (
        <RowDialog
          info={pages.info}
          {...(form.kind === 'edit' ? { row: form.row } : {})}
          writes={writes}
          onLeft={table.edits.keep}
          onDone={pages.reload}
          onClose={close}
        />
      )}
    </>
  )
}

export type GridModel = ReturnType<typeof useGrid>
