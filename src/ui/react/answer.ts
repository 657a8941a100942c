// The calls of requests and writes in React.
import type { ChartroomClient, DataClient } from '../../services/client/index.ts'
import { dataOf, type DataOf, type RequestKey } from '../../services/query/index.ts'

export type { DataOf, RequestKey }

/** Cache key of a request key and a user, so that data of one user is never shown to another. */
export const nameOf = (key: RequestKey, identity: string | undefined): string =>
  JSON.stringify([identity, key])

/**
 * Makes the call. The signal aborts every call through `supabase`, including methods that take no signal.
 * An async generator loads in parts: each value that it yields replaces the last one.
 */
export type RunRequest<Answer, Database = unknown> = (
  supabase: DataClient<Database>,
  signal: AbortSignal,
) => PromiseLike<Answer> | AsyncIterable<Answer>

/**
 * A `run` that throws synchronously fails like a `run` whose call failed.
 * @param onPart receives each value of a generator
 */
export async function start<Answer, Database>(
  client: ChartroomClient<Database>,
  run: RunRequest<Answer, Database>,
  signal: AbortSignal,
  onPart: (part: DataOf<Answer>) => void = () => undefined,
): Promise<DataOf<Answer>> {
  const answer = run(client.with({ signal }), signal)
  if (!(Symbol.asyncIterator in answer)) return dataOf(answer)
  let last: { readonly part: DataOf<Answer> } | undefined
  for await (const value of answer) {
    if (signal.aborted) throw signal.reason as Error
    last = { part: await dataOf(Promise.resolve(value)) }
    onPart(last.part)
  }
  if (!last) throw new Error('The generator of a request yielded nothing')
  return last.part
}
