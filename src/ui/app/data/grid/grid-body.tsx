// The rendered rows of the grid and their props.
import { cellOf, type LoadedRow, type Place, type Row } from '../../../../services/workbench/table/index.ts'
import { GridRow, type SeenColumn } from './grid-row.tsx'
import type { GridProps } from './grid-types.ts'

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
