// The model of the visible table: its query in the URL, rows, columns and unsaved input.
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useMemo, useEffect, useRef, useSyncExternalStore } from 'react'
import { useStatus, useChannel, useChannelEvent, useClient } from '../../react/index.ts'
import { useLayout } from './grid/use-layout.ts'
import {
  defaultSorts,
  fromTableSearch,
  readOnlyReason,
  type TableFilter,
  type TableQuery,
  type TableSort,
  toTableSearch,
  askFor,
  type Composite,
  compositesIn,
  guessTable,
  isReferring,
  madeStoreOf,
  type Row,
  type TableInfo,
  type TableSession,
  withComposites,
  withMade,
} from '../../../services/workbench/table/index.ts'
import { useTables } from './tables.tsx'
import { useTableSession, useTableWork } from './writes/use-table-session.ts'
import type { ChannelStatus } from '../../../services/client/index.ts'
import { useRetry } from '../retry.ts'
import { callRest } from '../../../services/workbench/rest/index.ts'
import { usePageRequest } from '../use-page-request.ts'

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

/** The model of a table. */
export const useTable = (table: string) => {
  const search = useSearch({ strict: false })
  const navigate = useNavigate()
  const tables = useTables()
  const known = tables.info(table)
  const query = useStable(fromTableSearch(table, search))
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
  const work = useTableWork(session)
  const me = useStatus(({ session }) => (session.phase === 'authenticated' ? session.user.id : undefined))
  return {
    /** As in the URL. */
    query,
    /** The effective sorts: those in the URL, or the table's default. */
    sorts,
    pages,
    layout,
    ...work,
    /** The signed-in user's id. */
    me,
    /** Why the table is read-only; undefined when it can be changed. */
    readOnly: useMemo(() => readOnlyReason(info), [info]),
    open,
    /** Also applies the query's columns, for saved queries. */
    show: (next: TableQuery) => {
      layout.choose(next, next.columns)
      open(next)
    },
    sortBy: (next: readonly TableSort[]) => open({ ...query, sorts: next }),
    filterBy: (next: readonly TableFilter[]) => open({ ...query, filters: next }),
  }
}

export type TableModel = ReturnType<typeof useTable>

interface PagesOptions {
  readonly query: TableQuery
  readonly known: TableInfo | undefined
  /** False until the columns are known. */
  readonly isReady: boolean
}

/** Changes are missed before the channel joins and while it is disconnected: then reload everything. */
const useReloadAfterGap = ({ phase, postgres }: ChannelStatus, reload: () => void) => {
  const missed = useRef(true)
  useEffect(() => {
    if (phase === 'retrying') missed.current = true
    if (postgres !== 'live' || !missed.current) return
    missed.current = false
    reload()
  }, [phase, postgres, reload])
}

/** Keeps the query object's identity while its content is unchanged. */
const useStable = (query: TableQuery): TableQuery => {
  const text = JSON.stringify(query)
  return useMemo(() => JSON.parse(text) as TableQuery, [text])
}

/** The rows of a query while the page is open. */
const usePages = (session: TableSession, options: PagesOptions) => {
  const { rows } = session
  const { known, isReady } = options
  const query = useStable(options.query)
  const { pages: state, isLoading, request } = useSyncExternalStore(rows.subscribe, rows.state)
  const info = useTableInfo(query.table, query.schema, known, state.rows.get(0))
  useEffect(() => session.know(info), [session, info])
  useEffect(() => {
    if (isReady) rows.open(query)
  }, [rows, query, isReady])
  useEffect(() => rows.close, [rows])
  const failure = state.phase === 'failed' && state.failure?.retry === true ? state.failure : undefined
  useRetry('rows', failure, rows.reload)
  const channel = useTableChanges(query, rows)
  return {
    state,
    /** Columns as known, or as guessed from the rows. */
    info,
    channel,
    isLoading,
    /** Id of the last request with a response. */
    request,
    reload: rows.reload,
    look: rows.look,
  }
}

/** Applies live changes; reloads after a gap in them. */
const useTableChanges = ({ schema, table }: TableQuery, { changed, reload }: TableSession['rows']) => {
  const { status, handle } = useChannel(`rows:${schema === 'public' ? '' : `${schema}.`}${table}`, {
    postgresChanges: [{ event: '*', schema, table }],
  })
  useChannelEvent(handle, 'change', changed)
  useReloadAfterGap(status, reload)
  return status
}

const NONE: readonly Composite[] = []

/** Verifies composite references with the backend; most tables have no candidates. */
const useComposites = (info: TableInfo | undefined, schema: string): readonly Composite[] => {
  const client = useClient()
  const { infos } = useTables()
  const maybe = useMemo(() => (info === undefined ? NONE : compositesIn(info, infos)), [info, infos])
  const isAsked = info !== undefined && maybe.length > 0
  const { data } = usePageRequest(
    isAsked ? ['references', schema, info.name, maybe] : undefined,
    async (_data, signal) => {
      if (!isAsked) return NONE
      const ask = async (one: Composite) => {
        const read = askFor(info, one, schema)
        const answer = await callRest(client, { method: 'GET', ...read, isLow: true, signal })
        return answer.ok && isReferring(answer.rows) ? [one] : []
      }
      return (await Promise.all(maybe.map(ask))).flat()
    },
  )
  return data ?? NONE
}

/** Keeps the object's identity while its content is unchanged. */
const useTableInfo = (
  name: string,
  schema: string,
  known: TableInfo | undefined,
  first: readonly Row[] | undefined,
): TableInfo => {
  const client = useClient()
  const store = madeStoreOf(client)
  const made = useSyncExternalStore(store.subscribe, store.all)
  const composites = useComposites(known, schema)
  return useMemo(
    () => withComposites(withMade(known ?? guessTable(name, first ?? []), schema, made), composites),
    [known, name, schema, first, made, composites],
  )
}
