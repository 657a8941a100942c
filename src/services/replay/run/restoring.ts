// Restores what XState does not restore from a keyframe: timers, counts and actor references.
import type { Actor, AnyActorLogic, AnyActorRef, AnyEventObject, Snapshot } from 'xstate'
import { type ActorEntry, ActorReference, type KeyframeRecord } from '../../../trace/index.ts'
import type { ActorRecord, Registry, TimerTable } from '../../recording/index.ts'
import { reviveActors } from './input.ts'

/** Returns the initial keyframe of a recording that was started on a running system. */
export function originOf({
  keyframes: [first],
}: {
  readonly keyframes: readonly KeyframeRecord[]
}): KeyframeRecord | undefined {
  return first?.at === 0 ? first : undefined
}

/** What is restored, and with what. */
export interface Restoring {
  readonly root: Actor<AnyActorLogic>
  readonly registry: Registry
  readonly timers: TimerTable
  readonly find: (index: number) => AnyActorRef | undefined
}

/** Starts the restored root, sets its timers and counts, and returns the actors of the keyframe. */
export function restore(
  keyframe: KeyframeRecord,
  actors: readonly ActorEntry[],
  { root, registry, timers, find }: Restoring,
): ActorRecord[] {
  if ((root.getSnapshot() as Snapshot<unknown>).status === 'active') root.start()
  const entries = actors.slice(0, keyframe.actors)
  for (const { path } of entries) reviveState(registry.byPath(path)?.ref, registry)
  for (const { ordinal, source, target, outside = '', event, delay, left = delay, id } of keyframe.timers) {
    const by = find(source)
    // A replay sends nothing to other systems, so the name of their actor is enough.
    const stranger = new ActorReference(outside) as unknown as AnyActorRef
    const to = target === undefined ? stranger : find(target)
    timers.next = ordinal
    if (!by || !to) continue
    root.system.scheduler.schedule(by, to, event as AnyEventObject, delay, id)
    timers.backdate(delay - left)
  }
  timers.next = keyframe.nextOrdinal
  for (const { actor, transitions, actions = 0, snapshots = 0, emits = 0, sends = 0 } of keyframe.leaves) {
    const counts = { transition: transitions, action: actions, snapshot: snapshots, emit: emits, send: sends }
    Object.assign(registry.byPath(entries[actor]?.path ?? '')?.counts ?? {}, counts)
  }
  return entries.map(entry => registry.byPath(entry.path) ?? registry.adopt(undefined, entry))
}

/** Replaces references in restored state by actors. */
export function reviveState(ref: AnyActorRef | undefined, registry: Registry): void {
  const snapshot = ref?.getSnapshot() as Snapshot<unknown> & { context?: unknown; input?: unknown }
  const find = (path: string) => registry.byPath(path)?.ref
  for (const part of [snapshot?.context, snapshot?.input, snapshot?.output]) reviveActors(part, find)
}
