// One row of the grid: drawn again only when something of it changed.
import { Pencil, Trash2 } from 'lucide-react'
import { memo, type CSSProperties, type ReactNode } from 'react'
import { CellValue } from '../cell-value.tsx'
import type { Row } from '../schema.ts'
import type { EditedCell } from '../writes/edits.ts'
import { cx } from '../../../widgets/cx.ts'
import type { LaidColumn } from './columns.ts'
import { cellMark, editWords } from './marks.ts'
import styles from './grid.module.css'

/** A column in sight. */
export interface SeenColumn extends LaidColumn {
  /** Among all columns on show. */
  readonly index: number
  /** Pixels that it is kept from the left edge, or that columns out of sight take before it. */
  readonly left: number
}

export interface GridRowProps {
  readonly index: number
  readonly start: number
  readonly width: number
  readonly row: Row | undefined
  readonly name: string
  readonly columns: readonly SeenColumn[]
  /** How many columns there are, seen or not. */
  readonly columnCount: number
  readonly mark: 'none' | 'live' | 'leaving'
  readonly edited: ReadonlyMap<string, EditedCell> | undefined
  /** The cursor's column; -1 where it is in another row. */
  readonly cursor: number
  /** Chosen columns of this row, from and to; -1 for none. */
  readonly from: number
  readonly to: number
  readonly canEdit: boolean
  readonly canDelete: boolean
  readonly me: string | undefined
  readonly gridId: string
  readonly editor: ReactNode
}

const cellStyle = ({ width, isPinned, left }: SeenColumn): CSSProperties =>
  isPinned ? { width, left } : { width, marginLeft: left }

function DataCell(props: Omit<GridRowProps, 'width' | 'start' | 'name'> & { readonly seen: SeenColumn }) {
  const { seen, row, index, edited, cursor, from, to, gridId, editor, me, mark } = props
  const { column, isPinned } = seen
  const change = edited?.get(column.name)
  const state = change?.edit.state
  const isCursor = cursor === seen.index
  const value = change === undefined ? row?.[column.name] : change.cell
  return (
    <div
      role="gridcell"
      id={`${gridId}-${index}-${seen.index}`}
      aria-colindex={seen.index + 2}
      aria-selected={seen.index >= from && seen.index <= to}
      className={cx(
        styles.cell,
        isPinned && styles.pinned,
        isCursor && styles.cursor,
        state && styles[cellMark(state)],
        (column.type === 'integer' || column.type === 'number') && styles.number,
      )}
      style={cellStyle(seen)}
      data-column={seen.index}
      {...(state === undefined ? {} : { title: editWords(state) })}
    >
      {row === undefined ? (
        <span className={styles.bone} />
      ) : (
        <span className={styles.value} dir="auto">
          <CellValue column={column} value={value} me={me} />
        </span>
      )}
      {mark === 'live' && seen.index === 0 ? <span className={styles.liveText}> · live</span> : null}
      {state === undefined ? null : <span className={styles.hidden}> {editWords(state)}</span>}
      {isCursor ? editor : null}
    </div>
  )
}

function Actions({ name, canEdit, canDelete }: Pick<GridRowProps, 'name' | 'canEdit' | 'canDelete'>) {
  return (
    <span className={styles.rowActions}>
      {canEdit ? (
        <button
          type="button"
          tabIndex={-1}
          className={styles.action}
          aria-label={`Edit ${name}`}
          data-do="edit"
        >
          <Pencil size={14} aria-hidden />
        </button>
      ) : null}
      {canDelete ? (
        <button
          type="button"
          tabIndex={-1}
          className={styles.action}
          aria-label={`Delete ${name}`}
          data-do="delete"
        >
          <Trash2 size={14} aria-hidden />
        </button>
      ) : null}
    </span>
  )
}

/** Its cells say by `data-column`, its buttons by `data-do` what is meant: the grid listens for all of them. */
export const GridRow = memo(function GridRow(props: GridRowProps) {
  const { index, start, width, row, name, columns, mark, from, canEdit, canDelete } = props
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      aria-selected={from >= 0}
      data-row={index}
      className={cx(styles.row, mark !== 'none' && styles[mark])}
      style={{ transform: `translateY(${start}px)`, width }}
    >
      <div
        role="gridcell"
        aria-colindex={1}
        aria-label={`Row ${index + 1}`}
        className={styles.gutter}
        data-gutter=""
      >
        <span aria-hidden data-number={index + 1} className={styles.rowNumber} />
      </div>
      {columns.map(seen => (
        <DataCell key={seen.column.name} {...props} seen={seen} />
      ))}
      <div role="gridcell" aria-colindex={props.columnCount + 2} className={styles.actionCell}>
        {row === undefined || mark === 'leaving' ? null : (
          <Actions name={name} canEdit={canEdit} canDelete={canDelete} />
        )}
      </div>
    </div>
  )
})
