// The toolbar for several selected rows.
import { Copy, Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { exactOptional, nullable, object, string } from 'valibot'
import { Button } from '../../widgets/button.tsx'
import { Dialog, DialogActions } from '../../widgets/dialog.tsx'
import { Form } from '../../widgets/form.tsx'
import { Select } from '../../widgets/select.tsx'
import { copyText } from '../shell/copy-text.ts'
import form from '../shell/form.module.css'
import { named } from '../../../services/workbench/storage/index.ts'
import { useKeptForm } from '../use-draft.ts'
import {
  cellOf,
  collapse,
  hasRows,
  type LoadedRow,
  planSet,
  readCell,
  selectedRows,
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
  const columns = table.pages.info.columns.filter(column => !column.isKey && column.made === undefined)
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

const copyRows = (rows: readonly SelectedRow[], { layout }: TableModel) => {
  const columns = layout.laid.map(({ column }) => column)
  const text = writeTsv([
    columns.map(({ name }) => name),
    ...rows.map(({ row }) => columns.map(each => cellOf(row, each))),
  ])
  void copyText(text, `Copied ${plural(rows.length, 'row')} with column names`)
}

/** The number of selected rows, and how many of them are off-screen. */
const countText = (selected: number, away: number, unloaded: number): string =>
  [
    `${plural(selected, 'row')} selected`,
    ...(away === 0 ? [] : [`${formatCount(away)} of them no longer loaded`]),
    ...(unloaded === 0 ? [] : [`${plural(unloaded, 'more row')} in the range not loaded and not selected`]),
  ].join(' · ')

/** Shown for two or more rows, or a whole selected row. */
export function SelectionBar({ table, grid }: BarProps) {
  const [isEditing, setEditing] = useState(false)
  const { view, selection } = grid
  if (!hasRows(selection) && !isEditing) return null
  const { loaded, away } = selectedRows(view, selection)
  const rows = [...loaded, ...away]
  const { rights } = table.pages.info
  const selectCursor = () => {
    grid.setSelection(collapse(view, selection))
    grid.focus()
  }
  return (
    <div role="toolbar" aria-label="Selected rows" className={styles.selection}>
      <span role="status" className={styles.selectionText}>
        {countText(rows.length, away.length, selection.unloaded)}
      </span>
      <Button size="s" icon={<Copy size={13} aria-hidden />} onPress={() => copyRows(rows, table)}>
        Copy
      </Button>
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
