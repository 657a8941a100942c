// A request as React state: sent on mount, aborted on unmount or when the key changes.
import { useCallback, useEffect, useRef, useState } from 'react'
import { nameOf, start, type DataOf, type RequestKey, type RunRequest } from './answer.ts'
import { useClient } from './client.ts'
import { useIdentity } from './status.ts'

/** State of a request, as `useRequest` returns it. */
export interface RequestState<Data> {
  /** `idle`: the key is undefined. */
  readonly phase: 'idle' | 'pending' | 'done' | 'failed'
  /** Data of the last response for this key; kept while reloading. */
  readonly data: Data | undefined
  /** The error of a failed request; `describeFailure` of `chartroom` describes it. */
  readonly error: unknown
  /** Sends the request again and aborts a running one. Has a stable identity. */
  readonly reload: () => void
}

type Outcome<Data> = Omit<RequestState<Data>, 'reload'> & { readonly name: string | undefined }

const IDLE = { phase: 'idle', data: undefined, error: undefined, name: undefined } as const

/**
 * Sends a request while the component is mounted. A new `key` (plain data) or a new user supersedes it;
 * `undefined` sends nothing. `run` may be an inline function: the latest one is used.
 */
export function useRequest<Answer, Database = unknown>(
  key: RequestKey | undefined,
  run: RunRequest<Answer, Database>,
): RequestState<DataOf<Answer>> {
  const client = useClient<Database>()
  const latest = useRef(run)
  useEffect(() => {
    latest.current = run
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
    const show = (next: Partial<Outcome<DataOf<Answer>>>) => {
      if (!signal.aborted) setOutcome(last => ({ ...(last.name === name ? last : IDLE), ...next, name }))
    }
    show({ phase: 'pending', error: undefined })
    start(client, latest.current, signal).then(
      data => show({ phase: 'done', data }),
      (error: unknown) => show({ phase: 'failed', error }),
    )
    return () => leaving.abort()
  }, [client, name, isBooting, round])
  const reload = useCallback(() => setRound(count => count + 1), [])
  return { ...present(outcome, name), reload }
}

/** Between the render with a new key and its effect, the outcome still belongs to the old key. */
function present<Data>({ name, phase, data, error }: Outcome<Data>, wanted: string | undefined) {
  if (wanted === undefined) return { phase: 'idle', data: undefined, error: undefined } as const
  return name === wanted
    ? { phase, data, error }
    : ({ phase: 'pending', data: undefined, error: undefined } as const)
}
