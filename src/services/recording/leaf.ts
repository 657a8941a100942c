// Leaves: the actors whose code touches the world. Tells their kinds apart, taps them, and stubs them.
import type { AnyActorLogic, AnyActorRef, AnyActorScope, AnyEventObject, Snapshot } from 'xstate'
import type { ActorKind, Phase } from '../../trace/format.ts'
import { withRelay } from '../system-parts.ts'
import type { Relay } from '../system-parts.ts'

/** A kind of actor whose code touches the world. */
export type LeafKind = Extract<ActorKind, 'promise' | 'callback' | 'observable'>

export interface LeafInfo {
  readonly name: string
  readonly kind: LeafKind
}

type LeafSnapshot = Snapshot<unknown> & { _subscription?: { unsubscribe(): void } }

/**
 * Tells what kind of leaf a logic object is; `undefined` for machines, transition logic and own logic objects.
 * XState does not say, so the snapshot's shape and a harmless transition have to: neither runs the leaf's code.
 */
export function leafKind(logic: AnyActorLogic): LeafKind | undefined {
  if ('implementations' in logic || typeof logic.start !== 'function') return undefined
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

/** What a recorder wants to know of a leaf. */
export interface LeafTap {
  /** Runs a stretch of the leaf's own code. */
  during<T>(self: AnyActorRef, phase: Phase, run: () => T): T
  /** Takes what the leaf sends by way of the system. */
  readonly emit: Relay
}

/** The same logic, with its emissions going through the tap. The code and its timing stay as they are. */
export function tapLeaf<L extends AnyActorLogic>(logic: L, tap: LeafTap): L {
  return {
    ...logic,
    start(snapshot: Snapshot<unknown>, scope: AnyActorScope) {
      const system = Object.create(withRelay(scope.system), {
        _relay: { value: tap.emit },
      }) as typeof scope.system
      tap.during(scope.self, 'start', () => logic.start?.(snapshot, { ...scope, system }))
    },
    transition: (snapshot: Snapshot<unknown>, event: AnyEventObject, scope: AnyActorScope) =>
      tap.during(
        scope.self,
        'transition',
        () => logic.transition(snapshot, event, scope) as Snapshot<unknown>,
      ),
  }
}

/** Repeats what a leaf did, synchronously, in the given stretch of its code. */
export type RepeatLeaf = (self: AnyActorRef, phase: Phase) => void

/** The same logic without its code: at every point where that ran, what it did is repeated. */
export function stubLeaf<L extends AnyActorLogic>(logic: L, kind: LeafKind, repeat: RepeatLeaf): L {
  return {
    ...logic,
    start(snapshot: LeafSnapshot, scope: AnyActorScope) {
      if (kind === 'observable' && snapshot.status !== 'done')
        snapshot._subscription = { unsubscribe: () => undefined }
      repeat(scope.self, 'start')
    },
    transition(snapshot: LeafSnapshot, event: AnyEventObject, scope: AnyActorScope) {
      repeat(scope.self, 'transition')
      if (kind !== 'callback') return logic.transition(snapshot, event, scope) as LeafSnapshot
      return event.type === 'xstate.stop' ? { ...snapshot, status: 'stopped', error: undefined } : snapshot
    },
  }
}
