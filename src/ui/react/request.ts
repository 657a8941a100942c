// A request as React state: sent when the component is mounted, aborted when it goes away or asks for something else.
import { useCallback, useEffect, useRef, useState } from 'react'
import { nameOf, start, type DataOf, type RequestKey, type RunRequest } from './answer.ts'
import { useClient } from './client.ts'
import { useIdentity } from './status.ts'

export interface RequestState<Data> {
  /** `idle`: there is no key. */
  readonly phase: 'idle' | 'pending' | 'done' | 'failed'
  /** Of the last answer to this key; kept while it is asked for again. */
  readonly data: Data | undefined
  /** Why it failed; `describeFailure` of `chartroom` tells it in words. */
  readonly error: unknown
  /** Asks again; what is under way is aborted. The same function for as long as the component lives. */
  readonly reload: () => void
}

type Outcome<Data> = Omit<RequestState<Data>, 'reload'> & { readonly name: string | undefined }

const IDLE = { phase: 'idle', data: undefined, error: undefined, name: undefined } as const

/**
 * Sends a request while the component is mounted. Another `key` (plain data) supersedes it, and so does another
 * user; `undefined` asks for nothing. `run` may be written in place: the latest is used.
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
    // During the boot nobody knows as whom; what was sent then would be sent again as the user.
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

/** Between the render with a new key and its effect, what is known is of another key. */
function present<Data>({ name, phase, data, error }: Outcome<Data>, wanted: string | undefined) {
  if (wanted === undefined) return { phase: 'idle', data: undefined, error: undefined } as const
  return name === wanted
    ? { phase, data, error }
    : ({ phase: 'pending', data: undefined, error: undefined } as const)
}
