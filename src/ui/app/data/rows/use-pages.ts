// The rows of a query, loaded page by page as they become visible, updated by live changes and reloaded after
// a gap.
import {
  useCallback,
  useEffect,
  useMemo,
  useReducer,
  useRef,
  useState,
  type Dispatch,
  type RefObject,
  useSyncExternalStore,
} from 'react'
import type { ChannelStatus } from '../../../../services/client/index.ts'
import { useClient } from '../../../react/index.ts'
import { useRenewable } from '../../renewable.ts'
import { useRetry } from '../../retry.ts'
import {
  countRows,
  createPageLoader,
  NO_PAGES,
  PAGE_ROWS,
  type PageLoader,
  type Pages,
  type PagesAction,
  pagesNeeded,
  pagesReducer,
  type Reading,
  readPage,
  type TableInfo,
  type TableQuery,
  askFor,
  type Composite,
  compositesIn,
  guessTable,
  isReferring,
  madeStoreOf,
  type Row,
  withComposites,
  withMade,
} from '../../../../services/workbench/table/index.ts'
import { useTableChanges } from './use-table-changes.ts'
import { callRest } from '../../../../services/workbench/rest/index.ts'
import { usePageRequest } from '../../use-page-request.ts'
import { useTables } from '../tables.tsx'

/** The visible rows. */
interface VisibleRows {
  readonly first: number
  readonly last: number
}

export interface LivePages {
  readonly state: Pages
  /** Columns as known, or as guessed from the rows. */
  readonly info: TableInfo
  readonly channel: ChannelStatus
  readonly isLoading: boolean
  /** The last request with a response. */
  readonly request: string | undefined
  readonly dispatch: Dispatch<PagesAction>
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

/** Identifies the rows of a query, ignoring their order. */
const filterKey = ({ schema, table, filters }: TableQuery) => JSON.stringify([schema, table, filters])

/** Counts exactly when the first page has no exact total, once per set of filters. */
const useCount = (reading: Reading, state: Pages, signal: AbortSignal, dispatch: Dispatch<PagesAction>) => {
  const wanted = state.phase === 'ready' && state.total !== null && !state.isExact
  const { filters } = state
  const latest = useRef(reading)
  useEffect(() => {
    latest.current = reading
  })
  useEffect(() => {
    if (!wanted || filters === '') return
    const left = new AbortController()
    countRows(latest.current, AbortSignal.any([signal, left.signal])).then(
      total => {
        if (total !== undefined && !left.signal.aborted)
          dispatch({ type: 'total.counted', total, isExact: true })
      },
      () => undefined,
    )
    return () => left.abort()
  }, [wanted, filters, signal, dispatch])
}

/** The current query's loader; the effect that creates it also closes it. */
const useLoader = (reading: Reading, pages: Pages, setup: LoaderSetup): RefObject<PageLoader | undefined> => {
  const { signal, isReady, dispatch, onRequest } = setup
  const { client, query } = reading
  const latest = useRef({ reading, pages })
  useEffect(() => {
    latest.current = { reading, pages }
  })
  const loader = useRef<PageLoader>(undefined)
  useEffect(() => {
    if (!isReady) return
    const made = createPageLoader({
      read: (page, ends) => {
        const now = latest.current
        const asked = { client, query, info: now.reading.info }
        return readPage(asked, page, now.pages, AbortSignal.any([signal, ends]))
      },
      onAnswer: (page, answer) => {
        onRequest(answer.request)
        if (!answer.ok) return dispatch({ type: 'page.failed', failure: answer.failure })
        const { rows, total } = answer
        dispatch({ type: 'page.read', page, rows, estimate: total, seen: page })
      },
    })
    loader.current = made
    dispatch({ type: 'query.asked', asked: JSON.stringify(query), filters: filterKey(query) })
    return () => made.dispose()
  }, [client, query, signal, isReady, dispatch, onRequest])
  return loader
}

interface LoaderSetup {
  readonly signal: AbortSignal
  readonly isReady: boolean
  readonly dispatch: Dispatch<PagesAction>
  readonly onRequest: (request: string | undefined) => void
}

/** Keeps the query object's identity while its content is unchanged. */
const useStable = (query: TableQuery): TableQuery => {
  const text = JSON.stringify(query)
  return useMemo(() => JSON.parse(text) as TableQuery, [text])
}

/** Distant rows load after scrolling stops. */
const SETTLED_MS = 40

/** The rows of a query. */
export const usePages = (options: PagesOptions): LivePages => {
  const { known, isReady } = options
  const query = useStable(options.query)
  const client = useClient()
  const [state, dispatch] = useReducer(pagesReducer, NO_PAGES)
  const [signal, renew] = useRenewable()
  const [visible, look] = useVisibleRows()
  const [request, onRequest] = useState<string>()
  const first = state.rows.get(0)
  const info = useTableInfo(query.table, query.schema, known, first)
  const reading = { client, query, info }
  const loader = useLoader(reading, state, { signal, isReady, dispatch, onRequest })
  const needed = state.isReading ? pagesNeeded(state, visible.first, visible.last).join() : ''
  useEffect(() => {
    if (needed === '') return
    const want = () => loader.current?.want(needed.split(',').map(Number))
    if (needed.startsWith('0')) return want()
    const timer = setTimeout(want, SETTLED_MS)
    return () => clearTimeout(timer)
  }, [loader, needed, state])
  useCount(reading, state, signal, dispatch)
  useRetry(
    'rows',
    state.phase === 'failed' && state.failure?.retry === true ? state.failure : undefined,
    renew,
  )
  const channel = useTableChanges(query, { info, pages: state }, dispatch)
  useReloadAfterGap(channel, renew)
  return { state, info, channel, isLoading: needed !== '', request, dispatch, reload: renew, look }
}

/** Rows loaded ahead of the viewport. */
const AHEAD = 30

/** The visible rows; reported in every frame of scrolling, updated only when other pages are needed. */
const useVisibleRows = (): readonly [VisibleRows, (first: number, last: number) => void] => {
  const [visible, setVisible] = useState<VisibleRows>({ first: 0, last: 0 })
  const announced = useRef('')
  const look = useCallback((first: number, last: number) => {
    const [from, to] = [Math.max(0, first - AHEAD), last + AHEAD]
    const pages = `${Math.floor(from / PAGE_ROWS)} ${Math.floor(to / PAGE_ROWS)}`
    if (pages === announced.current) return
    announced.current = pages
    setVisible({ first: from, last: to })
  }, [])
  return [visible, look]
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
