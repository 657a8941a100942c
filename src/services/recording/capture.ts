// Capture: puts something around every stretch of the app's own code in an actor, before the actor begins.
import type { AnyActorLogic, AnyActorRef, AnyActorScope, AnyEventObject, Observer, Snapshot } from 'xstate'
import type { ActorKind, Phase } from '../../trace/format.ts'
import { isLeaf } from './logic-kind.ts'

/** What is put around the app's own code. */
export interface CodeHook {
  /** Runs a stretch of code, the `n`-th of its phase, or does in its place what it did once. */
  around<T>(self: AnyActorRef, phase: Phase, n: number, code: () => T): T | undefined
  /** Counts the stretches of a phase. */
  next(self: AnyActorRef, phase: Phase): number
  /** The logic to run in the place of this leaf's. */
  leaf(logic: AnyActorLogic): AnyActorLogic
  /** The observers of an actor, told in rounds. */
  observers(self: AnyActorRef): Set<Observer<unknown>>
  /** The function to run in the place of a custom action's; around it unless there is such. */
  action?(exec: CustomAction | undefined): CustomAction
}

/** A custom action's function; what it is told names the actor. */
export type CustomAction = (info: { readonly self: AnyActorRef }, params: unknown) => void

/** XState makes one for every time that an action is run. */
interface Action {
  readonly type: string
  exec?: CustomAction | undefined
}

/** The part of an actor that is not in XState's types (5.33). */
interface InnerActor {
  logic: AnyActorLogic
  observers: Set<Observer<unknown>>
  readonly _actorScope: {
    actionExecutor: (action: Action) => void
    emit: (event: AnyEventObject) => void
  }
}

/** The logic that an actor was made from. */
export function logicOf(ref: AnyActorRef): AnyActorLogic {
  return (ref as unknown as InnerActor).logic
}

/** To be called when XState tells of a new actor, which is before its first snapshot is made. */
export function capture(ref: AnyActorRef, hook: CodeHook): void {
  const actor = ref as unknown as InnerActor
  const leaf = isLeaf(actor.logic)
  if (leaf) actor.logic = hook.leaf(actor.logic)
  actor.observers = hook.observers(ref)
  const scope = actor._actorScope
  const { actionExecutor, emit } = scope
  // What a leaf emits, it emits in the midst of its own code, or between two steps; it has no actions.
  if (leaf) return
  scope.actionExecutor = action => {
    const { exec } = action
    if (!isBuiltIn(action))
      action.exec =
        hook.action?.(exec) ??
        ((info, params) => hook.around(ref, 'action', hook.next(ref, 'action'), () => exec?.(info, params)))
    actionExecutor(action)
  }
  scope.emit = event => hook.around(ref, 'emit', hook.next(ref, 'emit'), () => emit(event))
}

/** Logging is done by the app's own logger. */
function isBuiltIn({ type }: Action): boolean {
  return type.startsWith('xstate.') && type !== 'xstate.log'
}

type Around = Pick<CodeHook, 'around' | 'next'>

/** The same logic with the hook around its code, which stays as it is, and so does its timing. */
export function tapLeaf(logic: AnyActorLogic, kind: ActorKind, { around, next }: Around): AnyActorLogic {
  const start = (snapshot: Snapshot<unknown>, scope: AnyActorScope) =>
    around(scope.self, 'start', 0, () => logic.start?.(snapshot, scope))
  const transition = (snapshot: Snapshot<unknown>, event: AnyEventObject, scope: AnyActorScope) =>
    around(scope.self, 'transition', next(scope.self, 'transition'), (): unknown =>
      logic.transition(snapshot, event, scope),
    )
  return derive(logic, kind === 'other' ? { start } : { start, transition })
}

type LeafSnapshot = Snapshot<unknown> & { _subscription?: { unsubscribe(): void } }

/** The same logic without its code: at every point where that ran, what it did is repeated. */
export function stubLeaf(logic: AnyActorLogic, kind: ActorKind, { around, next }: Around): AnyActorLogic {
  const nothing = () => undefined
  const start = (snapshot: LeafSnapshot, { self }: AnyActorScope) => {
    if (kind === 'observable' && snapshot.status !== 'done')
      snapshot._subscription = { unsubscribe: () => undefined }
    around(self, 'start', 0, nothing)
  }
  const transition = (snapshot: LeafSnapshot, event: AnyEventObject, scope: AnyActorScope) => {
    around(scope.self, 'transition', next(scope.self, 'transition'), nothing)
    if (kind !== 'callback') return logic.transition(snapshot, event, scope) as LeafSnapshot
    return event.type === 'xstate.stop' ? { ...snapshot, status: 'stopped', error: undefined } : snapshot
  }
  return derive(logic, kind === 'other' ? { start } : { start, transition })
}

function derive(logic: AnyActorLogic, changed: object): AnyActorLogic {
  return Object.assign(Object.create(logic) as AnyActorLogic, changed)
}
