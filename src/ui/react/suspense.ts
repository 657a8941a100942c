// A request that a component waits for by suspending; equal keys below one provider share it.
import { use, useSyncExternalStore } from 'react'
import { nameOf, type DataOf, type RequestKey, type RunRequest } from './answer.ts'
import { useProvided } from './client.ts'
import { useIdentity } from './status.ts'

export interface RequestResult<Data> {
  readonly data: Data
  /** Asks again; what is shown stays until the answer is there. */
  readonly reload: () => void
}

/**
 * The data of a request; suspends until it is there, and throws the error for the nearest error boundary. It is
 * sent once the provider is mounted, so a render that React gives up leaves nothing behind. Not for servers.
 */
export function useSuspenseRequest<Answer, Database = unknown>(
  key: RequestKey,
  run: RunRequest<Answer, Database>,
): RequestResult<DataOf<Answer>> {
  const { scope } = useProvided()
  if (typeof document === 'undefined') throw new Error('useSuspenseRequest waits for the browser')
  // React wants each `use` in every render, also when the answer is there.
  use(scope.booted)
  const entry = scope.want(nameOf(key, useIdentity()), run as RunRequest<unknown>)
  const first = use(entry.ready)
  const result = useSyncExternalStore(entry.use, entry.result, entry.result) ?? first
  if ('error' in result) throw result.error
  return { data: result.data as DataOf<Answer>, reload: entry.reload }
}
