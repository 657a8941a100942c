// The persisted tree of a keyframe, made ready for XState to restore it in a replay.
import { fromCallback, fromObservable, fromPromise } from 'xstate'
import type { AnyActorLogic } from 'xstate'
import type { ActorEntry, KeyframeRecord } from '../../trace/format.ts'
import { machinesOf } from '../machine-chart.ts'
import type { InlineSource } from '../recording/keyframe.ts'
import { isMachine } from '../recording/logic-kind.ts'

/** A persisted tree, with the entry in the actor table of every actor in it. */
export interface RestoredTree {
  readonly snapshot: object
  /** By the persisted snapshot, which XState hands to the actor that it makes of it. */
  readonly entries: ReadonlyMap<unknown, ActorEntry>
  /** Actors whose logic is not known here. */
  readonly missing: readonly string[]
  /** Paths of leaves whose code is not known here. */
  readonly silent: readonly string[]
}

interface Child {
  snapshot: Persisted
  src: unknown
}

interface Persisted {
  children?: Record<string, Child>
}

const never = { subscribe: () => ({ unsubscribe: () => undefined }) }

/** Leaves do nothing in a replay, so that any logic of their kind takes the place of theirs. */
const ANY: Readonly<Partial<Record<string, AnyActorLogic>>> = {
  promise: fromPromise(() => new Promise(() => undefined)),
  callback: fromCallback(() => undefined),
  observable: fromObservable(() => never),
}

/** The keyframe must be a copy: its snapshot is changed in place. */
export function restoredTree(
  keyframe: KeyframeRecord,
  actors: readonly ActorEntry[],
  root: AnyActorLogic,
): RestoredTree {
  const indices = keyframe.tree ?? Array.from({ length: keyframe.actors }, (_, at) => at)
  const machines = isMachine(root) ? machinesOf(root) : new Map<string, AnyActorLogic>()
  const entries = new Map<unknown, ActorEntry>()
  const missing: string[] = []
  const silent: string[] = []
  let at = 0
  const visit = (snapshot: Persisted) => {
    const entry = actors[indices[at++] ?? -1]
    if (entry) entries.set(snapshot, entry)
    for (const child of Object.values(snapshot.children ?? {})) {
      if (typeof child.src === 'object' && child.src !== null) {
        const { inline, machine } = child.src as InlineSource
        child.src = inline === 'machine' ? machines.get(machine ?? '') : ANY[inline]
        if (child.src === undefined) missing.push(machine ?? inline)
        else if (inline !== 'machine') silent.push(actors[indices[at] ?? -1]?.path ?? inline)
      }
      visit(child.snapshot)
    }
  }
  visit(keyframe.snapshot as Persisted)
  return { snapshot: keyframe.snapshot as object, entries, missing, silent }
}
