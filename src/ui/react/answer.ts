// What a call of supabase-js answers, as React wants it: the data, or an error that is thrown.
import type { ChartroomClient, DataClient } from '../../index.ts'

/** The data of an answer in the shape `{ data, error }`, or the value itself. */
export type DataOf<Answer> = Answer extends { readonly error: infer E; readonly data: infer Data }
  ? null extends E
    ? Data
    : never
  : Answer

/** The data of the answer. @throws the error in it */
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

/** One text for equal keys of one user: what one may see is never shown to another. */
export const nameOf = (key: RequestKey, identity = ''): string => JSON.stringify([identity, key])

/** What a request depends on: another key is another request. Plain data. */
export type RequestKey = string | readonly unknown[]

/** Makes the call. Each call through `supabase` is aborted with the signal, also where none can be given. */
export type RunRequest<Answer, Database = unknown> = (
  supabase: DataClient<Database>,
  signal: AbortSignal,
) => PromiseLike<Answer>

/** A `run` that throws at once fails like one whose call failed. */
export async function start<Answer, Database>(
  client: ChartroomClient<Database>,
  run: RunRequest<Answer, Database>,
  signal: AbortSignal,
): Promise<DataOf<Answer>> {
  return dataOf(run(client.with({ signal }), signal))
}
