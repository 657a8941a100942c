// Sends rows: each write names its row and the version it is based on, so that no other user's change is
// overwritten unseen.
import type { ChartroomClient } from '../../../client/index.ts'
import { emptyRecord } from '../../storage/safe-record.ts'
import { cellOf, readCell, type Cell } from '../cells/cell-text.ts'
import { callRest, type RestRead, type RestResponse } from '../../rest/rest.ts'
import {
  callTable,
  parameterName,
  quoteItem,
  quoteName,
  toRestRead,
  type TableQuery,
} from '../table-query.ts'
import type { DataFailure } from '../../rest/explain-failure.ts'
import { allColumns, rowKey, type Column, type Row, type TableInfo } from '../schema.ts'
import type { DeletionAnswer, DeletionSender } from './deletion-store.ts'
import type { EditSender, Edit, EditDecision, Values } from './edit-store.ts'

export type Parameter = readonly [name: string, value: string]

export interface Writing {
  readonly client: ChartroomClient
  readonly query: TableQuery
  readonly info: TableInfo
  /** Called with the id of the write request, and of a read before it. */
  readonly onRequest?: (request: string) => void
}

/** The values to write and the row they are based on. */
export type Writable = Pick<Edit, 'row' | 'values'>

const RETURNING = 'return=representation'
const UNTOUCHED: DataFailure = {
  message: 'RLS: you can read this row but not make this change.',
  retry: false,
}

const AMBIGUOUS: DataFailure = {
  message:
    'Nothing was changed: several rows have this ID. The backend does not report the primary key, so the row cannot be identified.',
  retry: false,
}

const addressOf = ({ query }: Writing) => ({
  path: `/${encodeURIComponent(query.table)}`,
  headers: (query.schema === 'public' ? {} : { 'Content-Profile': query.schema }) as Readonly<
    Record<string, string>
  >,
})

/** The address for reads of the whole table. */
const readOf = ({ query }: Writing): Pick<RestRead, 'path' | 'headers'> => {
  const { path, headers } = toRestRead({ ...query, filters: [], sorts: [], columns: [] })
  return { path, headers }
}

const columnsOf = ({ info }: Writing) => ({ columns: info.known ? info.columns : [] })

/** The values to send, or the first that cannot be sent. */
export const readValues = (
  values: Values,
  columns: readonly Column[],
): { readonly body: Row } | { readonly failure: DataFailure } => {
  const body = emptyRecord<unknown>()
  for (const [name, cell] of Object.entries(values)) {
    const column = columns.find(each => each.name === name)
    const reading = column === undefined ? { value: cell } : readCell(column, cell)
    if ('error' in reading) return { failure: { message: reading.error, field: name, retry: false } }
    body[name] = reading.value
  }
  return { body }
}

const edited = ({ info }: Writing, edit: Writable) =>
  info.columns.filter(column => Object.hasOwn(edit.values, column.name))

/** Types the database can compare, with text short enough for a URL. */
const COMPARED: ReadonlySet<Column['type']> = new Set<Column['type']>([
  'integer',
  'number',
  'uuid',
  'timestamp',
  'date',
  'time',
  'enum',
  'text',
])
const LONGEST = 200

/** Some servers interpret such text as a keyword. */
const isWord = (text: string) => /^(null|true|false|unknown)$/i.test(text)

/** Whether the database can check this value. */
export const isGuarded = (column: Column, cell: Cell): boolean =>
  cell === null ||
  (COMPARED.has(column.type) &&
    cell.length <= LONGEST &&
    !isWord(cell) &&
    (column.type !== 'text' || /^(text|character|varchar|char|citext|name)/.test(column.format)))

/** The condition that checks it. */
const guardFor = (column: Column, cell: Cell): Parameter => [
  parameterName(column.name),
  cell === null ? 'is.null' : `eq.${cell}`,
]

/** Conditions that identify a row. */
const keyConditions = (info: TableInfo, row: Row): readonly Parameter[] =>
  info.columns.filter(column => column.isKey).map(column => guardFor(column, cellOf(row, column)))

