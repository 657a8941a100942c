// The toolbar for several selected rows.
import { Copy, Pencil, Trash2 } from 'lucide-react'
import { useMemo, useState } from 'react'
import { exactOptional, nullable, object, string } from 'valibot'
import { Button } from '../../widgets/button.tsx'
import { Dialog, DialogActions } from '../../widgets/dialog.tsx'
import { Form } from '../../widgets/form.tsx'
import { ActionMenu, MenuButton } from '../../widgets/menu.tsx'
import { Select } from '../../widgets/select.tsx'
import { copyText } from '../shell/copy-text.ts'
import form from '../shell/form.module.css'
import { named } from '../../../services/workbench/storage/index.ts'
import { useKeptForm } from '../use-draft.ts'
import {
  cellOf,
  collapse,
  columnsIn,
  fixedReason,
  hasRows,
  type LoadedRow,
  planSet,
  readCell,
  ROW_FORMATS,
  rowsText,
  selectedRows,
  totalsOf,
  writeTsv,
} from '../../../services/workbench/table/index.ts'
import { ColumnField } from './column-field.tsx'
import styles from './data.module.css'
import type { GridModel } from './use-grid.ts'
import { planContext } from './use-grid.ts'
import type { TableModel } from './use-table.ts'
import { formatCount, plural } from '../../../services/workbench/text/index.ts'

type SelectedRow = Pick<LoadedRow, 'key' | 'row'>

interface BarProps {
  readonly table: TableModel
  readonly grid: GridModel
}

const cellSchema = nullable(string())
const writtenSchema = object({
  column: string(),
  cell: exactOptional(cellSchema),
  /** Values this choice sets in other columns. */
  also: exactOptional(named(cellSchema)),
})

/**
 * Sets one column in all selected rows. If the session is lost, the input is kept for the next selection in
 * the table.
 */
function BulkDialog(props: {
  readonly table: TableModel
  readonly grid: GridModel
  readonly rows: readonly SelectedRow[]
  /** The initially selected column. */
  readonly at: string | undefined
  readonly onClose: () => void
}) {
  const { table, grid, rows } = props
  const { schema, table: tableName } = table.query
  const { written, save: saveForm, forget } = useKeptForm('rows', [schema, tableName], writtenSchema)
  const columns = table.pages.info.columns.filter(
    column => !column.isKey && fixedReason(column) === undefined,
  )
  const find = (name: string | undefined) => columns.find(each => each.name === name)
  const [error, setError] = useState<string>()
  const kept = find(written?.column) && written
  const column = find(kept?.column) ?? find(props.at) ?? columns[0]
  const { cell, also } = kept ?? {}
  const close = () => {
    forget()
    props.onClose()
  }
  const save = () => {
    if (column === undefined || cell === undefined) return
    const reading = readCell(column, cell)
    if ('error' in reading) return setError(reading.error)
    const context = { ...planContext({ ...grid, table }), columns: table.pages.info.columns }
    const changes = planSet(context, rows, { ...also, [column.name]: cell })
    const title = `Changed ${column.name} in ${plural(changes.length, 'row')}`
    table.changes.run({ title, changes, skipped: [] })
    close()
  }
  return (
    <Dialog title={`Edit ${plural(rows.length, 'row')}`} isOpen onClose={close}>
      <Form className={form.form} onSubmit={save}>
        <Select
          label="Column"
          options={columns.map(each => ({ id: each.name, label: each.name }))}
          value={column?.name ?? ''}
          onChange={next => {
            saveForm({ column: next })
            setError(undefined)
          }}
        />
        {column === undefined ? null : (
          <ColumnField
            key={column.name}
            column={column}
            isNew={false}
            untouched="new value"
            cell={cell}
            error={error}
            onChange={(next, others) => {
              saveForm({
                column: column.name,
                ...(next !== undefined && { cell: next }),
                ...(others && { also: { ...others } }),
              })
              setError(undefined)
            }}
          />
        )}
        <DialogActions>
          <Button onPress={close}>Cancel</Button>
          <Button type="submit" variant="primary" isDisabled={cell === undefined}>
            Change {plural(rows.length, 'row')}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  )
}

/** The selected columns of the selected rows, as shown. */
const selectedColumns = ({ layout }: TableModel, { view, selection }: GridModel) => {
  const names = columnsIn(view, selection)
  return layout.laid.map(({ column }) => column).filter(({ name }) => names.includes(name))
}

