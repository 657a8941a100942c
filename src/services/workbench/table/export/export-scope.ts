// Which rows an export reads.
import { totalOrder } from '../cursor.ts'
import type { TableInfo } from '../schema.ts'
import type { TableQuery } from '../table-query.ts'

export type ExportScope = 'selected' | 'matching' | 'all'

/** The query to export: the current one without its range, or the whole table. */
export const scopeQuery = (query: TableQuery, info: TableInfo, scope: ExportScope): TableQuery => {
  const { range: _, ...shown } = query
  const wanted = scope === 'all' ? { ...shown, columns: [], related: [], filters: [], sorts: [] } : shown
  // Asking for all columns is refused where some cannot be read.
  const columns =
    wanted.columns.length === 0 && info.unreadable !== undefined
      ? info.columns.map(({ name }) => name)
      : wanted.columns
  return { ...wanted, columns, sorts: totalOrder(wanted.sorts, info) }
}
