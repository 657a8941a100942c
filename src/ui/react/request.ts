// A request as React state: sent on mount, aborted on unmount or when the key changes; or one that suspends its
// component and is shared by equal keys below one provider.
import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { describeFailure, type Failure, type PostgresChange } from '../../services/client/index.ts'
import { nameOf, start, type DataOf, type RequestKey, type RunRequest } from './answer.ts'
import { useChannel, useChannelEvent } from './channel.ts'
import { useClient, useIdentity, useProvided } from './client.ts'

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

/**
 * Called after each failure, to call `again` later or never.
 * @returns cancels the call; used when the component unmounts, and when the request is sent for another reason
 */
export type RetryRequest = (failure: Failure, again: () => void) => (() => void) | undefined

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

interface Outcome<Data> extends Omit<RequestState<Data>, 'reload'> {
  readonly name: string | undefined
  /** `data` is a part, and more of it is loading. */
  readonly isPart: boolean
}

const IDLE = {
  phase: 'idle',
  data: undefined,
  error: undefined,
  failure: undefined,
  name: undefined,
  isPart: false,
} as const

/**
 * Sends a request while the component is mounted. A new `key` (plain data) or a new user supersedes it;
 * `undefined` sends nothing. `run` may be an inline function: the latest one is used.
 */
export function useRequest<Answer, Database = unknown>(
  key: RequestKey | undefined,
  run: RunRequest<Answer, Database>,
  options: RequestHookOptions = {},
): RequestState<DataOf<Answer>> {
  const client = useClient<Database>()
  const latest = useRef({ run, ...options })
  useEffect(() => {
    latest.current = { run, ...options }
  })
  const [outcome, setOutcome] = useState<Outcome<DataOf<Answer>>>(IDLE)
  const [round, setRound] = useState(0)
  const identity = useIdentity()
  const name = key === undefined ? undefined : nameOf(key, identity)
  const isBooting = identity === undefined
  useEffect(() => {
    // During the boot the user is not known yet; a request sent now would be sent again as the user.
    if (name === undefined || isBooting) return
    const leaving = new AbortController()
    const { signal } = leaving
    const show = (next: (last: Outcome<DataOf<Answer>>) => Partial<Outcome<DataOf<Answer>>>) => {
      if (signal.aborted) return
      setOutcome(outcome => {
        const last = outcome.name === name ? outcome : IDLE
        return { ...last, ...next(last), name }
      })
    }
    show(() => ({ phase: 'pending' }))
    // Complete data stays until its replacement is complete.
    const onPart = (data: DataOf<Answer>) =>
      show(last => (last.data === undefined || last.isPart ? { data, isPart: true } : {}))
    start(client, latest.current.run, signal, onPart).then(
      data => show(() => ({ phase: 'done', data, error: undefined, failure: undefined, isPart: false })),
      async (error: unknown) => {
        // A copy: each failure is retried once, even if an app throws the same one again.
        const failure = { ...(await describeFailure(error)) }
        show(() => ({ phase: 'failed', error, failure }))
      },
    )
    return () => leaving.abort()
  }, [client, name, isBooting, round])
  const reload = useCallback(() => setRound(count => count + 1), [])
  const shown = present(outcome, name)
  const failed = shown.phase === 'failed' ? shown.failure : undefined
  useEffect(() => failed && latest.current.retry?.(failed, reload), [failed, reload])
  useRefresh(options.refreshOn, shown.phase === 'pending', reload)
  return { ...shown, reload }
}

const NOTHING = { phase: 'idle', data: undefined, error: undefined, failure: undefined } as const

/** Between the render with a new key and its effect, the outcome still belongs to the old key. */
function present<Data>(outcome: Outcome<Data>, wanted: string | undefined) {
  if (wanted === undefined) return NOTHING
  const { name, phase, data, error, failure } = outcome
  return name === wanted ? { phase, data, error, failure } : ({ ...NOTHING, phase: 'pending' } as const)
}

/** Reloads after changes; one during a request reloads when it is done, so that frequent changes do not starve it. */
function useRefresh(
  changes: readonly PostgresChange[] | undefined,
  isPending: boolean,
  reload: () => void,
): void {
  const isStale = useRef(false)
  const canReload = useRef(false)
  const refresh = () => {
    if (canReload.current) reload()
    else isStale.current = true
    canReload.current = false
  }
  useEffect(() => {
    canReload.current = !isPending
    if (isPending || !isStale.current) return
    isStale.current = false
    reload()
  }, [isPending, reload])
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
 */
export function useSuspenseRequest<Answer, Database = unknown>(
  key: RequestKey,
  run: RunRequest<Answer, Database>,
): RequestResult<DataOf<Answer>> {
  const { scope } = useProvided()
  if (typeof document === 'undefined') throw new Error('useSuspenseRequest only works in the browser')
  const identity = useIdentity()
  if (!scope.isBooted()) throw suspension(scope.booted)
  const entry = scope.want(nameOf(key, identity), run as RunRequest<unknown>)
  const result = useSyncExternalStore(entry.use, entry.result, entry.result)
  if (!result) throw suspension(entry.ready)
  if ('error' in result) throw result.error
  return { data: result.data as DataOf<Answer>, reload: entry.reload }
}

/** A thrown promise suspends the component. React 19 has `use` for this, React 18 does not. */
const suspension = (ready: Promise<unknown>): unknown => ready
