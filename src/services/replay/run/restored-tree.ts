// Prepares the persisted tree of a keyframe for XState to restore in a replay.
import { fromCallback, fromObservable, fromPromise } from 'xstate'
import type { AnyActorLogic } from 'xstate'
import type { ActorEntry, KeyframeRecord } from '../../../trace/index.ts'
import { machinesOf } from '../../runtime/index.ts'
import { type InlineSource, isMachine } from '../../recording/index.ts'

/** A persisted tree, with the actor table entry of every actor in it. */
export interface RestoredTree {
  readonly snapshot: object
  /** By persisted snapshot, which XState passes to the restored actor. */
  readonly entries: ReadonlyMap<unknown, ActorEntry>
  /** Actors whose logic is unknown. */
  readonly missing: readonly string[]
  /** Paths of leaves whose code is unknown. */
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

/** Leaves have no effect in a replay, so any logic of the same kind can replace theirs. */
const ANY: Readonly<Partial<Record<string, AnyActorLogic>>> = {
  promise: fromPromise(() => new Promise(() => undefined)),
  callback: fromCallback(() => undefined),
  observable: fromObservable(() => never),
}

/** Modifies the keyframe's snapshot in place, so the keyframe must be a copy. */
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
