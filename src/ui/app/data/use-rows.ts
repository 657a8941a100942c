// Loads one page of a table and keeps it current: live changes, and a new load after every gap.
import { useEffect, useMemo, useReducer, useRef, type Dispatch } from 'react'
import type { ChannelStatus } from '../../../index.ts'
import { useChannel } from '../../react.ts'
import { useData, type AnyDataClient } from '../database.ts'
import { useRenewable, useRetry } from '../hooks.ts'
import { explainCall } from '../failed-call.ts'
import { explainRest } from './rest-failure.ts'
import { NO_ROWS, PAGE_SIZE, rowsReducer, type RowsAction, type RowsQuery, type RowsState } from './rows.ts'
import { guessTable, type TableInfo } from './schema.ts'

const load = async (data: AnyDataClient, query: RowsQuery, signal: AbortSignal): Promise<RowsAction> => {
  const from = (query.page - 1) * PAGE_SIZE
  const select = data.from(query.table).select('*', { count: 'exact' })
  const { sort } = query
  const ordered =
    sort === undefined ? select : select.order(sort.column, { ascending: sort.direction === 'asc' })
  const answer = await ordered.range(from, from + PAGE_SIZE - 1).abortSignal(signal)
  return answer.error === null
    ? { type: 'load.done', rows: answer.data, count: answer.count }
    : { type: 'load.failed', failure: await explainRest(answer.error, answer.status, 'read') }
}

/** Changes made before the channel was live, or while it was away, were not told: then all is read anew. */
const useReloadAfterGap = ({ phase, postgres }: ChannelStatus, reload: () => void) => {
  const missed = useRef(true)
  useEffect(() => {
    if (phase === 'retrying') missed.current = true
    if (postgres !== 'live' || !missed.current) return
    missed.current = false
    reload()
  }, [phase, postgres, reload])
}

/** Loads the page that `query` names whenever it changes or `signal` is renewed. */
const useLoad = (query: RowsQuery, signal: AbortSignal, dispatch: Dispatch<RowsAction>) => {
  const data = useData()
  const loaded = useRef('')
  const { table, page, sort } = query
  const [column, direction] = [sort?.column, sort?.direction]
  useEffect(() => {
    const left = new AbortController()
    const ends = AbortSignal.any([signal, left.signal])
    const asked = { table, page, sort: column && direction ? { column, direction } : undefined }
    dispatch({ type: 'load.started', keep: loaded.current === table })
    loaded.current = table
    void load(data, asked, ends)
      .catch(async (error: unknown): Promise<RowsAction> => ({
        type: 'load.failed',
        failure: await explainCall(error),
      }))
      .then(action => {
        if (!ends.aborted) dispatch(action)
      })
    return () => left.abort()
  }, [data, table, page, column, direction, signal, dispatch])
}

/** Tells the reducer of each change of the table's rows, as seen with the columns and the page of now. */
const useChanges = ({ table, sort, page }: RowsQuery, info: TableInfo, dispatch: Dispatch<RowsAction>) => {
  const view = useRef({ info, sort, page })
  useEffect(() => {
    view.current = { info, sort, page }
  })
  const { status, handle } = useChannel(`rows:${table}`, {
    postgresChanges: [{ event: '*', schema: 'public', table }],
  })
  useEffect(
    () =>
      handle?.on('change', change => {
        const { info: columns, sort: order, page: shown } = view.current
        dispatch({ type: 'row.changed', change, table: columns, sort: order, page: shown - 1 })
      }),
    [handle, dispatch],
  )
  return status
}

export interface LiveRows {
  readonly state: RowsState
  /** Columns as known, or as guessed from the rows. */
  readonly info: TableInfo
  readonly live: ChannelStatus
  readonly reload: () => void
}

/** The rows of `query`; `known` are the table's columns where the backend tells them. */
export const useRows = (query: RowsQuery, known: TableInfo | undefined): LiveRows => {
  const [state, dispatch] = useReducer(rowsReducer, NO_ROWS)
  const [signal, reload] = useRenewable()
  const { table } = query
  const info = useMemo(() => known ?? guessTable(table, state.rows), [known, table, state.rows])
  useLoad(query, signal, dispatch)
  const live = useChanges(query, info, dispatch)
  useReloadAfterGap(live, reload)
  useRetry(state.phase === 'failed' && state.failure?.retry === true ? state.failure : undefined, reload)
  return { state, info, live, reload }
}
