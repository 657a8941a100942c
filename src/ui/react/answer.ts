// Unwraps supabase-js responses for React: returns the data or throws the error.
import type { ChartroomClient, DataClient } from '../../services/client/index.ts'

/** The data of a response in the shape `{ data, error }`, or the value itself. */
export type DataOf<Answer> = Answer extends { readonly error: infer E; readonly data: infer Data }
  ? null extends E
    ? Data
    : never
  : Answer

/** Resolves to the data of the response. @throws the error in it */
async function dataOf<Answer>(answer: PromiseLike<Answer>): Promise<DataOf<Answer>> {
  const value = await answer
  if (typeof value !== 'object' || value === null || !('error' in value && 'data' in value)) {
    return value as DataOf<Answer>
  }
  const { data, error } = value
  if (error === null || error === undefined) return data as DataOf<Answer>
  throw error instanceof Error ? error : Object.assign(new Error(messageOf(error)), { cause: error })
}

function messageOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'message' in error
    ? String(error.message)
    : String(error)
}

/** Cache key of a request key and a user, so that data of one user is never shown to another. */
export const nameOf = (key: RequestKey, identity: string | undefined): string =>
  JSON.stringify([identity, key])

/** Identifies a request: another key is another request. Plain data. */
export type RequestKey = string | readonly unknown[]

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
