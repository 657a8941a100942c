// Which rows an export reads, and as which requests.
import type { TableInfo } from '../../data/schema.ts'
import { toRestRead, type TableQuery, type TableSort } from '../../data/table-query.ts'
import { addressOf } from '../../requests/call-spec.ts'

export type ExportScope = 'selected' | 'matching' | 'all'

/** Rows of one request; a server may give fewer. */
const PAGE = 1_000

/** Without a whole order the pages of one table may overlap. */
const wholeOrder = ({ sorts }: TableQuery, { columns }: TableInfo): readonly TableSort[] => [
  ...sorts,
  ...columns
    .filter(({ name, isKey }) => isKey && !sorts.some(({ column }) => column === name))
    .map(({ name }) => ({ column: name, direction: 'asc' as const })),
]

/** The query whose rows are exported: that on show without its range, or the whole table. */
export const scopeQuery = (query: TableQuery, info: TableInfo, scope: ExportScope): TableQuery => {
  const { range: _, ...shown } = query
  const wanted = scope === 'all' ? { ...shown, columns: [], filters: [], sorts: [] } : shown
  return { ...wanted, sorts: wholeOrder(wanted, info) }
}

/** The request for the rows from number `from` on. */
export const pageOf = (query: TableQuery, from: number) => {
  const read = toRestRead({ ...query, range: { from, to: from + PAGE - 1 } })
  return {
    path: addressOf({ method: 'GET', path: `/rest/v1${read.path}`, query: read.query }),
    headers: { accept: 'application/json', ...read.headers },
  }
}
