// Converts an async function to a port that aborts when its state is exited, reports results as events, and
// never rejects; and the error of a call that got no response.
import { fromCallback, type EventObject, type NonReducibleUnknown } from 'xstate'
import { bug, type PortBroken, type Failure } from '../../machines/index.ts'

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

/** Event for a port whose own code threw. */
export const broken = (error: unknown): PortBroken => ({
  type: 'port.broken',
  failure: error instanceof RequestError ? error.failure : bug(error),
})

/**
 * A port that runs once and sends the event that `run` resolves with, if any. Exiting the state earlier aborts
 * the signal; exiting later does not, so that a response can still be read. Nothing is sent after the exit.
 * @param run its third parameter sends events in between, such as progress
 */
export function effect<Input extends NonReducibleUnknown, Sends extends EventObject>(
  run: (input: Input, signal: AbortSignal, send: (event: Sends) => void) => Promise<Sends | undefined>,
) {
  return fromCallback<EventObject, Input, Sends | PortBroken>(({ input, sendBack }) => {
    const controller = new AbortController()
    let settled = false
    run(input, controller.signal, sendBack).then(
      event => {
        settled = true
        if (event) sendBack(event)
      },
      (error: unknown) => {
        if (!controller.signal.aborted) sendBack(broken(error))
      },
    )
    return () => {
      if (!settled) controller.abort()
    }
  })
}
