// Distinguishes actors from other objects.
import type { AnyActorRef } from 'xstate'

/** Whether the object is a running actor rather than data. */
export function isActor(object: object): object is AnyActorRef {
  return 'sessionId' in object && 'send' in object && typeof object.send === 'function'
}
