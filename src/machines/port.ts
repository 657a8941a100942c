// The port: declares an effect that fails with its name if it is not provided.
import { type CallbackActorLogic, fromCallback, type EventObject, type NonReducibleUnknown } from 'xstate'

/** Raised when a machine runs without a required effect: a composition error, never retried. */
class MissingPortError extends Error {
  override readonly name = 'MissingPortError'
  constructor(name: string) {
    super(`The port "${name}" must be provided: machine.provide({ actors: { ${name} } })`)
  }
}

/** The logic of a port; `sends` exists only in its type, as XState has no place for it. */
export type Port<Sends extends EventObject, Input, Receives extends EventObject> = CallbackActorLogic<
  Receives,
  Input,
  Sends
> & { readonly sends?: Sends }

/**
 * Declares a port: an actor that starts its effect when its state is entered, responds with events, and
 * aborts when its state is exited. Machines contain only declarations; the services provide the effects.
 */
export function port<
  Sends extends EventObject,
  Input = NonReducibleUnknown,
  Receives extends EventObject = EventObject,
>(name: string): Port<Sends, Input, Receives> {
  return fromCallback<Receives, Input, Sends>(() => {
    throw new MissingPortError(name)
  })
}
