// The grid of rows: sorting by column, keyboard, live rows marked.
import { ArrowDown, ArrowUp, Pencil, Trash2 } from 'lucide-react'
import { Cell, Column, Row as AriaRow, Table, TableBody, TableHeader } from 'react-aria-components'
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
      <IconButton size="s" label={`Edit ${name}`} onPress={onEdit}>
        <Pencil size={14} />
      </IconButton>
      <IconButton size="s" label={`Delete ${name}`} onPress={onDelete}>
        <Trash2 size={14} />
      </IconButton>
    </span>
  )
}

/** Enter on a row edits it; tables without a known key are read-only. */
export function DataGrid({ info, rows, live, sort, onSort, onEdit, onDelete }: DataGridProps) {
  const first = info.columns.find(column => column.isKey)?.name ?? info.columns[0]?.name
  const canWrite = info.columns.some(column => column.isKey)
  const items = rows.map((row, index) => {
    const key = rowKey(info, row)
    return { id: key ?? `#${index}`, row, isLive: key !== undefined && live.has(key) }
  })
  return (
    <div className={styles.scroll}>
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
          const item = items.find(each => each.id === id)
          if (item !== undefined && canWrite) onEdit(item.row)
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
            <span className={styles.hidden}>Actions</span>
          </Column>
        </TableHeader>
        <TableBody items={items} dependencies={[info, live]}>
          {item => (
            <AriaRow id={item.id} className={cx(styles.row, item.isLive && styles.live)}>
              {info.columns.map(column => (
                <Cell key={column.name} className={cx(styles.cell)}>
                  <CellValue column={column} value={item.row[column.name]} />
                  {item.isLive && column.name === first ? (
                    <span className={styles.liveText}> · live</span>
                  ) : null}
                </Cell>
              ))}
              <Cell className={cx(styles.cell, styles.actionCell)}>
                {canWrite ? (
                  <RowActions
                    name={item.id}
                    onEdit={() => onEdit(item.row)}
                    onDelete={() => onDelete(item.row)}
                  />
                ) : null}
              </Cell>
            </AriaRow>
          )}
        </TableBody>
      </Table>
    </div>
  )
}
