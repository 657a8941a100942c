// The rows of a query as the open page sees them, with what is known of their table.
import { useEffect, useMemo, useRef, useSyncExternalStore } from 'react'
import type { ChannelStatus } from '../../../../services/client/index.ts'
import { useChannel, useChannelEvent, useClient } from '../../../react/index.ts'
import { useRetry } from '../../retry.ts'
import {
  askFor,
  type Composite,
  compositesIn,
  guessTable,
  isReferring,
  madeStoreOf,
  type Pages,
  type Row,
  type TableInfo,
  type TableQuery,
  type TableSession,
  withComposites,
  withMade,
} from '../../../../services/workbench/table/index.ts'
import { callRest } from '../../../../services/workbench/rest/index.ts'
import { usePageRequest } from '../../use-page-request.ts'
import { useTables } from '../tables.tsx'

export interface LivePages {
  readonly state: Pages
  /** Columns as known, or as guessed from the rows. */
  readonly info: TableInfo
  readonly channel: ChannelStatus
  readonly isLoading: boolean
  /** The last request with a response. */
  readonly request: string | undefined
  readonly reload: () => void
  readonly look: (first: number, last: number) => void
}

export interface PagesOptions {
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
export const usePages = (session: TableSession, options: PagesOptions): LivePages => {
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
  return { state, info, channel, isLoading, request, reload: rows.reload, look: rows.look }
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
