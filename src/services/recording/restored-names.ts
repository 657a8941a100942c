// Restored actors keep their earlier names.
import type { AnyActorRef } from 'xstate'

/** Returns the persisted snapshot from which XState created an actor. */
export function persistedOf(ref: AnyActorRef): unknown {
  return (ref as AnyActorRef & { readonly options?: { readonly snapshot?: unknown } }).options?.snapshot
}

/** An actor without an id was named by its session, which traces show as its path. */
export function rename(ref: AnyActorRef, path: string | undefined): void {
  if (path === undefined || !/(?:^|\/)~[^/]*$/.test(path)) return
  const actor = ref as unknown as { id: string; readonly _actorScope: { id: string } }
  actor.id = path
  actor._actorScope.id = path
}
