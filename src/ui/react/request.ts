// Requests as React state: sent on mount and aborted on unmount, or suspending their component. Equal keys share one.
import { useCallback, useEffect, useMemo, useRef, useSyncExternalStore } from 'react'
import type { Failure, PostgresChange } from '../../services/client/index.ts'
import { nameOf, type DataOf, type RequestKey, type RunRequest } from './answer.ts'
import { useChannel, useChannelEvent } from './channel.ts'
import { useIdentity, useProvided } from './client.ts'
import { type Entry, PENDING, type RetryRequest } from './request-cache.ts'

/** State of a request, as `useRequest` returns it. */
export interface RequestState<Data> {
  /** `idle`: the key is undefined. `pending`: also while it is sent again. */
  readonly phase: 'idle' | 'pending' | 'done' | 'failed'
  /** Data of the last response for this key; kept until the next one. */
  readonly data: Data | undefined
  /** What the last call threw or returned as its error; kept until the next response. */
  readonly error: unknown
  /** The same error in terms that an app can act on. */
  readonly failure: Failure | undefined
  /** Sends the request again and aborts a running one. Has a stable identity. */
  readonly reload: () => void
}

/** Options of `useRequest`. */
export interface RequestHookOptions {
  /** When to send a failed request again; without it, a failed request waits for `reload`. */
  readonly retry?: RetryRequest | undefined
  /**
   * Row changes after which the request is sent again, as in the options of a channel; also sent after a gap in
   * the changes. Compared by value.
   */
  readonly refreshOn?: readonly PostgresChange[] | undefined
}

const nothing = () => undefined
const pending = () => PENDING

/**
 * Sends a request while a component is mounted. A new `key` (plain data) or a new user supersedes it; `undefined`
 * sends nothing. `run` may be an inline function: the latest one is used.
 *
 * Components below one provider that have the same key share one request and its state. Its data is kept for
 * 5 seconds after the last of them. A component that mounts shows the data that is there; it is loaded again if no
 * other component shows it, or if it is older than 5 seconds. The signal of a request is also aborted when its data
 * is replaced or no longer kept.
 */
export function useRequest<Answer, Database = unknown>(
  key: RequestKey | undefined,
  run: RunRequest<Answer, Database>,
  { refreshOn, ...options }: RequestHookOptions = {},
): RequestState<DataOf<Answer>> {
  const { requests } = useProvided()
  const identity = useIdentity()
  const name = key === undefined ? undefined : nameOf(key, identity)
  const entry = useRef<Entry>(undefined)
  useEffect(() => {
    const all = { identity, run: run as RunRequest<unknown>, ...options }
    entry.current = name === undefined ? undefined : requests.want(name, all)
  })
  const use = useCallback(
    (onChange: () => void) => requests.get(name)?.use(onChange) ?? nothing,
    [requests, name],
  )
  const look = () => requests.get(name)?.state() ?? PENDING
  const { phase, data, error, failure } = useSyncExternalStore(use, look, pending)
  const [reload, refresh] = useMemo(() => [() => entry.current?.reload(), () => entry.current?.refresh()], [])
  useRefresh(refreshOn, refresh)
  if (name === undefined) return { ...IDLE, reload }
  return { phase, data: data as DataOf<Answer> | undefined, error, failure, reload }
}

const IDLE = { phase: 'idle', data: undefined, error: undefined, failure: undefined } as const

function useRefresh(changes: readonly PostgresChange[] | undefined, refresh: () => void): void {
  const topic = changes === undefined ? undefined : `refresh:${JSON.stringify(changes)}`
  const resync = () => Promise.resolve(refresh())
  const { handle } = useChannel(topic, { postgresChanges: changes ?? [], resync })
  useChannelEvent(handle, 'change', refresh)
}

/** Result of `useSuspenseRequest`. */
export interface RequestResult<Data> {
  readonly data: Data
  /** Sends the request again; the current data stays until the response arrives. */
  readonly reload: () => void
}

/**
 * Returns the data of a request; suspends until it is loaded and throws its error to the nearest boundary.
 * The request is sent once the provider is mounted, so a discarded render sends nothing. Browser only.
 * Shares its request with `useRequest`.
 */
export function useSuspenseRequest<Answer, Database = unknown>(
  key: RequestKey,
  run: RunRequest<Answer, Database>,
): RequestResult<DataOf<Answer>> {
  const { requests } = useProvided()
  if (typeof document === 'undefined') throw new Error('useSuspenseRequest only works in the browser')
  const identity = useIdentity()
  const entry = requests.want(nameOf(key, identity), { identity, run: run as RunRequest<unknown> })
  const { phase, data, error, isComplete } = useSyncExternalStore(entry.use, entry.state, entry.state)
  if (phase === 'failed' && !entry.isOld()) throw error
  if (isComplete) return { data: data as DataOf<Answer>, reload: entry.reload }
  // Not during the render: React may discard the render and run it again immediately.
  queueMicrotask(entry.ask)
  // A thrown promise suspends the component. React 19 has `use` for this, React 18 does not.
  throw suspension(entry.settled())
}

const suspension = (settled: Promise<void>): unknown => settled
