// What can be done with several chosen rows at once.
import { Copy, Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { exactOptional, nullable, object, string } from 'valibot'
import { Button } from '../../widgets/button.tsx'
import { Dialog, DialogActions } from '../../widgets/dialog.tsx'
import { Form } from '../../widgets/form.tsx'
import { Select } from '../../widgets/select.tsx'
import { copyText } from '../shell/copy-text.ts'
import form from '../shell/form.module.css'
import { named } from '../named.ts'
import { useKeptForm } from '../use-kept-form.ts'
import { cellOf, readCell } from './cells/cell-text.ts'
import { ColumnField } from './column-field.tsx'
import styles from './data.module.css'
import { at, blockOf } from './grid/selection.ts'
import { writeTsv } from './grid/tsv.ts'
import type { Row } from './schema.ts'
import type { GridModel } from './table-view.tsx'
import { chosenRows } from './use-grid-actions.ts'
import type { TableModel } from './use-table.ts'
import { formatCount, plural } from '../format.ts'

interface BarProps {
  readonly table: TableModel
  readonly grid: GridModel
}

const cellSchema = nullable(string())
const writtenSchema = object({
  column: string(),
  cell: exactOptional(cellSchema),
  /** What other columns become with it. */
  also: exactOptional(named(cellSchema)),
})

/** One value for a column of all chosen rows; a lost session leaves it for the next ones of the table. */
function BulkDialog(props: {
  readonly table: TableModel
  readonly rows: readonly Row[]
  /** The column to begin with. */
  readonly at: string | undefined
  readonly onClose: () => void
}) {
  const { table, rows } = props
  const { schema, table: tableName } = table.query
  const { written, keep, forget } = useKeptForm('rows', [schema, tableName], writtenSchema)
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
    for (const row of rows) table.edits.edit(row, { ...also, [column.name]: cell })
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
            keep({ column: next })
            setError(undefined)
          }}
        />
        {column === undefined ? null : (
          <ColumnField
            key={column.name}
            column={column}
            isNew={false}
            untouched="the new value"
            cell={cell}
            error={error}
            onChange={(next, others) => {
              keep({
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

const copyRows = (rows: readonly Row[], { layout }: TableModel) => {
  const columns = layout.laid.map(({ column }) => column)
  const text = writeTsv([
    columns.map(({ name }) => name),
    ...rows.map(row => columns.map(each => cellOf(row, each))),
  ])
  void copyText(text, `Copied ${plural(rows.length, 'row')} with their columns’ names`)
}

/** From two rows on, or with a whole row chosen. */
export function SelectionBar({ table, grid }: BarProps) {
  const [isEditing, setEditing] = useState(false)
  const block = blockOf(grid.selection, grid.extent)
  const isShown = block !== undefined && (block.bottom > block.top || grid.selection.wholeRows)
  if (!isShown && !isEditing) return null
  const rows = chosenRows(grid)
  const count = block === undefined ? 0 : block.bottom - block.top + 1
  const { rights } = table.pages.info
  return (
    <div role="toolbar" aria-label="Chosen rows" className={styles.selection}>
      <span className={styles.selectionText}>
        {plural(count, 'row')} chosen
        {rows.length < count ? `, of which ${formatCount(rows.length)} were read` : ''}
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
            table.deletions.order(rows)
            grid.setSelection(at(grid.selection.cursor))
          }}
        >
          Delete rows
        </Button>
      )}
      <Button size="s" variant="quiet" onPress={() => grid.setSelection(at(grid.selection.cursor))}>
        Choose none
      </Button>
      {isEditing ? (
        <BulkDialog
          table={table}
          rows={rows}
          at={table.layout.laid[grid.selection.cursor.column]?.column.name}
          onClose={() => setEditing(false)}
        />
      ) : null}
    </div>
  )
}
