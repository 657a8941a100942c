// Which rows an export reads, and as which requests.
import { conditionBehind, isTold, totalOrder, type Condition } from '../../data/rows/cursor.ts'
import type { Row, TableInfo } from '../../data/schema.ts'
import { toRestRead, type TableQuery } from '../../data/table-query.ts'
import { addressOf } from '../../requests/call-spec.ts'

export type ExportScope = 'selected' | 'matching' | 'all'

/** Rows of one request; a server may give fewer. */
const PAGE = 1_000
/** From a thousand to one takes three steps. */
const FEWER = 10

/** The query whose rows are exported: that on show without its range, or the whole table. */
export const scopeQuery = (query: TableQuery, info: TableInfo, scope: ExportScope): TableQuery => {
  const { range: _, ...shown } = query
  const wanted = scope === 'all' ? { ...shown, columns: [], filters: [], sorts: [] } : shown
  return { ...wanted, sorts: totalOrder(wanted.sorts, info) }
}

/** Whether each page begins behind the last row of the one before, so that others may write meanwhile. */
export const isByKey = ({ sorts }: TableQuery, info: TableInfo): boolean => isTold(sorts, info)

export interface PageRequest {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
}

/** The pages of an export, asked for one after the other. */
export interface ExportPager {
  /** The request for the rows that follow those that were taken, of which there are so many. */
  readonly page: (from: number) => PageRequest
  /** The same with fewer rows, where they were too much for one answer; undefined once it is a single one. */
  readonly smaller: () => PageRequest | undefined
  /** Whether pages are smaller than they were at first. */
  readonly isSmaller: () => boolean
  /** Takes the rows of a page, and gives them with the columns that were wanted alone. */
  readonly take: (rows: readonly Row[]) => readonly Row[]
  /** Whether a page had to be found by counting the rows before it. */
  readonly hasCounted: () => boolean
}

/**
 * @param query one of `scopeQuery`
 * @param also conditions that filters of a query cannot express
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
