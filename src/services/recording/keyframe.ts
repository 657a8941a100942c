// Keyframes: the whole state of a running system as data, so that a recording can begin in its midst.
import type { AnyActorRef } from 'xstate'
import type { KeyframeRecord } from '../../trace/format.ts'
import type { Known, Registry } from './actor-registry.ts'
import type { TimerTable } from './timers.ts'
import type { IndexOf } from './plain-records.ts'

/** The root and all actors that can be reached from it, parents first. */
export function actorTree(root: AnyActorRef, registry: Registry): Known[] {
  const known = registry.of(root)
  known.ref = root
  const snapshot: unknown = root.getSnapshot()
  const children =
    typeof snapshot === 'object' && snapshot !== null && 'children' in snapshot ? snapshot.children : {}
  const refs = Object.values(children as Record<string, AnyActorRef | undefined>)
  return [known, ...refs.flatMap(child => (child ? actorTree(child, registry) : []))]
}

/** Takes a keyframe; only between two steps. */
export function takeKeyframe(
  root: AnyActorRef,
  tree: readonly Known[],
  registry: Registry,
  timers: TimerTable,
  indexOf: IndexOf,
): KeyframeRecord {
  const reachable = new Set(tree)
  return {
    line: 'keyframe',
    at: 0,
    views: 0,
    tape: 0,
    actors: tree.length,
    snapshot: (root as AnyActorRef & { getPersistedSnapshot(): unknown }).getPersistedSnapshot(),
    // A timer of an actor that is gone does nothing when it fires.
    timers: timers
      .armed()
      .map(timer => ({
        ...timer,
        source: indexOf(registry.of(timer.source)),
        target: indexOf(registry.of(timer.target)),
      }))
      .filter(timer => timer.source >= 0 && timer.target >= 0),
    nextOrdinal: timers.next,
    leaves: tree
      .filter(known => known.transitions > 0)
      .map(known => ({ actor: indexOf(known), transitions: known.transitions })),
    names: Object.fromEntries(registry.names),
    unreachable: registry
      .living()
      .filter(known => !reachable.has(known) && isRunning(known.ref))
      .map(known => known.path),
  }
}

function isRunning(ref: AnyActorRef | undefined): boolean {
  return (ref as { readonly _processingStatus?: number } | undefined)?._processingStatus === 1
}
