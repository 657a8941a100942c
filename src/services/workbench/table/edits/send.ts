// Sends rows: each write names its row and the version it is based on, so that no other user's change is
// overwritten unseen.
import type { ChartroomClient } from '../../../client/index.ts'
import { emptyRecord } from '../../storage/safe-record.ts'
import { cellOf, readCell } from '../cells/cell-text.ts'
import { keepByClient } from '../../storage/by-client.ts'
import { callRest, type RestRead, type RestResponse } from '../../rest/rest.ts'
import type { Condition } from '../cursor.ts'
import { callTable, toRestRead, type TableQuery } from '../table-query.ts'
import type { DataFailure } from '../../rest/explain-failure.ts'
import { allColumns, rowKey, type Column, type Row, type TableInfo } from '../schema.ts'
import { exactConditions, groupsOf, guardFor, isGuarded, rowConditions } from './row-conditions.ts'
import type { DeletionAnswer, DeletionSender } from './deletion-store.ts'
import type { EditSender, Edit, EditDecision, Values } from './edit-store.ts'

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
/** SQLSTATE of a missing privilege, and of a row that a policy refuses. */
const FORBIDDEN_CODE = '42501'
const UNTOUCHED: DataFailure = {
  message: 'RLS: you can read this row but not make this change.',
  retry: false,
}

