// A request of a page: while its failure may pass, it is sent again automatically.
import { type Failure } from '../../services/client/index.ts'
import { RequestError } from '../../services/runtime/index.ts'
import { type AnyDatabase, explainFailure } from '../../services/workbench/rest/index.ts'
import { type RequestState, type RunRequest, useClient, useRequest } from '../react/index.ts'
import { retriesOf } from './retry.ts'
import { useRecovered } from './shell/use-backend-trouble.ts'

/** The first part names the retries in their recording. */
export type PageKey = readonly [name: string, ...of: readonly unknown[]]

/** `useRequest` with retries that are recorded, and that end with the device being offline. */
export function usePageRequest<Answer>(key: PageKey | undefined, run: RunRequest<Answer, AnyDatabase>) {
  const client = useClient()
  const request = useRequest(key, run, {
    retry: (failure, again) =>
      key !== undefined && explainFailure(failure).retry ? retriesOf(client).add(key[0], again) : undefined,
  })
  // No retry was planned: it would have been refused, too.
  useRecovered(() => {
    if (request.failure?.kind === 'apiKey') request.reload()
  })
  return request
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
