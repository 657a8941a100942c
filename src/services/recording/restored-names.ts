// Names of actors that are brought back: they keep those that they had.
import type { AnyActorRef } from 'xstate'

/** The persisted snapshot from which XState made an actor. */
export function persistedOf(ref: AnyActorRef): unknown {
  return (ref as AnyActorRef & { readonly options?: { readonly snapshot?: unknown } }).options?.snapshot
}

/** An actor without an id of its own went by its session, which stands in traces as its path. */
export function rename(ref: AnyActorRef, path: string | undefined): void {
  if (path === undefined || !/(?:^|\/)~[^/]*$/.test(path)) return
  const actor = ref as unknown as { id: string; readonly _actorScope: { id: string } }
  actor.id = path
  actor._actorScope.id = path
}
