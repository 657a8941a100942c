// A request that suspends its component; equal keys below one provider share it.
import { use, useSyncExternalStore } from 'react'
import { nameOf, type DataOf, type RequestKey, type RunRequest } from './answer.ts'
import { useProvided, useIdentity } from './client.ts'

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
  // React requires each `use` in every render, even when the data is loaded.
  use(scope.booted)
  const entry = scope.want(nameOf(key, useIdentity()), run as RunRequest<unknown>)
  const first = use(entry.ready)
  const result = useSyncExternalStore(entry.use, entry.result, entry.result) ?? first
  if ('error' in result) throw result.error
  return { data: result.data as DataOf<Answer>, reload: entry.reload }
}
