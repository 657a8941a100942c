// A grid row, memoized so that it renders only when it changes.
import { Pencil, Trash2 } from 'lucide-react'
import { memo, type CSSProperties, type ReactNode } from 'react'
import { shownValue } from '../cell-value.tsx'
import type { EditedCell, LaidColumn, Row } from '../../../../services/workbench/table/index.ts'
import { cx } from '../../../widgets/cx.ts'
import { cellMark, editWords } from './marks.ts'
import square from '../../../widgets/square.module.css'
import styles from './grid.module.css'

/** A visible column. */
export interface SeenColumn extends LaidColumn {
  /** Index among all shown columns. */
  readonly index: number
  /** Sticky offset from the left edge in pixels, or the width of off-screen columns before it. */
  readonly left: number
}

export interface GridRowProps {
  readonly index: number
  readonly start: number
  readonly width: number
  readonly row: Row | undefined
  readonly name: string
  readonly columns: readonly SeenColumn[]
  /** Number of columns, visible or not. */
  readonly columnCount: number
  readonly mark: 'none' | 'live' | 'leaving'
  readonly edited: ReadonlyMap<string, EditedCell> | undefined
  /** The cursor's column; -1 when the cursor is in another row. */
  readonly cursor: number
  /** Names of the selected columns; undefined when the row is not selected. */
  readonly selected: ReadonlySet<string> | undefined
  readonly canEdit: boolean
  readonly canDelete: boolean
  readonly me: string | undefined
  readonly gridId: string
  readonly editor: ReactNode
}

const cellStyle = ({ width, isPinned, left }: SeenColumn): CSSProperties =>
  isPinned ? { width, left } : { width, marginLeft: left }

interface DataCellProps extends Pick<GridRowProps, 'row' | 'gridId' | 'me' | 'editor'> {
  readonly index: number
  readonly seen: SeenColumn
  readonly change: EditedCell | undefined
  readonly isCursor: boolean
  readonly isSelected: boolean
  readonly isLive: boolean
}

/** A cell is a single element with text: hundreds render per frame and take most of its time. */
const DataCell = memo(function DataCell(props: DataCellProps) {
  const { seen, row, index, change, isCursor, isSelected, isLive, gridId, editor, me } = props
  const { column, isPinned } = seen
  const state = change?.edit.state
  const text = state === undefined ? undefined : editWords(state)
  const value = change === undefined ? row?.[column.name] : change.cell
  const shown = row === undefined ? undefined : shownValue({ column, value, me })
  return (
    <div
      role="gridcell"
      id={isCursor ? `${gridId}-${index}-${seen.index}` : undefined}
      aria-colindex={seen.index + 2}
      aria-selected={isSelected}
      className={cx(
        styles.cell,
        styles.text,
        isPinned && styles.pinned,
        isCursor && styles.cursor,
        state && styles[cellMark(state)],
        shown && LOOKS[shown.look],
        shown && FROM_RIGHT.test(shown.text) && styles.eitherWay,
        editor !== null && styles.open,
        (column.type === 'integer' || column.type === 'number') && styles.number,
      )}
      style={cellStyle(seen)}
      data-column={seen.index}
      title={text ?? shown?.title}
    >
      {shown === undefined ? <span className={styles.bone} /> : shown.text}
      {isLive ? <span className={styles.liveText}> · live</span> : null}
      {text === undefined ? null : <span className={styles.hidden}> {text}</span>}
      {editor}
    </div>
  )
})

/** Right-to-left scripts and directional marks. */
const FROM_RIGHT =
  /[\u0590-\u08ff\u200e\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u

const LOOKS = { plain: undefined, absent: styles.absent, code: styles.code } as const

function Actions({ name, canEdit, canDelete }: Pick<GridRowProps, 'name' | 'canEdit' | 'canDelete'>) {
  return (
    <span className={styles.rowActions}>
      {canEdit ? (
        <button
          type="button"
          tabIndex={-1}
          className={square.square}
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
          className={square.square}
          aria-label={`Delete ${name}`}
          data-do="delete"
        >
          <Trash2 size={14} aria-hidden />
        </button>
      ) : null}
    </span>
  )
}

/** Cells carry `data-column`, buttons `data-do`; the grid handles their events by delegation. */
export const GridRow = memo(function GridRow(props: GridRowProps) {
  const { index, start, width, row, name, columns, mark, cursor, selected, edited, canEdit, canDelete } =
    props
  const { gridId, me, editor } = props
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      aria-selected={selected !== undefined}
      data-row={index}
      className={cx(styles.row, mark !== 'none' && styles[mark], editor !== null && styles.open)}
      style={{ top: start, width }}
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
        <DataCell
          key={seen.column.name}
          seen={seen}
          row={row}
          index={index}
          change={edited?.get(seen.column.name)}
          isCursor={cursor === seen.index}
          isSelected={selected?.has(seen.column.name) ?? false}
          isLive={mark === 'live' && seen.index === 0}
          gridId={gridId}
          me={me}
          editor={cursor === seen.index ? editor : null}
        />
      ))}
      <div role="gridcell" aria-colindex={props.columnCount + 2} className={styles.actionCell}>
        {row === undefined || mark === 'leaving' ? null : (
          <Actions name={name} canEdit={canEdit} canDelete={canDelete} />
        )}
      </div>
    </div>
  )
})
