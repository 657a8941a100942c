// The model of the visible table: its query in the URL, rows, columns and unsaved input.
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import { useStatus } from '../../react/index.ts'
import { useLayout, type TableLayout } from './grid/use-layout.ts'
import { usePages, type LivePages } from './rows/use-pages.ts'
import {
  defaultSorts,
  fromTableSearch,
  readOnlyReason,
  type TableFilter,
  type TableQuery,
  type TableSort,
  toTableSearch,
} from '../../../services/workbench/table/index.ts'
import { useTables } from './tables.tsx'
import { useDeletions, type TableDeletions } from './writes/use-deletions.ts'
import { useEdits, type TableEdits } from './writes/use-edits.ts'
import { useHistory, type TableChanges } from './writes/use-history.ts'
import { useTableSession } from './writes/use-table-session.ts'

export interface TableModel {
  /** As in the URL. */
  readonly query: TableQuery
  /** The effective sorts: those in the URL, or the table's default. */
  readonly sorts: readonly TableSort[]
  readonly pages: LivePages
  readonly layout: TableLayout
  readonly edits: TableEdits
  /** Writes cells and rows, with undo. */
  readonly changes: TableChanges
  readonly deletions: TableDeletions
  readonly me: string | undefined
  /** Why the table is read-only; undefined when it can be changed. */
  readonly readOnly: string | undefined
  readonly open: (query: TableQuery) => void
  /** Also applies the query's columns, for saved queries. */
  readonly show: (query: TableQuery) => void
  readonly sortBy: (sorts: readonly TableSort[]) => void
  readonly filterBy: (filters: readonly TableFilter[]) => void
}

/** The next sorts after a click on a column: ascending, descending, none. */
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
  const session = useTableSession(query)
  const pages = usePages(session, { query: asked, known, isReady: tables.phase !== 'loading' })
  const { info } = pages
  const open = useCallback(
    (next: TableQuery) =>
      void navigate({ to: '/data/$table', params: { table: next.table }, search: toTableSearch(next) }),
    [navigate],
  )
  const layout = useLayout(query, info.columns)
  const edits = useEdits(session, info)
  const changes = useHistory(session, table)
  const deletions = useDeletions(session, info, changes.deleteRows)
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
