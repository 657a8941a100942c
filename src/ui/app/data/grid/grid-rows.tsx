// The rendered rows of the grid; each is memoized, so that it renders only when it changes.
import { Pencil, Trash2 } from 'lucide-react'
import { memo, type CSSProperties, type ReactNode } from 'react'
import {
  type EditedCell,
  type LaidColumn,
  type Row,
  type EditState,
  type Column,
  type Labels,
  NOT_VISIBLE,
  valueText,
  zonedTime,
  cellOf,
  type LoadedRow,
  type Place,
} from '../../../../services/workbench/table/index.ts'
import { cx } from '../../../widgets/cx.ts'
import { useTimeZone } from '../../time-zone.ts'
import square from '../../../widgets/square.module.css'
import styles from './grid.module.css'
import table from '../data.module.css'
import type { GridProps } from './grid-types.ts'

const MAX_TEXT = 300

interface CellValueProps {
  readonly column: Column
  readonly value: unknown
  /** The signed-in user's id. */
  readonly me: string | undefined
}

interface ShownValue {
  readonly text: string
  /** How to style text that is not the value itself (null, empty) or that is code. */
  readonly look: 'plain' | 'absent' | 'code'
  /** The full value, when the cell shortens or reformats it. */
  readonly title?: string
}

/** Distinguishes null from empty text, shows the user's own id as a name, and times in the preferred zone. */
export function shownValue({ column, value, me }: CellValueProps): ShownValue {
  if (value === NOT_VISIBLE)
    return {
      text: 'not visible',
      look: 'absent',
      title: 'The row is there, but its policies hide it from you.',
    }
  if (value === undefined && column.related !== undefined) return { text: '…', look: 'absent' }
  if (value === null || value === undefined) return { text: 'null', look: 'absent' }
  if (value === '') return { text: 'empty', look: 'absent' }
  const text = valueText(value)
  if (column.type === 'timestamp') return { text: zonedTime(text), look: 'plain', title: text }
  if (column.type === 'uuid')
    return text === me
      ? { text: 'you', look: 'plain', title: text }
      : { text: `${text.slice(0, 8)}…`, look: 'code', title: text }
  const shown = text.slice(0, MAX_TEXT)
  return column.isKey || typeof value === 'boolean' || typeof value === 'object'
    ? { text: shown, look: 'code' }
    : { text: shown, look: 'plain', title: shown }
}

export function CellValue(props: CellValueProps) {
  useTimeZone()
  const { text, look, title } = shownValue(props)
  if (look === 'absent') return <span className={table.null}>{text}</span>
  return look === 'code' ? <code title={title}>{text}</code> : <span title={title}>{text}</span>
}

type CellMark = 'pending' | 'failed' | 'conflict'

/** The mark for an edit state. */
const cellMark = (state: EditState): CellMark => {
  switch (state.at) {
    case 'queued':
    case 'sending':
    case 'backingOff':
      return 'pending'
    case 'refused':
      return 'failed'
    case 'conflict':
      return 'conflict'
  }
}

/** The tooltip of a mark. */
export const editWords = (state: EditState): string => {
  switch (state.at) {
    case 'queued':
    case 'sending':
      return 'Saving…'
    case 'backingOff':
      return `Not saved yet. ${state.failure.message} Retrying automatically.`
    case 'refused':
      return `Not saved. ${state.failure.message}`
    case 'conflict':
      return state.theirs === undefined
        ? 'Not saved: the row was deleted or is no longer visible to you.'
        : 'Conflict: this cell changed since you loaded it.'
  }
}

/** A visible column. */
export interface SeenColumn extends LaidColumn {
  /** Index among all shown columns. */
  readonly index: number
  /** Sticky offset from the left edge in pixels, or the width of off-screen columns before it. */
  readonly left: number
}

interface GridRowProps {
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
  /** The zone of the shown times: a row renders again when it changes. */
  readonly zone: string
  readonly labels: ReadonlyMap<string, Labels>
  readonly gridId: string
  readonly editor: ReactNode
}

const cellStyle = ({ width, isPinned, left }: SeenColumn): CSSProperties =>
  isPinned ? { width, left } : { width, marginLeft: left }

interface DataCellProps extends Pick<GridRowProps, 'row' | 'gridId' | 'me' | 'zone' | 'editor'> {
  readonly index: number
  readonly seen: SeenColumn
  readonly change: EditedCell | undefined
  /** A value of another row, which an unsaved edit of the key replaces. */
  readonly isOutdated: boolean
  readonly isCursor: boolean
  readonly isSelected: boolean
  readonly isLive: boolean
  /** Of the row that the cell refers to. */
  readonly labels: Labels | undefined
}