/** The row's current version; undefined when it was deleted or is hidden. */
const rowNow = async (
  writing: Writing,
  edit: Writable,
  onStart?: Writing['onRequest'],
): Promise<RestResponse & { readonly row?: Row | undefined }> => {
  const answer = await callTable(writing.client, {
    method: 'GET',
    ...readOf(writing),
    ...columnsOf(writing),
    query: keyConditions(writing.info, edit.row),
    onStart,
  })
  return answer.ok ? { ...answer, row: answer.rows[0] } : answer
}

/** How the row changed since, for an edit that matched no row. */
export type ConflictKind = 'gone' | 'same' | 'mine' | 'theirs'

/** `same`: the cells are unchanged, so something else forbids the write. `mine`: it was saved after all. */
export const conflictKindOf = (
  edit: Pick<Edit, 'row' | 'values'>,
  now: Row | undefined,
  { columns }: TableInfo,
): ConflictKind => {
  if (now === undefined) return 'gone'
  const edited = columns.filter(column => Object.hasOwn(edit.values, column.name))
  if (edited.every(column => cellOf(now, column) === edit.values[column.name])) return 'mine'
  return edited.every(column => cellOf(now, column) === cellOf(edit.row, column)) ? 'same' : 'theirs'
}

const decide = (writing: Writing, edit: Writable, now: Row | undefined): EditDecision => {
  switch (conflictKindOf(edit, now, writing.info)) {
    case 'mine':
      return { type: 'saved', row: now ?? edit.row }
    case 'same':
      return { type: 'failed', failure: UNTOUCHED }
    case 'gone':
    case 'theirs':
      return { type: 'conflict', theirs: now }
  }
}

const differs = (column: Column, edit: Writable, now: Row) => cellOf(now, column) !== cellOf(edit.row, column)

/** Sends an edit and returns the result; never rejects. */
export const sendEdit = async (writing: Writing, edit: Writable): Promise<EditDecision> => {
  const { values, row } = edit
  const { info } = writing
  const read = readValues(values, info.columns)
  if ('failure' in read) return { type: 'failed', failure: read.failure }
  const columns = edited(writing, edit)
  // Values the database cannot compare are compared here, just before the write.
  const unguarded = columns.filter(column => !isGuarded(column, cellOf(row, column)))
  // A guessed key may match several rows.
  if (unguarded.length > 0 || !info.known) {
    const now = await rowNow(writing, edit, writing.onRequest)
    if (!now.ok) return { type: 'failed', failure: now.failure }
    if (now.rows.length > 1) return { type: 'failed', failure: AMBIGUOUS }
    const { row: current } = now
    if (current === undefined || unguarded.some(column => differs(column, edit, current)))
      return decide(writing, edit, current)
  }
  const guards = columns
    .filter(column => !unguarded.includes(column))
    .map(column => guardFor(column, cellOf(row, column)))
  return patch(writing, edit, read.body, guards)
}

/** After a write that matched no row, reads the row to find the reason. */
const patch = async (
  writing: Writing,
  edit: Writable,
  body: Row,
  guards: readonly Parameter[],
): Promise<EditDecision> => {
  const { row } = edit
  const answer = await callTable(writing.client, {
    method: 'PATCH',
    ...addressOf(writing),
    ...columnsOf(writing),
    query: [...keyConditions(writing.info, row), ...guards],
    prefer: RETURNING,
    body,
    onStart: writing.onRequest,
  })
  if (!answer.ok) return { type: 'failed', failure: answer.failure }
  const [saved] = answer.rows
  if (saved !== undefined) return { type: 'saved', row: saved }
  const now = await rowNow(writing, edit)
  if (!now.ok) return { type: 'failed', failure: now.failure }
  // The server matches some values under no text form; the check above showed that no other user changed
  // them.
  if (guards.length > 0 && conflictKindOf(edit, now.row, writing.info) === 'same')
    return patch(writing, edit, body, [])
  return (await holdsMine(writing, edit))
    ? { type: 'saved', row: now.row ?? row }
    : decide(writing, edit, now.row)
}

/** A value has several text forms: the database decides whether the row already has the new value. */
const holdsMine = async (writing: Writing, edit: Writable): Promise<boolean> => {
  const cells = edited(writing, edit).map(column => [column, edit.values[column.name] ?? null] as const)
  if (cells.some(([column, cell]) => !isGuarded(column, cell))) return false
  const mine = cells.map(([column, cell]) => guardFor(column, cell))
  const query = [...keyConditions(writing.info, edit.row), ...mine]
  const answer = await callRest(writing.client, { method: 'GET', ...readOf(writing), query })
  return answer.ok && answer.rows.length === 1
}

