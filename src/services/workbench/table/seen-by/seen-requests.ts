// The requests of a comparison: all rows by key, and single rows again.
import type { ChartroomClient } from '../../../client/index.ts'
import { totalOrder, type Condition } from '../cursor.ts'
import type { Column, Row, TableInfo } from '../schema.ts'
import { parameterName, type TableQuery } from '../table-query.ts'
import { anyOf } from '../edits/send.ts'
import { rowsOfPage } from '../export/export-format.ts'
import { createPager, type PageRequest, inSmallerPages } from '../export/export-scope.ts'
import { isOrderedAlike } from './row-order.ts'

type Fetch = ChartroomClient['fetch']

/** Whether PostgreSQL can sort the type. */
const isSortable = ({ type, format }: Column): boolean =>
  type === 'text'
    ? /^(text|character|varchar|citext|name|bpchar)/.test(format)
    : type !== 'json' && type !== 'array'

/** Pages by key, regardless of the user's sorting; without a key, by every sortable column. */
const orderOf = ({ sorts }: TableQuery, info: TableInfo): TableQuery['sorts'] => {
  const keys = new Set(info.columns.filter(({ isKey }) => isKey).map(({ name }) => name))
  if (keys.size > 0)
    return totalOrder(
      sorts.filter(({ column }) => keys.has(column)),
      info,
    )
  return info.columns.filter(isSortable).map(({ name }) => ({ column: name, direction: 'asc' }))
}

/** The compared columns; empty: all, when the columns are unknown. */
export const comparedColumns = ({ columns }: TableQuery, info: TableInfo): readonly string[] =>
  columns.length > 0 || !info.known ? columns : info.columns.map(({ name }) => name)

/** The query that reads every row once, in key order. */
export const comparedQuery = (query: TableQuery, info: TableInfo): TableQuery => {
  const { range: _, ...all } = query
  const columns = comparedColumns(query, info)
  const needed = [
    ...info.columns.filter(({ isKey }) => isKey).map(({ name }) => name),
    ...query.sorts.map(({ column }) => column),
  ]
  return {
    ...all,
    columns: columns.length === 0 ? [] : [...new Set([...columns, ...needed])],
    sorts: orderOf(query, info),
  }
}

/** Reads pages until all rows are read. */
export interface RowReader {
  readonly fetch: Fetch
  /** Undefined when no page is left. */
  readonly next: () => PageRequest | undefined
  readonly take: (text: string) => void
  readonly rows: () => readonly Row[]
}

/**
 * @param query a result of `comparedQuery`
 * @param most the maximum number of rows
 * @param largest row count of the largest page the server returned: a smaller page was not truncated
 */
const createReader = (
  fetch: Fetch,
  query: TableQuery,
  info: TableInfo,
  also: readonly Condition[],
  most: number,
  largest: number,
): RowReader => {
  const pager = createPager(query, info, undefined, also)
  const rows: Row[] = []
  let isWhole = false
  return {
    fetch: inSmallerPages(fetch, pager),
    next: () => (isWhole ? undefined : pager.page(rows.length)),
    take: text => {
      const page = pager.take(rowsOfPage(text))
      rows.push(...page)
      isWhole = page.length === 0 || rows.length >= most || (page.length < largest && !pager.isSmaller())
    },
    rows: () => rows,
  }
}

/** Reads single rows. */
export const readerOfRows = (
  fetch: Fetch,
  query: TableQuery,
  info: TableInfo,
  rows: readonly Row[],
  largest: number,
): RowReader => createReader(fetch, query, info, [anyOf(info, rows)], rows.length, largest)

/** Reads all rows between two keys, inclusive; only for tables with a single key column. */
export const readerOfRange = (
  fetch: Fetch,
  query: TableQuery,
  info: TableInfo,
  [key, low, high]: readonly [key: Column, low: string, high: string],
  largest: number,
): RowReader => {
  const name = parameterName(key.name)
  const also: readonly Condition[] = [
    [name, `gte.${low}`],
    [name, `lte.${high}`],
  ]
  return createReader(fetch, query, info, also, Infinity, largest)
}

/** Whether rows are shown in the table's order. */
export const isInTableOrder = (query: TableQuery, info: TableInfo): boolean =>
  query.sorts.every(({ column: name }) => {
    const column = info.columns.find(each => each.name === name)
    return column !== undefined && isOrderedAlike(column)
  })
