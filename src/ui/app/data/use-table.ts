// Everything about the table on show: its query in the address, its rows, its columns, and what is being written.
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import { useStatus } from '../../react.ts'
import { useLayout, type TableLayout } from './grid/use-layout.ts'
import { usePages, type LivePages } from './rows/use-pages.ts'
import { defaultSorts, readOnlyReason } from './schema.ts'
import {
  fromTableSearch,
  toTableSearch,
  type TableFilter,
  type TableQuery,
  type TableSort,
} from './table-query.ts'
import { useTables } from './tables.tsx'
import { useDeletions, type TableDeletions } from './writes/use-deletions.ts'
import { useEdits, type TableEdits } from './writes/use-edits.ts'
import { useHistory, type TableChanges } from './writes/use-history.ts'

export interface TableModel {
  /** As the address has it. */
  readonly query: TableQuery
  /** The orders that are in force: those of the address, or the table's own. */
  readonly sorts: readonly TableSort[]
  readonly pages: LivePages
  readonly layout: TableLayout
  readonly edits: TableEdits
  /** What writes cells and rows, and undoes it. */
  readonly changes: TableChanges
  readonly deletions: TableDeletions
  readonly me: string | undefined
  /** Why nothing can be changed; undefined where it can. */
  readonly readOnly: string | undefined
  readonly open: (query: TableQuery) => void
  /** Also with its columns: a query that was saved with them. */
  readonly show: (query: TableQuery) => void
  readonly sortBy: (sorts: readonly TableSort[]) => void
  readonly filterBy: (filters: readonly TableFilter[]) => void
}

/** The next orders after a column was pressed: upwards, downwards, and not at all. */
export const toggledSorts = (
  sorts: readonly TableSort[],
  column: string,
  isAdded: boolean,
): readonly TableSort[] => {
  const before = sorts.find(sort => sort.column === column)
  const next: TableSort | undefined =
    before === undefined
      ? { column, direction: 'asc' }
      : before.direction === 'asc'
        ? { column, direction: 'desc' }
        : undefined
  if (!isAdded) return [next ?? { column, direction: 'asc' }]
  if (before === undefined) return next === undefined ? sorts : [...sorts, next]
  return sorts.flatMap(sort => (sort.column === column ? (next ?? []) : sort))
}

export const useTable = (table: string): TableModel => {
  const search = useSearch({ strict: false })
  const navigate = useNavigate()
  const tables = useTables()
  const known = tables.info(table)
  const text = JSON.stringify(fromTableSearch(table, search))
  const query = useMemo(() => JSON.parse(text) as TableQuery, [text])
  const sorts = useMemo(() => (query.sorts.length > 0 ? query.sorts : defaultSorts(known)), [query, known])
  const asked = useMemo(() => ({ ...query, sorts }), [query, sorts])
  const pages = usePages({ query: asked, known, isReady: tables.phase !== 'loading' })
  const { info, dispatch, reload } = pages
  const open = useCallback(
    (next: TableQuery) =>
      void navigate({ to: '/data/$table', params: { table: next.table }, search: toTableSearch(next) }),
    [navigate],
  )
  const layout = useLayout(query, info.columns)
  const edits = useEdits(asked, info, dispatch)
  const changes = useHistory(asked)
  const deletions = useDeletions(asked, info, { reload, rows: dispatch, onOrder: changes.deleteRows })
  const me = useStatus(({ session }) => (session.phase === 'authenticated' ? session.user.id : undefined))
  const readOnly = useMemo(() => readOnlyReason(info), [info])
  return {
    query,
    sorts,
    pages,
    layout,
    edits,
    changes,
    deletions,
    me,
    readOnly,
    open,
    show: next => {
      layout.choose(next, next.columns)
      open(next)
    },
    sortBy: next => open({ ...query, sorts: next }),
    filterBy: next => open({ ...query, filters: next }),
  }
}
