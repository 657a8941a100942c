// Row details next to the grid: full values, references, and unsaved input.
import { ArrowUpRight, Copy, Pencil, X } from 'lucide-react'
import { Link } from '@tanstack/react-router'
import { Button, IconButton } from '../../widgets/button.tsx'
import { lazyPart } from '../lazy-part.tsx'
import { copyText } from '../shell/copy-text.ts'
import {
  type Cell,
  cellOf,
  type Column,
  filtersTo,
  fixedReason,
  type Labels,
  type Row,
  rowKey,
  shortType,
  zonedTime,
} from '../../../services/workbench/table/index.ts'
import styles from './details.module.css'
import { formatCount, indented } from '../../../services/workbench/text/index.ts'
import { useTimeZone } from '../time-zone.ts'
import { inSchema, useTables } from './tables.tsx'
import type { TableModel } from './use-table.ts'

export interface RowDetailsProps {
  readonly table: TableModel
  readonly row: Row
  /** The row is no longer loaded and shown as last known. */
  readonly isAway: boolean
  readonly onClose: () => void
  readonly onEdit: (row: Row) => void
}

const RelatedRows = lazyPart(
  'the related rows',
  async () => (await import('./related/related-rows.tsx')).RelatedRows,
  { whileLoading: null },
)

/** Longer text is shown on request: rendering megabytes would freeze the page. */
const MOST_TEXT = 20_000

const shownText = (column: Column, cell: string): string => {
  const head = cell.slice(0, MOST_TEXT)
  if (cell.length > MOST_TEXT) return head
  return column.type === 'json' ? (indented(cell) ?? cell) : cell
}

function Value({ column, cell }: { readonly column: Column; readonly cell: Cell }) {
  const zone = useTimeZone()
  if (cell === null) return <em className={styles.absent}>null</em>
  if (cell === '') return <em className={styles.absent}>empty</em>
  const zoned = column.type === 'timestamp' ? zonedTime(cell) : cell
  const isCode = column.type !== 'text'
  return (
    <>
      <pre dir="auto" className={isCode ? styles.code : styles.plain}>
        {shownText(column, cell)}
      </pre>
      {cell.length > MOST_TEXT ? (
        <p className={styles.note}>
          Showing the first {formatCount(MOST_TEXT)} of {formatCount(cell.length)} characters. Copy copies all
          of them.
        </p>
      ) : null}
      {zoned === cell ? null : (
        <p className={styles.note}>
          {zoned} · {zone}
        </p>
      )}
    </>
  )
}

interface FieldProps {
  readonly column: Column
  readonly cellIn: (name: string) => Cell
  readonly labels: ReadonlyMap<string, Labels>
}

function Field({ column, cellIn, labels }: FieldProps) {
  const cell = cellIn(column.name)
  const label = cell === null ? undefined : labels.get(column.name)?.get(cell)
  const { references } = column
  const fixed = fixedReason(column)
  const { schema } = useTables()
  const filter = references && filtersTo(references, column.name, cellIn)
  return (
    <div className={styles.field}>
      <dt className={styles.name}>
        {column.name} <span className={styles.type}>{shortType(column.format)}</span>
        <span className={styles.tools}>
          {references === undefined || filter === undefined ? null : (
            <Link
              to="/data/$table"
              params={{ table: references.table }}
              search={{
                ...inSchema(schema),
                filter: [...filter],
              }}
              className={styles.link}
            >
              {references.table} <ArrowUpRight size={12} aria-hidden />
            </Link>
          )}
          <IconButton
            size="s"
            noTooltip
            label={`Copy ${column.name}`}
            onPress={() => void copyText(cell ?? '', `Copied ${column.name}`)}
          >
            <Copy size={13} />
          </IconButton>
        </span>
      </dt>
      <dd className={styles.value}>
        <Value column={column} cell={cell} />
        {label === undefined ? null : <p className={styles.note}>{label}</p>}
        {fixed === undefined ? null : <p className={styles.note}>Read-only: {fixed}.</p>}
        {column.note === undefined ? null : <p className={styles.note}>{column.note}</p>}
      </dd>
    </div>
  )
}

/** The cursor's row. */
export function RowDetails({ table, row, isAway, onClose, onEdit }: RowDetailsProps) {
  const { info } = table.pages
  const key = rowKey(info, row)
  const edited = table.edits.cells.get(key ?? '')
  const cellIn = (name: string): Cell => {
    const change = edited?.get(name)
    const column = info.columns.find(each => each.name === name)
    if (change !== undefined) return change.cell
    return column === undefined ? null : cellOf(row, column)
  }
  const savedCellIn = (name: string): Cell => cellOf(row, { name })
  const canEdit = table.readOnly === undefined && info.rights.update
  return (
    <aside className={styles.details} aria-label="Row details">
      <header className={styles.head}>
        <h2 className={styles.title}>
          {info.name} {key}
        </h2>
        {canEdit ? (
          <Button size="s" icon={<Pencil size={13} aria-hidden />} onPress={() => onEdit(row)}>
            Edit
          </Button>
        ) : null}
        <IconButton size="s" label="Close details" onPress={onClose}>
          <X size={15} />
        </IconButton>
      </header>
      <p role="status" className={styles.away}>
        {isAway
          ? 'This row is no longer loaded: it was moved, deleted or filtered out. Its last known version is shown.'
          : null}
      </p>
      <div className={styles.fields}>
        <dl>
          {info.columns.map(column => (
            <Field key={column.name} column={column} cellIn={cellIn} labels={table.labels.byColumn} />
          ))}
        </dl>
        <RelatedRows key={key} table={table} cellIn={savedCellIn} />
      </div>
    </aside>
  )
}
