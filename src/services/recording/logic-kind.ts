// What kind of logic an actor runs, told from the logic object alone.
import type { AnyActorLogic, AnyActorScope, AnyStateMachine, Snapshot } from 'xstate'
import type { ActorKind } from '../../trace/format.ts'

const kinds = new WeakMap<AnyActorLogic, ActorKind>()

/** The kind; `other` for transition logic and own logic objects. */
export function logicKind(logic: AnyActorLogic): ActorKind {
  const known = kinds.get(logic)
  if (known) return known
  const kind = isMachine(logic) ? 'machine' : (stockKind(logic) ?? 'other')
  kinds.set(logic, kind)
  return kind
}

export function isMachine(logic: object): logic is AnyStateMachine {
  return 'implementations' in logic && 'root' in logic
}

/** Whether its `start` touches the world: leaves are where effects enter a system. */
export function isLeaf(logic: AnyActorLogic): boolean {
  return !isMachine(logic) && typeof logic.start === 'function'
}

/**
 * XState does not say what made a logic, so the snapshot's shape and a harmless transition have to: neither runs
 * the leaf's own code. Own logic objects have no `config`, and are not asked.
 */
function stockKind(logic: AnyActorLogic): ActorKind | undefined {
  if (!isLeaf(logic) || !('config' in logic)) return undefined
  const nobody = { self: {} } as AnyActorScope
  const initial: unknown = logic.getInitialSnapshot(nobody, undefined)
  if (typeof initial !== 'object' || initial === null || !('input' in initial)) return undefined
  if ('_subscription' in initial) return 'observable'
  try {
    const next = logic.transition(initial, { type: 'xstate.promise.resolve' }, nobody) as Snapshot<unknown>
    return next.status === 'done' ? 'promise' : 'callback'
  } catch {
    return 'callback'
  }
}
