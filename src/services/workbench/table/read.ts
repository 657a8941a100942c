// Reads rows: a page of a query, the row count, and single rows by key.
import type { ChartroomClient } from '../../client/index.ts'
import { cellOf } from './cells/cell-text.ts'
import { callRest, type RestCall, type RestRead, type RestResponse } from '../rest/rest.ts'
import { callTable } from './call-table.ts'
import type { Row, TableInfo } from './schema.ts'
import { parameterName, selectName, sortText, toRestRead, type TableQuery } from './table-query.ts'
import { conditionAfter, totalOrder } from './cursor.ts'
import { PAGE_ROWS, type Pages } from './pages.ts'

/** What a read needs. */
export interface Reading {
  readonly client: ChartroomClient
  /** Without columns and range, which the reader sets. */
  readonly query: TableQuery
  readonly info: TableInfo
}

/** The request for a page: after the previous page's last row when that is known, else by offset. */
const pageRequest = ({ query, info }: Omit<Reading, 'client'>, page: number, state: Pages): RestRead => {
  const order = totalOrder(query.sorts, info)
  const { path, headers, query: parameters } = toRestRead({ ...query, columns: [], sorts: [] })
  const last = state.stale.has(page - 1) ? undefined : state.rows.get(page - 1)?.at(-1)
  const after = last && conditionAfter(order, last, info)
  const filters = parameters.filter(([name]) => name !== 'select')
  const offset = page * PAGE_ROWS
  return {
    path,
    headers,
    query: [
      ...filters,
      ...(after === undefined ? [] : [after]),
      ...(order.length === 0 ? [] : [['order', sortText(order)] as const]),
      ...(after === undefined && offset > 0 ? [['offset', String(offset)] as const] : []),
      ['limit', String(PAGE_ROWS)],
    ],
  }
}

/** The first page also returns an estimated row count. */
export const readPage = (
  reading: Reading,
  page: number,
  state: Pages,
  signal: AbortSignal,
): Promise<RestResponse> =>
  callTable(reading.client, {
    method: 'GET',
    ...pageRequest(reading, page, state),
    columns: reading.info.known ? reading.info.columns : [],
    ...(page === 0 && state.total === null ? { prefer: 'count=estimated' } : {}),
    signal,
  })

const COUNT_DEADLINE_MS = 6_000

/** The exact row count; undefined when counting takes too long. */
export const countRows = async (
  { client, query, info }: Reading,
  signal: AbortSignal,
): Promise<number | undefined> => {
  const read = toRestRead({ ...query, columns: [], sorts: [] })
  const key = info.columns.find(column => column.isKey)?.name
  const answer = await callRest(client, {
    method: 'HEAD',
    path: read.path,
    headers: read.headers,
    query: [
      ['select', key === undefined ? '*' : selectName(key)],
      ...read.query.filter(([name]) => name !== 'select'),
      ['limit', '1'],
    ],
    prefer: 'count=exact',
    deadline: COUNT_DEADLINE_MS,
    isLow: true,
    signal,
  })
  return answer.ok ? (answer.total ?? undefined) : undefined
}

/** Conditions that identify a row. */
export const keyConditions = (info: TableInfo, row: Row): readonly (readonly [string, string])[] =>
  info.columns
    .filter(column => column.isKey)
    .map(column => {
      const cell = cellOf(row, column)
      return [parameterName(column.name), cell === null ? 'is.null' : `eq.${cell}`] as const
    })

/** A row's current version; an empty result means that it was deleted or is hidden. */
export const readRow = (
  { client, query, info }: Reading,
  row: Row,
  onStart?: RestCall['onStart'],
): Promise<RestResponse> => {
  const { path, headers } = toRestRead({ ...query, filters: [], sorts: [], columns: [] })
  return callTable(client, {
    method: 'GET',
    path,
    headers,
    query: keyConditions(info, row),
    columns: info.known ? info.columns : [],
    onStart,
  })
}
