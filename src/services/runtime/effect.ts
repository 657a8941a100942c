// Converts an async function to a port that aborts when its state is exited, reports results as events, and
// never rejects.
import { fromCallback, type EventObject, type NonReducibleUnknown } from 'xstate'
import { bug, type PortBroken } from '../../machines/index.ts'
import { RequestError } from './request-error.ts'

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
