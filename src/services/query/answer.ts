// Unwraps responses of supabase-js: returns the data or throws the error.
import { describeFailure, type Failure } from '../client/index.ts'

/** Identifies a request: another key is another request. Plain data. */
export type RequestKey = string | readonly unknown[]

/** The data of a response in the shape `{ data, error }`, or the value itself. */
export type DataOf<Answer> = Answer extends { readonly error: infer E; readonly data: infer Data }
  ? null extends E
    ? Data
    : never
  : Answer

/** The error of a response, and its status, since some errors have no code. */
class ResponseError extends Error {
  readonly status: number | undefined
  constructor(error: unknown, status: unknown) {
    super(messageOf(error), { cause: error })
    this.status = typeof status === 'number' && status > 0 ? status : undefined
  }
}

/** Describes what `dataOf` threw. */
export const describeAnswer = (error: unknown): Promise<Failure> =>
  error instanceof ResponseError ? describeFailure(error.cause, error.status) : describeFailure(error)

/** Resolves to the data of the response. @throws the error in it */
export async function dataOf<Answer>(answer: PromiseLike<Answer>): Promise<DataOf<Answer>> {
  const value = await answer
  if (typeof value !== 'object' || value === null || !('error' in value && 'data' in value)) {
    return value as DataOf<Answer>
  }
  const { data, error } = value
  if (error === null || error === undefined) return data as DataOf<Answer>
  throw error instanceof Error
    ? error
    : new ResponseError(error, 'status' in value ? value.status : undefined)
}

function messageOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'message' in error
    ? String(error.message)
    : String(error)
}