/** Copies whole rows, or the selected columns of a range. */
function CopyMenu({ table, grid, rows }: BarProps & { readonly rows: readonly SelectedRow[] }) {
  const { schema, table: name } = table.query
  const columns = selectedColumns(table, grid)
  const copied = { schema, table: name, columns, rows: rows.map(({ row }) => row) }
  const cells = () => [
    columns.map(column => column.name),
    ...rows.map(({ row }) => columns.map(column => cellOf(row, column))),
  ]
  const what = (format: string) => `Copied ${plural(rows.length, 'row')} as ${format}`
  return (
    <MenuButton text="Copy" icon={<Copy size={13} aria-hidden />}>
      <ActionMenu
        label="Copy"
        actions={[
          {
            id: 'cells',
            title: 'Cells with column names',
            run: () =>
              void copyText(writeTsv(cells()), `Copied ${plural(rows.length, 'row')} with column names`),
          },
          ...ROW_FORMATS.map(({ id, title }) => ({
            id,
            title,
            run: () => void copyText(rowsText(id, copied), what(title)),
          })),
        ]}
      />
    </MenuButton>
  )
}

/** Of the only column with numbers in the selection; a key has no meaningful sum. */
function Aggregates({ table, grid, rows }: BarProps & { readonly rows: readonly SelectedRow[] }) {
  const [column, ...others] = selectedColumns(table, grid).filter(
    ({ type, isKey, references }) =>
      (type === 'integer' || type === 'number') && !isKey && references === undefined,
  )
  const totals = useMemo(
    () => (column === undefined ? undefined : totalsOf(rows.map(({ row }) => cellOf(row, column)))),
    [rows, column],
  )
  if (column === undefined || totals === undefined || others.length > 0) return null
  const { count, sum, average, min, max } = totals
  const shown = {
    sum,
    average,
    min: min,
    max: max,
    ...(count < rows.length && { numbers: String(count) }),
  }
  return (
    <dl className={styles.aggregates} aria-label={`Numbers in ${column.name}`}>
      {Object.entries(shown).map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** The number of selected rows or cells, and how many of the rows are off-screen. */
const countText = (selected: string, away: number, unloaded: number): string =>
  [
    `${selected} selected`,
    ...(away === 0 ? [] : [`${formatCount(away)} of them no longer loaded`]),
    ...(unloaded === 0 ? [] : [`${plural(unloaded, 'more row')} in the range not loaded and not selected`]),
  ].join(' · ')

/** Shown for two or more rows, or a whole selected row. */
export function SelectionBar({ table, grid }: BarProps) {
  const [isEditing, setEditing] = useState(false)
  if (!hasRows(grid.selection) && !isEditing) return null
  return <FilledBar table={table} grid={grid} isEditing={isEditing} setEditing={setEditing} />
}

interface FilledBarProps extends BarProps {
  readonly isEditing: boolean
  readonly setEditing: (isEditing: boolean) => void
}

function FilledBar({ table, grid, isEditing, setEditing }: FilledBarProps) {
  const { view, selection } = grid
  const { loaded, away } = useMemo(() => selectedRows(view, selection), [view, selection])
  const rows = useMemo(() => [...loaded, ...away], [loaded, away])
  const count = plural(rows.length, 'row')
  const isWhole = selection.columns === 'all'
  const selected = isWhole
    ? count
    : `${plural(rows.length * columnsIn(view, selection).length, 'cell')} in ${count}`
  const { rights } = table.pages.info
  const selectCursor = () => {
    grid.setSelection(collapse(view, selection))
    grid.focus()
  }
  return (
    <div role="toolbar" aria-label="Selected rows" className={styles.selection}>
      <span role="status" className={styles.selectionText}>
        {countText(selected, away.length, selection.unloaded)}
      </span>
      <Aggregates table={table} grid={grid} rows={rows} />
      <CopyMenu table={table} grid={grid} rows={rows} />
      {table.readOnly !== undefined || !rights.update ? null : (
        <Button size="s" icon={<Pencil size={13} aria-hidden />} onPress={() => setEditing(true)}>
          Edit rows
        </Button>
      )}
      {table.readOnly !== undefined || !rights.delete ? null : (
        <Button
          size="s"
          variant="danger"
          icon={<Trash2 size={13} aria-hidden />}
          onPress={() => {
            grid.actions.deleteRows()
            grid.focus()
          }}
        >
          Delete rows
        </Button>
      )}
      <Button size="s" variant="quiet" onPress={selectCursor}>
        Clear selection
      </Button>
      {isEditing ? (
        <BulkDialog
          table={table}
          grid={grid}
          rows={rows}
          at={selection.cursor.column}
          onClose={() => setEditing(false)}
        />
      ) : null}
    </div>
  )
}
