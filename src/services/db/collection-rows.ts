// Reads the rows of a collection's table and follows their changes, as the machine decides.
import { fromCallback, type EventObject, type NonReducibleUnknown } from 'xstate'
import {
  collectionRowsMachine,
  type ReadRowsEvent,
  rowsStatus,
  type RowsStatus,
  type WatchRowsEvent,
} from '../../machines/index.ts'
import { isEqual, Listeners } from '../../trace/index.ts'
import type {
  ChannelHandle,
  ChartroomClient,
  PostgresChange,
  RequestOptions,
  RowChange,
} from '../client/index.ts'
import { effect, RequestError } from '../runtime/index.ts'
import { callRest } from './rest.ts'
import { type CreateActor, runMachine } from './run-machine.ts'
import type { Row, TableAddress } from './stored-write.ts'
import type { KeyOf, SyncedRows } from './synced-rows.ts'
import { createWatchClientPort } from './watch-client.ts'

export interface RowsHost extends TableAddress {
  readonly client: Pick<ChartroomClient, 'fetch' | 'channel' | 'status' | 'onStatus'>
  /** Condition on one column, as in realtime: `project=eq.7`. */
  readonly filter?: string | undefined
  readonly isPublic: boolean
  readonly keyOf: KeyOf
  readonly synced: SyncedRows
  readonly createActor: CreateActor
  readonly seed: number
}

/** Rows of one request; also what hosted projects return at most. */
const PAGE = 1_000

export type CollectionRows = ReturnType<typeof startCollectionRows>

export function startCollectionRows(host: RowsHost) {
  const { client, synced, keyOf, isPublic } = host
  /** Changes that arrive while the rows are read, which may be older. */
  let during: RowChange[] | undefined
  const listeners = new Listeners()
  const waiting = new Set<{ readonly resolve: () => void; readonly reject: (error: unknown) => void }>()

  const apply = ({ type, record, old }: RowChange) => {
    if (type === 'DELETE') synced.remove(keyOf(old))
    else synced.put(record)
  }

  const readAll = async (signal: AbortSignal): Promise<ReadRowsEvent> => {
    during = []
    const rows: Row[] = []
    const options: RequestOptions = { access: isPublic ? 'public' : 'user', signal }
    for (;;) {
      const answer = await callRest(
        client,
        host,
        {
          prefer: 'count=exact',
          query: {
            ...filterParam(host.filter),
            order: host.primaryKey.join(','),
            limit: String(PAGE),
            offset: String(rows.length),
          },
        },
        options,
      )
      if ('failure' in answer) {
        if (!signal.aborted) during = undefined
        return { type: 'rows.failed', failure: answer.failure }
      }
      // Another reading has begun, maybe of another user.
      if (signal.aborted) return { type: 'rows.read', count: 0 }
      rows.push(...answer.rows)
      if (answer.rows.length === 0 || rows.length >= (answer.total ?? 0)) break
    }
    synced.replace(rows)
    for (const change of during) apply(change)
    during = undefined
    return { type: 'rows.read', count: rows.length }
  }

  const watchRows = fromCallback<EventObject, NonReducibleUnknown, WatchRowsEvent>(({ sendBack }) => {
    const change: PostgresChange = {
      event: '*',
      schema: host.schema,
      table: host.table,
      ...(host.filter !== undefined && { filter: host.filter }),
    }
    const resync = () =>
      new Promise<void>((resolve, reject) => {
        waiting.add({ resolve, reject })
        sendBack({ type: 'rows.outdated' })
      })
    const handle: ChannelHandle = client.channel(`db:${JSON.stringify(change)}`, {
      postgresChanges: [change],
      resync,
    })
    const stops = [
      handle.on('change', arrived => (during ? during.push(arrived) : apply(arrived))),
      handle.on('status', () => listeners.notify()),
    ]
    channel = handle
    return () => {
      for (const stop of stops) stop()
      handle.leave()
      channel = undefined
    }
  })

  let channel: ChannelHandle | undefined
  const machine = collectionRowsMachine.provide({
    actors: {
      watchClient: createWatchClientPort(client, () => {
        // The rows of another user.
        if (!isPublic) synced.clear()
      }),
      watchRows,
      readRows: effect<NonReducibleUnknown, ReadRowsEvent>((_, signal) => readAll(signal)),
    },
  })
  const system = runMachine(
    machine,
    { isPublic, seed: host.seed },
    'chartroom/db/collectionRows',
    host.createActor,
  )
  const { actor } = system
  let status = rowsStatus(actor.getSnapshot())
  const settle = ({ phase, failure }: RowsStatus) => {
    if (phase === 'signedOut') synced.markReady()
    if (phase === 'failed') synced.markError(failure && new RequestError(failure))
    if (phase === 'loading') return
    for (const { resolve, reject } of waiting) {
      if (phase === 'ready') resolve()
      else reject(new Error(failure?.message ?? 'The rows are not shown any more.'))
    }
    waiting.clear()
  }
  actor.subscribe(snapshot => {
    const next = rowsStatus(snapshot)
    settle(next)
    if (isEqual(status, next)) return
    status = next
    listeners.notify()
  })
  system.start()
  return {
    status: () => status,
    /** Whether changes of other users arrive. */
    changes: () => channel?.status(),
    onStatus: listeners.subscribe,
    reload: () => actor.send({ type: 'rows.reload' }),
    stop: system.stop,
  }
}

/** `project=eq.7` as a parameter. */
function filterParam(filter: string | undefined): Readonly<Record<string, string>> {
  const [, column, condition] = /^([^=]+)=(.*)$/s.exec(filter ?? '') ?? []
  return column === undefined ? {} : { [column]: condition ?? '' }
}
