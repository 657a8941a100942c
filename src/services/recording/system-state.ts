// Recognizes a system that is started again in the state in which it stopped.
import type { AnyActorRef } from 'xstate'
import { isEqual } from '../../trace/index.ts'
import type { ActorRecord } from './actor-record.ts'
import { isRunning } from './capture.ts'
import { actorTree, type KeyframeSubject } from './keyframe.ts'

type System = Pick<KeyframeSubject, 'root' | 'registry' | 'timers'>

/**
 * Call this before the system stops, between two steps. Returns a function to call after it was started again: whether
 * it is in the state in which it was stopped. Its actors and timers then have their earlier numbers.
 */
export function rememberState({ root, registry, timers }: System): (() => boolean) | undefined {
  const actors = actorTree(root, registry).map(stateOf)
  const { next } = timers
  const armed = timers.armed()
  // Actors that no parent references could not be compared.
  if (actors.length !== registry.living().size || !actors.every(({ ref }) => isRunning(ref))) return undefined
  return () => {
    const now = actorTree(root, registry)
    const isSame =
      now.length === actors.length &&
      actors.every(
        ({ known, ref, snapshot }, at) =>
          now[at] === known && isRunning(ref) && isSameState(ref?.getSnapshot(), snapshot),
      )
    if (!isSame || !timers.renumber(armed, next)) return false
    for (const { known, counts, names } of actors) Object.assign(known, counts, { names })
    return true
  }
}

function stateOf(known: ActorRecord) {
  const { ref, names, start, transition, action, snapshot, emit, send } = known
  return {
    known,
    ref,
    snapshot: ref?.getSnapshot() as unknown,
    /** An ended actor loses its names. */
    names,
    counts: { start, transition, action, snapshot, emit, send },
  }
}

type State = Partial<Record<(typeof PARTS)[number], unknown>>

const PARTS = ['status', 'value', 'context', 'historyValue'] as const

/** An effect may have sent the same at both starts, after which the state is the same, but not the snapshot. */
function isSameState(a: ReturnType<AnyActorRef['getSnapshot']>, b: unknown): boolean {
  return a === b || PARTS.every(name => isEqual((a as State)[name], (b as State)[name]))
}
