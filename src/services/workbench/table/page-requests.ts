// The requests for the rows of a table: pages of a query, and their exact number.
import type { ChartroomClient } from '../../client/index.ts'
import { callRest, type RestRead, type RestResponse } from '../rest/rest.ts'
import { conditionAfter, totalOrder } from './cursor.ts'
import { PAGE_ROWS, type Pages } from './pages.ts'
import { relatedRead, type RelatedRead } from './related.ts'
import type { DataFailure } from '../rest/explain-failure.ts'
import { type Row, rowKey, type TableInfo } from './schema.ts'
import { selectName } from './rest-names.ts'
import { callTable, orderText, type TableQuery, toRestRead, withoutRelated } from './table-query.ts'

/** What a read needs. */
export interface Reading {
  readonly client: ChartroomClient
  /** Without columns and range, which the reader sets. */
  readonly query: TableQuery
  readonly info: TableInfo
}

/** A page of the grid. */
interface PageRead extends Extract<RestResponse, { ok: true }> {
  readonly isLast: boolean
  readonly isKeyShared: boolean
  /** Why related rows could not be read with these. */
  readonly relatedFailure?: DataFailure
}

export type PageResponse = PageRead | Extract<RestResponse, { ok: false }>

const NOTHING_RELATED: Pick<RelatedRead, 'orderName'> = { orderName: () => undefined }

const relatedOf = ({ query, info }: Omit<Reading, 'client'>): RelatedRead | undefined => {
  const { table, related = [] } = query
  const { columns } = info
  return related.length === 0
    ? undefined
    : relatedRead({ table, related, columns, isExact: columns.length > 0 })
}

/** The request for rows: after the row before them when that is known, else by offset. */
const rowsRequest = (
  { query, info }: Omit<Reading, 'client'>,
  {
    before,
    from,
    count,
  }: { readonly before: Row | undefined; readonly from: number; readonly count: number },
) => {
  const order = totalOrder(query.sorts, info)
  const related = relatedOf({ query, info })
  const { path, headers, query: parameters } = toRestRead({ ...query, columns: [], sorts: [] })
  const after = before && conditionAfter(order, before, info)
  const filters = parameters.filter(([name]) => name !== 'select')
  const read: RestRead = {
    path,
    headers,
    query: [
      ...filters,
      ...(after === undefined ? [] : [after]),
      ...(order.length === 0 ? [] : [['order', orderText(order, related ?? NOTHING_RELATED)] as const]),
      ...(after === undefined && from > 0 ? [['offset', String(from)] as const] : []),
      ['limit', String(count)],
    ],
  }
  return { read, related, isByKey: after !== undefined }
}

const hasSharedKeys = (info: TableInfo, rows: readonly Row[]): boolean => {
  const keys = rows.map(row => rowKey(info, row) ?? '')
  return info.columns.some(({ isKey }) => isKey) && new Set(keys).size < keys.length
}

/**
 * Reads a page, and estimates the row count with the first one. A server may return fewer rows at once than requested,
 * so the page is filled until it is full or no rows are left; an estimate of no more rows than these is exact.
 */
export const readPage = async (
  reading: Reading,
  page: number,
  state: Pages,
  signal: AbortSignal,
): Promise<PageResponse> => {
  const answer = await readRows(reading, page, state, signal)
  if (answer.ok || answer.failure.retry || reading.query.related === undefined) return answer
  // The rows are there, even if the role may not read the other table.
  const plain = await readRows({ ...reading, query: withoutRelated(reading.query) }, page, state, signal)
  return plain.ok ? { ...plain, relatedFailure: answer.failure } : answer
}

const readRows = async (
  reading: Reading,
  page: number,
  state: Pages,
  signal: AbortSignal,
): Promise<PageResponse> => {
  const { client, info } = reading
  const isFirst = page === 0
  const rows: Row[] = []
  let before = state.stale.has(page - 1) ? undefined : state.rows.get(page - 1)?.at(-1)
  let isKeyShared = false
  let total: number | null = null
  for (;;) {
    const from = page * PAGE_ROWS + rows.length
    const { read, related, isByKey } = rowsRequest(reading, { before, from, count: PAGE_ROWS - rows.length })
    const answer = await callTable(client, {
      method: 'GET',
      ...read,
      columns: info.isKnown ? info.columns : [],
      ...(related && { related }),
      ...(isFirst && rows.length === 0 ? { prefer: 'count=estimated' } : {}),
      signal,
    })
    if (!answer.ok) return answer
    rows.push(...answer.rows)
    total ??= answer.total
    isKeyShared ||= hasSharedKeys(info, answer.rows)
    const end = from + answer.rows.length
    const isCountedEnd = end === (isFirst ? total : state.isExact ? state.total : null)
    const isFull = rows.length >= PAGE_ROWS
    if (isFull || isCountedEnd || (answer.rows.length === 0 && !isByKey))
      return { ...answer, rows, total: state.total === null ? total : null, isLast: !isFull, isKeyShared }
    // Without rows after the last one, an offset shows whether the server understood the condition.
    before = answer.rows.length === 0 || isKeyShared ? undefined : rows.at(-1)
  }
}

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
