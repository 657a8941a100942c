// A request of a page: while its failure may pass, it is sent again automatically.
import type { Failure } from '../../services/client/index.ts'
import { RequestError } from '../../services/runtime/index.ts'
import { backendHealthOf } from '../../services/workbench/hosts/index.ts'
import { type AnyDatabase, explainFailure } from '../../services/workbench/rest/index.ts'
import { type RequestState, type RunRequest, useClient, useRequest } from '../react/index.ts'
import { retriesOf } from './retry.ts'

/** The first part names the retries in their recording. */
export type PageKey = readonly [name: string, ...of: readonly unknown[]]

/** `useRequest` with retries that are recorded, and that end with the device being offline. */
export function usePageRequest<Answer>(key: PageKey | undefined, run: RunRequest<Answer, AnyDatabase>) {
  const client = useClient()
  return useRequest(key, run, {
    retry: (failure, again) => {
      // It would be refused as well before the key is accepted again.
      if (failure.kind === 'apiKey') return backendHealthOf(client)?.onRecovered(again)
      return key && explainFailure(failure).retry ? retriesOf(client).add(key[0], again) : undefined
    },
  })
}

/** Nothing is known yet. */
export const isLoading = ({ data, failure }: Pick<RequestState<unknown>, 'data' | 'failure'>): boolean =>
  data === undefined && failure === undefined

/** The value of a result. @throws its failure */
export function valueOf<T>(
  result: { readonly ok: true; readonly value: T } | { readonly ok: false; readonly failure: Failure },
): T {
  if (result.ok) return result.value
  throw new RequestError(result.failure)
}