/** Sends a new row and returns the result; never rejects. */
const sendRow = async (writing: Writing, values: Values): Promise<EditDecision> => {
  const read = readValues(values, allColumns(writing.info))
  if ('failure' in read) return { type: 'failed', failure: read.failure }
  const answer = await callTable(writing.client, {
    method: 'POST',
    ...addressOf(writing),
    ...columnsOf(writing),
    query: [],
    prefer: RETURNING,
    body: read.body,
    onStart: writing.onRequest,
  })
  return answer.ok
    ? { type: 'saved', row: answer.rows[0] ?? read.body }
    : { type: 'failed', failure: answer.failure }
}

/** Sends the edits of a table; a store keeps it after the table's page closed. */
export const createEditSender = (writing: Writing): EditSender => ({
  send: (edit, onRequest) => sendEdit({ ...writing, onRequest }, edit),
  add: (values, onRequest) => sendRow({ ...writing, onRequest }, values),
  check: values => {
    const read = readValues(values, allColumns(writing.info))
    return 'failure' in read ? read.failure : undefined
  },
  keyOf: row => rowKey(writing.info, row),
})

/** The condition that matches several rows. */
export const anyOf = (info: TableInfo, rows: readonly Row[]): Parameter => {
  const keys = info.columns.filter(column => column.isKey)
  const [only] = keys
  if (only !== undefined && keys.length === 1) {
    const cells = rows.map(row => quoteItem(cellOf(row, only) ?? ''))
    return [parameterName(only.name), `in.(${cells.join(',')})`]
  }
  const terms = rows.map(row => {
    const parts = keys.map(column => `${quoteName(column.name)}.eq.${quoteItem(cellOf(row, column) ?? '')}`)
    return `and(${parts.join(',')})`
  })
  return ['or', `(${terms.join(',')})`]
}

/** Number of rows that fit in one URL. */
export const ROWS_AT_ONCE = 80

/** Deletes rows; returns the deleted ones, or the failure. */
export const deleteRows = async (writing: Writing, rows: readonly Row[]): Promise<RestResponse> => {
  const { client, info } = writing
  const those = anyOf(info, rows)
  if (!info.known) {
    const now = await callRest(client, { method: 'GET', ...readOf(writing), query: [those] })
    if (!now.ok) return now
    if (now.rows.length > rows.length) return { ok: false, failure: AMBIGUOUS, request: now.request }
  }
  return callTable(client, {
    method: 'DELETE',
    ...addressOf(writing),
    ...columnsOf(writing),
    query: [those],
    prefer: RETURNING,
  })
}

const isSame = (before: Row, now: Row) =>
  Object.keys(before).every(name => cellOf(before, { name }) === cellOf(now, { name }))

/** Deletes the rows that still have the given values, compared just before the deletion. */
const deleteUnchanged = async (writing: Writing, rows: readonly Row[]): Promise<DeletionAnswer> => {
  const { client, info } = writing
  const now = await callTable(client, {
    method: 'GET',
    ...readOf(writing),
    ...columnsOf(writing),
    query: [anyOf(info, rows)],
  })
  if (!now.ok) return now
  if (now.rows.length > rows.length) return { ok: false, failure: AMBIGUOUS, request: now.request }
  const current = new Map(now.rows.map(row => [rowKey(info, row), row]))
  const [same, changed, missing]: [Row[], Row[], Row[]] = [[], [], []]
  for (const row of rows) {
    const found = current.get(rowKey(info, row))
    if (found === undefined) missing.push(row)
    else if (isSame(row, found)) same.push(found)
    else changed.push(found)
  }
  const answer = same.length === 0 ? { ...now, rows: [] } : await deleteRows(writing, same)
  return { ...answer, changed, missing }
}

/** Sends the deletions of a table; a store keeps it after the table's page closed. */
export const createDeletionSender = (writing: Writing): DeletionSender => ({
  send: (rows, onlyUnchanged) => (onlyUnchanged ? deleteUnchanged : deleteRows)(writing, rows),
  keyOf: row => rowKey(writing.info, row),
})