/** A cell is a single element with text: hundreds render per frame and take most of its time. */
const DataCell = memo(function DataCell(props: DataCellProps) {
  const { seen, row, index, change, isCursor, isSelected, isLive, labels, gridId, editor, me } = props
  const { column, isPinned } = seen
  const state = change?.edit.state
  const text = state === undefined ? undefined : editWords(state)
  const value = change === undefined ? (props.isOutdated ? undefined : row?.[column.name]) : change.cell
  const shown = row === undefined ? undefined : shownValue({ column, value, me })
  const label = labels?.get(valueText(value))
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
        column.related && styles.related,
        state && styles[cellMark(state)],
        shown && LOOKS[shown.look],
        shown && FROM_RIGHT.test(shown.text) && styles.eitherWay,
        editor !== null && styles.open,
        (column.type === 'integer' || column.type === 'number') && styles.number,
      )}
      style={cellStyle(seen)}
      data-column={seen.index}
      title={text ?? (label === undefined ? shown?.title : `${valueText(value)}: ${label}`)}
    >
      {shown === undefined ? <span className={styles.bone} /> : shown.text}
      {label === undefined ? null : <span className={styles.label}> {label}</span>}
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
const GridRow = memo(function GridRow(props: GridRowProps) {
  const { index, start, width, row, name, columns, mark, cursor, selected, edited, canEdit, canDelete } =
    props
  const { gridId, me, zone, labels, editor } = props
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
          isOutdated={seen.column.related?.steps[0]?.columns.some(name => edited?.has(name)) ?? false}
          isCursor={cursor === seen.index}
          isSelected={selected?.has(seen.column.name) ?? false}
          isLive={mark === 'live' && seen.index === 0}
          labels={labels.get(seen.column.name)}
          gridId={gridId}
          me={me}
          zone={zone}
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

interface BodyProps extends GridProps {
  readonly seen: readonly SeenColumn[]
  readonly items: readonly { readonly index: number; readonly start: number; readonly slot: number }[]
  readonly width: number
  /** Undefined while the cursor's row is not loaded. */
  readonly cursor: Place | undefined
  /** Names of the selected columns. */
  readonly selected: ReadonlySet<string>
  readonly gridId: string
  readonly startOf: (row: number) => number
}

const markOf = (key: string | undefined, { live, leaving }: GridProps['marks']) => {
  if (key === undefined) return 'none'
  if (leaving.has(key)) return 'leaving'
  return live.has(key) ? 'live' : 'none'
}

const editorOf = ({ editing, columns, marks, actions, editor }: BodyProps, row: Row) => {
  const column = columns.find(each => each.column.name === editing?.column)?.column
  if (editing === undefined || column === undefined) return null
  const change = marks.edited.get(editing.key)?.get(column.name)
  const state = change?.edit.state
  return editor({
    column,
    row,
    cell: change === undefined ? cellOf(row, column) : change.cell,
    typed: editing.typed,
    error: state !== undefined && 'failure' in state ? state.failure.message : undefined,
    onCommit: actions.commit,
    onType: actions.type,
    onCancel: actions.cancel,
  })
}

interface BodyRowProps extends Omit<LoadedRow, 'row' | 'key'> {
  readonly start: number
  /** Undefined while the row is not loaded. */
  readonly loaded: Omit<LoadedRow, 'index'> | undefined
  readonly isEdited: boolean
  readonly body: BodyProps
}

function BodyRow({ index, start, loaded, isEdited, body }: BodyRowProps) {
  const { marks, selection, columns, editing, cursor } = body
  const key = loaded?.key
  const isSelected = key !== undefined && selection.rows.has(key)
  const editedColumn = columns.findIndex(each => each.column.name === editing?.column)
  const cursorColumn = cursor?.row === index ? cursor.column : -1
  return (
    <GridRow
      index={index}
      start={start}
      width={body.width}
      row={loaded?.row}
      name={key ?? `#${index + 1}`}
      columns={body.seen}
      columnCount={columns.length}
      mark={markOf(key, marks)}
      edited={key === undefined ? undefined : marks.edited.get(key)}
      cursor={isEdited ? editedColumn : cursorColumn}
      selected={isSelected ? body.selected : undefined}
      canEdit={body.canEdit}
      canDelete={body.canDelete}
      me={body.me}
      zone={body.zone}
      labels={body.labels}
      gridId={body.gridId}
      editor={isEdited && loaded !== undefined ? editorOf(body, loaded.row) : null}
    />
  )
}

/** Keeps the edited row mounted while the user scrolls, and after it left the table. */
export function GridBody(body: BodyProps) {
  const { items, view, editing, startOf } = body
  const edited = editing && view.rows.withKey(editing.key)?.index
  const listed = items.map(item => ({
    ...item,
    loaded: view.rows.at(item.index),
    isEdited: item.index === edited,
  }))
  const isAway = editing !== undefined && !listed.some(({ isEdited }) => isEdited)
  const { row: place } = editing?.place ?? { row: 0 }
  return (
    <>
      {listed.map(({ slot, ...item }) => (
        <BodyRow key={item.isEdited ? 'edited' : slot} {...item} body={body} />
      ))}
      {isAway ? (
        <BodyRow key="edited" index={place} start={startOf(place)} loaded={editing} isEdited body={body} />
      ) : null}
    </>
  )
}
