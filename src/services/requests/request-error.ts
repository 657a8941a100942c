// What a call rejects with when it got no answer.
import type { Failure } from '../../machines/failure.ts'

/** Name under which the failure stands in the text that postgrest-js makes of an error's cause. */
export const CAUSE = 'ChartroomFailure'

/** Raised by a call that got no answer; `failure` says why in terms an app can act on. */
export class RequestError extends Error {
  override readonly name = 'RequestError'
  readonly failure: Failure
  constructor(failure: Failure) {
    // postgrest-js turns errors into texts; of a cause it keeps the name and the message.
    super(failure.message, { cause: { name: CAUSE, message: JSON.stringify(failure) } })
    this.failure = failure
  }
}
