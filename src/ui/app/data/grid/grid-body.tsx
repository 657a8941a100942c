// The rows of the grid that are drawn, with what each of them is given.
import { cellOf } from '../cells/cell-text.ts'
import { rowKey, type Row } from '../schema.ts'
import { GridRow, type SeenColumn } from './grid-row.tsx'
import type { GridProps } from './grid-types.ts'
import type { Block } from './selection.ts'

interface BodyProps extends GridProps {
  readonly seen: readonly SeenColumn[]
  readonly items: readonly { readonly index: number; readonly start: number; readonly slot: number }[]
  readonly width: number
  readonly block: Block | undefined
  readonly gridId: string
  readonly startOf: (row: number) => number
}

const markOf = (key: string | undefined, { live, leaving }: GridProps['rows']) => {
  if (key === undefined) return 'none'
  if (leaving.has(key)) return 'leaving'
  return live.has(key) ? 'live' : 'none'
}

const editorOf = ({ editing, columns, rows, actions, editor }: BodyProps, row: Row) => {
  const column = columns.find(each => each.column.name === editing?.column)?.column
  if (editing === undefined || column === undefined) return null
  const change = rows.edited.get(editing.key)?.get(column.name)
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

interface BodyRowProps {
  readonly index: number
  readonly start: number
  readonly row: Row | undefined
  readonly body: BodyProps
}

function BodyRow({ index, start, row, body }: BodyRowProps) {
  const { rows, info, block, selection, columns, editing } = body
  const key = row && rowKey(info, row)
  const isChosen = block !== undefined && index >= block.top && index <= block.bottom
  const isEdited = editing !== undefined && key === editing.key
  const editedColumn = columns.findIndex(each => each.column.name === editing?.column)
  const cursor = selection.cursor.row === index ? selection.cursor.column : -1
  return (
    <GridRow
      index={index}
      start={start}
      width={body.width}
      row={row}
      name={key ?? `#${index + 1}`}
      columns={body.seen}
      columnCount={columns.length}
      mark={markOf(key, rows)}
      edited={key === undefined ? undefined : rows.edited.get(key)}
      cursor={isEdited ? editedColumn : cursor}
      from={isChosen ? block.left : -1}
      to={isChosen ? block.right : -1}
      canEdit={body.canEdit}
      canDelete={body.canDelete}
      me={body.me}
      gridId={body.gridId}
      editor={isEdited && row !== undefined ? editorOf(body, row) : null}
    />
  )
}

/** The row that is edited stays where it is drawn, however far one scrolls, and when it is gone from the table. */
export function GridBody(body: BodyProps) {
  const { items, rows, info, editing, startOf } = body
  const listed = items.map(item => {
    const row = rows.rowAt(item.index)
    const isEdited = editing !== undefined && row !== undefined && rowKey(info, row) === editing.key
    return { ...item, row, slot: isEdited ? 'edited' : item.slot }
  })
  const isAway = editing !== undefined && !listed.some(item => item.slot === 'edited')
  const { row: place } = editing?.place ?? { row: 0 }
  return (
    <>
      {listed.map(({ index, start, row, slot }) => (
        <BodyRow key={slot} index={index} start={start} row={row} body={body} />
      ))}
      {isAway ? (
        <BodyRow key="edited" index={place} start={startOf(place)} row={editing.row} body={body} />
      ) : null}
    </>
  )
}
