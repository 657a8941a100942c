// The bridge from an async function to a port: aborts on leaving, answers with an event, and never rejects.
import { fromCallback, type EventObject, type NonReducibleUnknown } from 'xstate'
import { bug } from '../machines/failure.ts'
import type { PortBroken } from '../machines/ports.ts'
import { RequestError } from './requests/request-error.ts'

/** What a port says when its own code threw. */
export const broken = (error: unknown): PortBroken => ({
  type: 'port.broken',
  failure: error instanceof RequestError ? error.failure : bug(error),
})

/**
 * A port that runs once: what `run` resolves with is sent to the machine. Leaving the state before that aborts
 * the signal; afterwards it does not, so that a response may still be read.
 */
export function effect<Input extends NonReducibleUnknown, Sends extends EventObject>(
  run: (input: Input, signal: AbortSignal) => Promise<Sends>,
) {
  return fromCallback<EventObject, Input, Sends | PortBroken>(({ input, sendBack }) => {
    const controller = new AbortController()
    let settled = false
    run(input, controller.signal).then(
      event => {
        settled = true
        sendBack(event)
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
