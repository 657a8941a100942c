// What a port is: the declaration of an effect, which fails by its name where nobody provides it.
import { fromCallback, type EventObject, type NonReducibleUnknown } from 'xstate'

/** Raised when a machine runs without an effect that it needs: a mistake of composition, never retried. */
export class MissingPortError extends Error {
  override readonly name = 'MissingPortError'
  constructor(name: string) {
    super(`The port "${name}" must be provided: machine.provide({ actors: { ${name} } })`)
  }
}

/**
 * Declares a port: an actor that starts its effect when its state is entered, answers with events, and aborts
 * when its state is left. Machines hold only declarations; the services provide the effects.
 */
export function port<
  Sends extends EventObject,
  Input = NonReducibleUnknown,
  Receives extends EventObject = EventObject,
>(name: string) {
  return fromCallback<Receives, Input, Sends>(() => {
    throw new MissingPortError(name)
  })
}
