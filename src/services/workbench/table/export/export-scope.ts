// Which rows an export reads, and with which requests.
import { conditionBehind, isTotal, totalOrder, type Condition } from '../cursor.ts'
import type { Row, TableInfo } from '../schema.ts'
import { toRestRead, type TableQuery } from '../table-query.ts'
import { addressOf } from '../../rest/call-spec.ts'
import type { ChartroomClient } from '../../../client/index.ts'

export type ExportScope = 'selected' | 'matching' | 'all'

/** Rows per request; a server may return fewer. */
const PAGE = 1_000
/** Page size shrinks from 1,000 to 1 in three steps. */
const FEWER = 10

/** The query to export: the current one without its range, or the whole table. */
export const scopeQuery = (query: TableQuery, info: TableInfo, scope: ExportScope): TableQuery => {
  const { range: _, ...shown } = query
  const wanted = scope === 'all' ? { ...shown, columns: [], filters: [], sorts: [] } : shown
  // Asking for all columns is refused where some cannot be read.
  const columns =
    wanted.columns.length === 0 && info.unreadable !== undefined
      ? info.columns.map(({ name }) => name)
      : wanted.columns
  return { ...wanted, columns, sorts: totalOrder(wanted.sorts, info) }
}

/**
 * Whether each page starts after the previous page's last row, so that concurrent writes do not shift pages.
 */
export const isByKey = ({ sorts }: TableQuery, info: TableInfo): boolean => isTotal(sorts, info)

export interface PageRequest {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
}

/** The pages of an export, requested in sequence. */
export interface ExportPager {
  /** The request for the next page; `from` is the number of rows taken so far. */
  readonly page: (from: number) => PageRequest
  /** The same page with fewer rows, after a response was too large; undefined once it is a single row. */
  readonly smaller: () => PageRequest | undefined
  /** Whether pages are smaller than initially. */
  readonly isSmaller: () => boolean
  /** Takes a page's rows and returns them with only the wanted columns. */
  readonly take: (rows: readonly Row[]) => readonly Row[]
  /** Whether any page was read by offset. */
  readonly hasCounted: () => boolean
}

/**
 * @param query a result of `scopeQuery`
 * @param also conditions that query filters cannot express
 */
export const createPager = (
  query: TableQuery,
  info: TableInfo,
  most = PAGE,
  also: readonly Condition[] = [],
): ExportPager => {
  const { columns, sorts } = query
  const missing =
    columns.length === 0 ? [] : sorts.map(each => each.column).filter(name => !columns.includes(name))
  const wanted = { ...query, columns: columns.length === 0 ? [] : [...columns, ...missing] }
  let last: Row | undefined
  let hasCounted = !isByKey(query, info)
  let size = most
  let asked = 0
  const page = (from: number): PageRequest => {
    asked = from
    const behind = last && !hasCounted ? conditionBehind(sorts, last, info) : undefined
    if (last && !behind) hasCounted = true
    const start = behind ? 0 : from
    const read = toRestRead({ ...wanted, range: { from: start, to: start + size - 1 } })
    const conditions = [...read.query, ...also, ...(behind ? [behind] : [])]
    return {
      path: addressOf({ method: 'GET', path: `/rest/v1${read.path}`, query: conditions }),
      headers: { accept: 'application/json', ...read.headers },
    }
  }
  return {
    page,
    smaller: () => {
      if (size === 1) return undefined
      size = Math.ceil(size / FEWER)
      return page(asked)
    },
    isSmaller: () => size < most,
    take: rows => {
      last = rows.at(-1) ?? last
      if (missing.length === 0) return rows
      return rows.map(row => Object.fromEntries(columns.map(name => [name, row[name]])))
    },
    hasCounted: () => hasCounted,
  }
}

type Fetch = ChartroomClient['fetch']

const TOO_LARGE = 413

/** A `fetch` for the pages of a pager. */
export const inSmallerPages = (fetch: Fetch, pager: ExportPager): Fetch => {
  const call: Fetch = async (path, init, options) => {
    const response = await fetch(path, init, options)
    const next = response.status === TOO_LARGE ? pager.smaller() : undefined
    return next === undefined ? response : call(next.path, init, options)
  }
  return call
}