const AMBIGUOUS: DataFailure = {
  message:
    'Nothing was changed: several rows have this ID, and none of them or more than one has the values that you see. Reload the table; rows that are equal in all values can only be changed by SQL.',
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

const columnsOf = ({ info }: Writing) => ({ columns: info.isKnown ? info.columns : [] })

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

/** Whether the server rolls back a write of more rows than it may affect; unknown until a response names it. */
const limits = keepByClient<{ isKept: boolean }>()

interface RowsWrite {
  readonly method: 'PATCH' | 'DELETE'
  readonly conditions: readonly Condition[]
  /** The number of rows to write. */
  readonly maxRows: number
  readonly body?: Row
}

type WriteAnswer = RestResponse | 'tooMany'

/** Writes the rows that match; writes nothing if they are more than these. */
const writeRows = async (
  writing: Writing,
  { method, conditions, maxRows, body }: RowsWrite,
): Promise<WriteAnswer> => {
  const { client, onRequest: onStart } = writing
  const limit = limits.of(client, '', () => ({ isKept: false }))
  if (!limit.isKept) {
    const result = await callTable(client, {
      method: 'GET',
      ...readOf(writing),
      ...columnsOf(writing),
      query: [...conditions, ['limit', String(maxRows + 1)]],
      prefer: 'count=exact',
      onStart,
    })
    if (!result.ok) return result
    if (Math.max(result.rows.length, result.total ?? 0) > maxRows) return 'tooMany'
  }
  const write = (prefer: string) =>
    callTable(client, {
      method,
      ...addressOf(writing),
      ...columnsOf(writing),
      query: conditions,
      prefer,
      ...(body && { body }),
      onStart,
    })
  const answer = await write(`${RETURNING},handling=strict,max-affected=${maxRows}`)
  if (answer.ok) {
    limit.isKept = /\bmax-affected=/.test(answer.applied ?? '')
    return answer.rows.length > maxRows
      ? { ok: false, failure: excess(maxRows, answer.rows.length), request: answer.request }
      : answer
  }
  if (answer.failure.code === 'PGRST124') return 'tooMany'
  if (answer.failure.code !== 'PGRST122') return answer
  // The server does not know the preference: nothing was written, and what matches was counted before.
  return write(RETURNING)
}

const excess = (maxRows: number, written: number): DataFailure => ({
  message: `${written} rows were changed instead of ${maxRows}: rows were added during the write. Reload the table and compare.`,
  retry: false,
})

const isSame = (before: Row, now: Row) =>
  Object.keys(before).every(name => cellOf(before, { name }) === cellOf(now, { name }))

/** The row's current version; undefined when it was deleted or is hidden. Of several, the one with the known values. */
const rowNow = async (
  writing: Writing,
  edit: Writable,
  onStart?: Writing['onRequest'],
): Promise<RestResponse & { readonly row?: Row | undefined }> => {
  const answer = await callTable(writing.client, {
    method: 'GET',
    ...readOf(writing),
    ...columnsOf(writing),
    query: rowConditions(writing.info, edit.row),
    onStart,
  })
  if (!answer.ok) return answer
  if (answer.rows.length < 2) return { ...answer, row: answer.rows[0] }
  const [row, ...moreRows] = answer.rows.filter(each => isSame(edit.row, each))
  if (row === undefined || moreRows.length > 0)
    return { ok: false, failure: AMBIGUOUS, request: answer.request }
  return { ...answer, row }
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
  if (unguarded.length > 0 || !info.isKnown) {
    const now = await rowNow(writing, edit, writing.onRequest)
    if (!now.ok) return { type: 'failed', failure: now.failure }
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
  guards: readonly Condition[],
): Promise<EditDecision> => {
  const { row } = edit
  const write = (conditions: readonly Condition[]) =>
    writeRows(writing, { method: 'PATCH', conditions, maxRows: 1, body })
  let answer = await write([...rowConditions(writing.info, row), ...guards])
  if (answer === 'tooMany') answer = await write(exactConditions(writing.info, row))
  if (answer === 'tooMany') return { type: 'failed', failure: AMBIGUOUS }
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
  const query = [...rowConditions(writing.info, edit.row), ...mine]
  const answer = await callTable(writing.client, {
    method: 'GET',
    ...readOf(writing),
    ...columnsOf(writing),
    query,
  })
  return answer.ok && answer.rows.length === 1
}

/**
 * Sends a new row and returns the result; never rejects. A refused row was not written, so it can be sent again: a user
 * who may add rows, but not read them, is refused only because the server would return the row.
 */
const sendRow = async (writing: Writing, values: Values): Promise<EditDecision> => {
  const read = readValues(values, allColumns(writing.info))
  if ('failure' in read) return { type: 'failed', failure: read.failure }
  const call = {
    method: 'POST',
    ...addressOf(writing),
    query: [],
    body: read.body,
    onStart: writing.onRequest,
  } as const
  const answer = await callTable(writing.client, { ...call, ...columnsOf(writing), prefer: RETURNING })
  if (answer.ok) return { type: 'saved', row: answer.rows[0] ?? read.body }
  if (answer.failure.code !== FORBIDDEN_CODE) return { type: 'failed', failure: answer.failure }
  const minimal = await callRest(writing.client, { ...call, prefer: 'return=minimal' })
  return minimal.ok
    ? { type: 'saved', row: read.body, isUnread: true }
    : { type: 'failed', failure: minimal.failure }
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

/** Reads the current versions of rows. */
const readRows = async (writing: Writing, rows: readonly Row[]): Promise<RestResponse> => {
  const currentRows: Row[] = []
  let request: string | undefined
  for (const { conditions } of groupsOf(writing.info, rows)) {
    const answer = await callTable(writing.client, {
      method: 'GET',
      ...readOf(writing),
      ...columnsOf(writing),
      query: conditions,
    })
    if (!answer.ok) return answer
    currentRows.push(...answer.rows)
    request = answer.request
  }
  return { ok: true, rows: currentRows, total: null, request }
}

/** Deletes rows; returns the deleted ones, and those that were gone before. */
export const deleteRows = async (writing: Writing, rows: readonly Row[]): Promise<DeletionAnswer> => {
  const { info } = writing
  const deleted: Row[] = []
  let request: string | undefined
  for (const { rows: groupRows, conditions } of groupsOf(info, rows)) {
    const answer = await writeRows(writing, { method: 'DELETE', conditions, maxRows: groupRows.length })
    const answers = answer === 'tooMany' ? await deleteExactly(writing, groupRows) : [answer]
    for (const each of answers) {
      if (!each.ok) return { ...each, deleted }
      deleted.push(...each.rows)
      request = each.request
    }
  }
  const keys = new Set(deleted.map(row => rowKey(info, row)))
  const left = rows.filter(row => !keys.has(rowKey(info, row)))
  if (left.length === 0) return { ok: true, rows: deleted, total: null, request }
  const now = await readRows(writing, left)
  if (!now.ok) return { ...now, deleted }
  const existing = new Set(now.rows.map(row => rowKey(info, row)))
  const missing = left.filter(row => !existing.has(rowKey(info, row)))
  return { ok: true, rows: deleted, total: null, request, missing }
}

/** Deletes each of the rows by all its values, because other rows have the same key; ends with the first failure. */
const deleteExactly = async (writing: Writing, rows: readonly Row[]): Promise<readonly RestResponse[]> => {
  const answers: RestResponse[] = []
  for (const row of rows) {
    const conditions = exactConditions(writing.info, row)
    const answer = await writeRows(writing, { method: 'DELETE', conditions, maxRows: 1 })
    answers.push(answer === 'tooMany' ? { ok: false, failure: AMBIGUOUS, request: undefined } : answer)
    if (answer === 'tooMany' || !answer.ok) break
  }
  return answers
}

/** Deletes the rows that still have the given values, compared just before the deletion. */
const deleteUnchanged = async (writing: Writing, rows: readonly Row[]): Promise<DeletionAnswer> => {
  const { info } = writing
  const now = await readRows(writing, rows)
  if (!now.ok) return now
  const current = Map.groupBy(now.rows, row => rowKey(info, row))
  const [sameRows, changed, goneRows]: [Row[], Row[], Row[]] = [[], [], []]
  for (const row of rows) {
    const currentRows = current.get(rowKey(info, row)) ?? []
    const unchanged = currentRows.find(each => isSame(row, each))
    if (unchanged !== undefined) sameRows.push(unchanged)
    else if (currentRows[0] === undefined) goneRows.push(row)
    else changed.push(currentRows[0])
  }
  const answer: DeletionAnswer =
    sameRows.length === 0 ? { ...now, rows: [] } : await deleteRows(writing, sameRows)
  return { ...answer, changed, missing: [...(answer.missing ?? []), ...goneRows] }
}

/** Sends the deletions of a table; a store keeps it after the table's page closed. */
export const createDeletionSender = (writing: Writing): DeletionSender => ({
  send: (rows, onlyUnchanged) => (onlyUnchanged ? deleteUnchanged : deleteRows)(writing, rows),
  keyOf: row => rowKey(writing.info, row),
})
