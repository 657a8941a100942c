// Actors told from other objects.
import type { AnyActorRef } from 'xstate'

/** Whether this is a running actor and not data. */
export function isActor(object: object): object is AnyActorRef {
  return 'sessionId' in object && 'send' in object && typeof object.send === 'function'
}
