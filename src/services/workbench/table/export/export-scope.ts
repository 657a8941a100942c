// Which rows an export reads.
import { totalOrder } from '../cursor.ts'
import type { TableInfo } from '../schema.ts'
import type { TableQuery } from '../table-query.ts'

export type ExportScope = 'selected' | 'matching' | 'all'

/** The query to export: the current one without its range, or the whole table. */
export const scopeQuery = (query: TableQuery, info: TableInfo, scope: ExportScope): TableQuery => {
  const { range: _, ...shownQuery } = query
  const exportQuery =
    scope === 'all' ? { ...shownQuery, columns: [], related: [], filters: [], sorts: [] } : shownQuery
  // Asking for all columns is refused where some cannot be read.
  const columns =
    exportQuery.columns.length === 0 && info.unreadable !== undefined
      ? info.columns.map(({ name }) => name)
      : exportQuery.columns
  return { ...exportQuery, columns, sorts: totalOrder(exportQuery.sorts, info) }
}
