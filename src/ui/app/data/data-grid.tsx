// The grid of rows: sorting by column, keyboard, live rows marked.
import { ArrowDown, ArrowUp, Pencil, Trash2 } from 'lucide-react'
import {
  Cell,
  Column,
  Row as AriaRow,
  Table,
  TableBody,
  TableHeader,
  VisuallyHidden,
} from 'react-aria-components'
import { useStatus } from '../../react.ts'
import { IconButton } from '../../widgets/button.tsx'
import { cx } from '../../widgets/cx.ts'
import { CellValue } from './cell-value.tsx'
import styles from './data.module.css'
import type { Sort } from './rows.ts'
import { rowKey, type Row, type TableInfo } from './schema.ts'

export interface DataGridProps {
  readonly info: TableInfo
  readonly rows: readonly Row[]
  readonly live: ReadonlySet<string>
  /** Newer rows, or those of another order or page, are on their way. */
  readonly isLoading: boolean
  readonly sort: Sort | undefined
  readonly onSort: (sort: Sort) => void
  readonly onEdit: (row: Row) => void
  readonly onDelete: (row: Row) => void
}

const direction = { asc: 'ascending', desc: 'descending' } as const

function Head({ name, sort }: { readonly name: string; readonly sort: Sort | undefined }) {
  const sorted = sort?.column === name
  return (
    <span className={styles.headText}>
      {name}
      {!sorted ? null : sort.direction === 'asc' ? (
        <ArrowUp size={12} aria-hidden />
      ) : (
        <ArrowDown size={12} aria-hidden />
      )}
    </span>
  )
}

function RowActions({ name, onEdit, onDelete }: { name: string; onEdit: () => void; onDelete: () => void }) {
  return (
    <span className={styles.rowActions}>
      <IconButton size="s" noTooltip label={`Edit ${name}`} onPress={onEdit}>
        <Pencil size={14} />
      </IconButton>
      <IconButton size="s" noTooltip label={`Delete ${name}`} onPress={onDelete}>
        <Trash2 size={14} />
      </IconButton>
    </span>
  )
}

/** Enter on a row edits it; tables without a known key are read-only. */
export function DataGrid({ info, rows, live, isLoading, sort, onSort, onEdit, onDelete }: DataGridProps) {
  const first = info.columns.find(column => column.isKey)?.name ?? info.columns[0]?.name
  const canWrite = info.columns.some(column => column.isKey)
  const me = useStatus(({ session }) => (session.phase === 'authenticated' ? session.user.id : undefined))
  const idOf = (row: Row) => rowKey(info, row) ?? `#${rows.indexOf(row)}`
  return (
    <div className={styles.scroll} aria-busy={isLoading}>
      <Table
        aria-label={`Rows of ${info.name}`}
        className={cx(styles.grid)}
        {...(sort === undefined
          ? {}
          : { sortDescriptor: { column: sort.column, direction: direction[sort.direction] } })}
        onSortChange={next =>
          onSort({ column: String(next.column), direction: next.direction === 'ascending' ? 'asc' : 'desc' })
        }
        onRowAction={id => {
          const row = rows.find(each => idOf(each) === id)
          if (row !== undefined && canWrite) onEdit(row)
        }}
      >
        <TableHeader className={cx(styles.header)}>
          {info.columns.map(column => (
            <Column
              key={column.name}
              id={column.name}
              allowsSorting
              isRowHeader={column.name === first}
              className={cx(styles.headCell)}
            >
              <Head name={column.name} sort={sort} />
            </Column>
          ))}
          <Column id="·actions" className={cx(styles.headCell, styles.actionCell)}>
            <VisuallyHidden>Actions</VisuallyHidden>
          </Column>
        </TableHeader>
        <TableBody items={rows} dependencies={[info, live, me]}>
          {row => (
            <AriaRow id={idOf(row)} className={cx(styles.row, live.has(idOf(row)) && styles.live)}>
              {info.columns.map(column => (
                <Cell key={column.name} className={cx(styles.cell)}>
                  <CellValue column={column} value={row[column.name]} me={me} />
                  {live.has(idOf(row)) && column.name === first ? (
                    <span className={styles.liveText}> · live</span>
                  ) : null}
                </Cell>
              ))}
              <Cell className={cx(styles.cell, styles.actionCell)}>
                {canWrite ? (
                  <RowActions name={idOf(row)} onEdit={() => onEdit(row)} onDelete={() => onDelete(row)} />
                ) : null}
              </Cell>
            </AriaRow>
          )}
        </TableBody>
      </Table>
    </div>
  )
}
