// A table: its rows, query and unsaved input.
import { useMemo, useRef, useState } from 'react'
import { useAppCommands, useAppKeyNotes } from '../commands/use-app-commands.ts'
import type { AppCommand } from '../commands/app-command.ts'
import { useTitle } from '../hooks.ts'
import { TableTools } from '../data-tools/table-tools.tsx'
import { AddFilter, FilterChips } from './filter/filter-bar.tsx'
import { ColumnsMenu } from './grid/columns-menu.tsx'
import { GRID_KEY_NOTES } from './grid/grid-keys.ts'
import {
  cursorPlace,
  cursorRow,
  isSingle,
  loadedRows,
  type Row,
  rowCount,
  selectKey,
  type TableQuery,
  type View,
} from '../../../services/workbench/table/index.ts'
import { useSelection } from './grid/use-selection.ts'
import { MissingTable } from './missing/missing-table.tsx'
import styles from './data.module.css'
import { RowDetails } from './row-details.tsx'
import { RowDialog } from './row-dialog.tsx'
import { RowsPane } from './rows-pane.tsx'
import { SelectionBar } from './selection-bar.tsx'
import { canInsert, TableHead } from './table-head.tsx'
import { allSelected } from './grid-commands.ts'
import { useGridActions } from './use-grid-actions.ts'
import { useTable, type TableModel } from './use-table.ts'
import { UnsavedBar } from './writes/unsaved-bar.tsx'
import { useRowWrites } from './writes/use-row-writes.ts'

type Form =
  /** `from`: the row to duplicate. */
  { readonly kind: 'new'; readonly from?: Row } | { readonly kind: 'edit'; readonly row: Row }

function Toolbar({ table, grid }: { readonly table: TableModel; readonly grid: GridModel }) {
  const { query, pages, layout, sorts } = table
  const { info, state } = pages
  const selected = isSingle(grid.selection) ? [] : allSelected(grid)
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
          open={table.show}
        />
      </span>
    </div>
  )
}

const useGrid = (table: TableModel, openForm: (form: Form) => void) => {
  const [inserts, setInserts] = useState(false)
  const { pages, layout } = table
  const { state, info } = pages
  const [details, setDetails] = useState(false)
  const { rows: pageRows, stale } = state
  const rows = useMemo(() => loadedRows(info, { rows: pageRows, stale }), [info, pageRows, stale])
  const count = rowCount(state)
  const { laid } = layout
  const view = useMemo(
    (): View => ({ count, rows, columns: laid.map(({ column }) => column.name) }),
    [count, rows, laid],
  )
  const cursor = useSelection(view)
  const element = useRef<HTMLDivElement>(null)
  const { selection, setSelection, editing, setEditing } = cursor
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
  const [asked, askFilter] = useState<string>()
  const filter = { asked, askFilter }
  const duplicate = (from: Row) => {
    setInserts(false)
    openForm({ kind: 'new', from })
  }
  const draft = { inserts, setInserts }
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
    duplicate,
    ...filter,
    ...draft,
  }
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

/** The table named `table`. */
export function TableView({ table: name }: { readonly table: string }) {
  useTitle(name)
  const table = useTable(name)
  const { pages } = table
  const [form, setForm] = useState<Form>()
  const grid = useGrid(table, setForm)
  const writes = useRowWrites(table, pages.info)
  const close = () => setForm(undefined)
  const openNew = () => {
    // The inline draft and the dialog write the same stored draft.
    grid.setInserts(false)
    setForm({ kind: 'new' })
  }
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
      <MissingTable table={name} onAsk={pages.reload}>
        <UnsavedBar table={table} />
      </MissingTable>
    )
  return (
    <>
      <TableHead table={table} grid={grid} onNew={openNew} />
      <Toolbar table={table} grid={grid} />
      <UnsavedBar table={table} onShow={showCell} />
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
      <SelectionBar table={table} grid={grid} />
      {form === undefined ? null : (
        <RowDialog
          info={pages.info}
          {...(form.kind === 'edit' ? { row: form.row } : {})}
          {...(form.kind === 'new' && form.from !== undefined ? { from: form.from } : {})}
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
