// Requests as queries of TanStack Query: through the client's request machinery, under a key that names their user.
import type { QueryClient } from '@tanstack/query-core'
import {
  type ChartroomClient,
  type DataClient,
  type Failure,
  identityIn,
  type RequestOptions,
} from '../client/index.ts'
import { RequestError } from '../runtime/index.ts'
import { dataOf, type DataOf, describeAnswer, type RequestKey } from './answer.ts'

/** First element of every key. */
const NAME = 'chartroom'

/** A user's id, `''` while signed out; null until the session is known. */
type Identity = string | null

/** Key of a query: the user, and the app's own key. */
export type RequestQueryKey = readonly [name: typeof NAME, identity: Identity, ...key: unknown[]]

/** Options for `useQuery`, `fetchQuery` and everything else that takes the options of a query. */
export interface RequestQueryOptions<Data> {
  readonly queryKey: RequestQueryKey
  readonly queryFn: (context: { readonly signal: AbortSignal }) => Promise<Data>
  /** False until the session is known. */
  readonly enabled: boolean
  /** The client has tried again where that is safe. */
  readonly retry: false
}

/** Makes the call. The signal of the query aborts every call through `supabase`. */
export type RunQuery<Answer, Database = unknown> = (
  supabase: DataClient<Database>,
  signal: AbortSignal,
) => PromiseLike<Answer>

/**
 * Options of a query that makes calls of the client. The key begins with the signed-in user, so that no user sees the
 * cached data of another; create the options where a change of the session renders again, for example below `useSession()`.
 * The query fails with a `RequestError`, whose `failure` and message an app can show.
 */
export function requestOptions<Answer, Database>(
  client: ChartroomClient<Database>,
  key: RequestKey,
  run: RunQuery<Answer, Database>,
  options: Pick<RequestOptions, 'access' | 'priority' | 'timeout' | 'deadline'> = {},
): RequestQueryOptions<DataOf<Answer>> {
  const identity = identityOf(client)
  return {
    queryKey: [NAME, identity, ...(typeof key === 'string' ? [key] : key)],
    enabled: identity !== null,
    retry: false,
    async queryFn({ signal }) {
      // What it loads is kept under the user of the key.
      if (identity === null) throw new RequestError(notReady)
      if (identityOf(client) !== identity) throw new RequestError(otherUser)
      try {
        return await dataOf(run(client.with({ ...options, signal }), signal))
      } catch (error) {
        throw error instanceof RequestError ? error : new RequestError(await describeAnswer(error))
      }
    },
  }
}

/**
 * Removes the data of other users from the cache whenever the user changes, and loads what is shown for the new one.
 * Returns a function that ends this.
 */
export function forgetOtherUsers(
  client: Pick<ChartroomClient, 'status' | 'onStatus'>,
  queryClient: Pick<QueryClient, 'removeQueries' | 'resetQueries'>,
): () => void {
  let known = identityOf(client)
  const follow = () => {
    const identity = identityOf(client)
    if (identity === known) return
    known = identity
    const isOther = ({ queryKey: [name, owner] }: { readonly queryKey: readonly unknown[] }) =>
      name === NAME && owner !== identity
    queryClient.removeQueries({ type: 'inactive', predicate: isOther })
    // Components that still show them render again, with the key of the new user.
    void queryClient.resetQueries({ type: 'active', predicate: isOther }).catch(() => undefined)
  }
  return client.onStatus(follow)
}

/** Keys are JSON, which has no undefined. */
const identityOf = (client: Pick<ChartroomClient, 'status'>): Identity => identityIn(client.status()) ?? null

const notReady: Failure = {
  kind: 'auth',
  code: 'not_ready',
  message: 'The session is not known yet, so nothing was sent.',
}

const otherUser: Failure = {
  kind: 'auth',
  code: 'session_ended',
  message: 'Another user is signed in now, so nothing was sent.',
}
