// The error of a call that got no response.
import type { Failure } from '../../machines/index.ts'

/** Name that marks the failure in the text that postgrest-js builds from an error's cause. */
export const CAUSE = 'ChartroomFailure'

/** Thrown by a call that got no response; `failure` gives the reason in a form that an app can handle. */
export class RequestError extends Error {
  override readonly name = 'RequestError'
  readonly failure: Failure
  constructor(failure: Failure) {
    // Postgrest-js converts errors to text; it keeps the name and message of a cause.
    super(failure.message, { cause: { name: CAUSE, message: JSON.stringify(failure) } })
    this.failure = failure
  }
}
