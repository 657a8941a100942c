// Emits a result on behalf of an effect, as if it came from outside.
import type { AnyActorRef, AnyEventObject } from 'xstate'
import type { ActorKind } from '../../trace/index.ts'
import { withRelay } from '../runtime/index.ts'

/** Result of an effect: these forms for promises and observables, the event to send for callbacks. */
export type Answer =
  | { readonly resolves: unknown }
  | { readonly rejects: unknown }
  | { readonly next: unknown }
  | { readonly fails: unknown }
  | 'completes'
  | AnyEventObject

/** Returns false if the actor is no effect or cannot emit this result. */
export function emitAs(ref: AnyActorRef, kind: ActorKind, answer: Answer): boolean {
  if (kind === 'machine') return false
  const { _relay: relay } = withRelay(ref.system)
  const own = kind === 'callback' ? undefined : eventOf(kind, answer)
  if (own) relay(ref, ref, own)
  else if (typeof answer === 'object' && 'type' in answer && ref._parent)
    relay(ref, ref._parent, answer as AnyEventObject)
  else return false
  return true
}

function eventOf(kind: ActorKind, answer: Answer): AnyEventObject | undefined {
  if (answer === 'completes')
    return kind === 'observable' ? { type: 'xstate.observable.complete' } : undefined
  if ('resolves' in answer) return { type: 'xstate.promise.resolve', data: answer.resolves as unknown }
  if ('rejects' in answer) return { type: 'xstate.promise.reject', data: answer.rejects as unknown }
  if ('next' in answer) return { type: 'xstate.observable.next', data: answer.next as unknown }
  if ('fails' in answer) return { type: 'xstate.observable.error', data: answer.fails as unknown }
  // A recorded result in XState's own form.
  return answer.type.startsWith(`xstate.${kind}.`) ? answer : undefined
}
