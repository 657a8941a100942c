// Wraps every call of the app's own code in an actor, before the actor starts.
import { fromCallback } from 'xstate'
import type { AnyActorLogic, AnyActorRef, AnyActorScope, AnyEventObject, Observer, Snapshot } from 'xstate'
import type { Phase } from '../../trace/index.ts'
import { hasOwnTransition, isLeaf, logicKind } from './logic-kind.ts'

/** Wrappers around the app's own code. */
export interface CodeHook {
  /** Runs the `n`-th call of a phase, or repeats its recorded effects instead. */
  around<T>(self: AnyActorRef, phase: Phase, n: number, code: () => T): T | undefined
  /** Runs code that also runs in a replay; events that it sends are already repeated there. */
  rerun<T>(code: () => T): T
  /** Counts the calls of a phase. */
  next(self: AnyActorRef, phase: Phase): number
  /** Returns the logic to run instead of this leaf's logic. */
  leaf(logic: AnyActorLogic): AnyActorLogic
  /** Called with each event that an actor's machine or transitions emit. */
  emitting(self: AnyActorRef, event: AnyEventObject): void
  /** The observers of an actor; they are notified in rounds. */
  observers(self: AnyActorRef): Set<Observer<unknown>>
  /**
   * Returns the function to run instead of a custom action. Without this method, `around` wraps the action.
   */
  action?(exec: CustomAction | undefined): CustomAction
}

/** A custom action's function. Its argument names the actor. */
export type CustomAction = (info: { readonly self: AnyActorRef }, params: unknown) => void

/** XState creates an object of this kind for every action run. */
interface Action {
  readonly type: string
  exec?: CustomAction | undefined
}

/** The part of an actor that is missing in XState's types (5.33). */
interface InnerActor {
  logic: AnyActorLogic
  observers: Set<Observer<unknown>>
  readonly _actorScope: {
    actionExecutor: (action: Action) => void
    emit: (event: AnyEventObject) => void
  }
}

/** Whether the actor was started and has not ended. */
export function isRunning(ref: AnyActorRef | undefined): boolean {
  return (ref as { readonly _processingStatus?: number } | undefined)?._processingStatus === 1
}

/** Returns the logic that an actor was created from. */
export function logicOf(ref: AnyActorRef): AnyActorLogic {
  return (ref as unknown as InnerActor).logic
}

/** Call this when XState reports a new actor, which happens before the actor's first snapshot. */
export function capture(ref: AnyActorRef, hook: CodeHook): void {
  const actor = ref as unknown as InnerActor
  const leaf = isLeaf(actor.logic)
  if (leaf) actor.logic = hook.leaf(actor.logic)
  actor.observers = hook.observers(ref)
  const scope = actor._actorScope
  const { actionExecutor, emit } = scope
  // Leaves emit from within their own code or between two steps; they have no actions.
  if (leaf) return
  scope.actionExecutor = action => {
    const { exec } = action
    if (!isBuiltIn(action))
      action.exec =
        hook.action?.(exec) ??
        ((info, params) => hook.around(ref, 'action', hook.next(ref, 'action'), () => exec?.(info, params)))
    actionExecutor(action)
  }
  scope.emit = event => {
    hook.emitting(ref, event)
    hook.around(ref, 'emit', hook.next(ref, 'emit'), () => emit(event))
  }
}

/** All built-in actions except `xstate.log`, which calls the app's logger. */
const BUILT_IN: ReadonlySet<string> = new Set(
  ['assign', 'cancel', 'emit', 'enqueueActions', 'raise', 'sendTo', 'spawnChild', 'stopChild'].map(
    name => `xstate.${name}`,
  ),
)

function isBuiltIn({ type }: Action): boolean {
  return BUILT_IN.has(type)
}

/**
 * Call this for an actor that continues after its end: `@xstate/react` replaces its observers when it ends.
 */
export function recapture(ref: AnyActorRef, hook: CodeHook): void {
  const actor = ref as unknown as InnerActor
  const observers = hook.observers(ref)
  // Observers that were added since are followed as well.
  Set.prototype.forEach.call(actor.observers, observer => observers.add(observer as Observer<unknown>))
  actor.observers = observers
}

type Around = Pick<CodeHook, 'around' | 'next' | 'rerun'>

/** Returns the logic with the hook around its code. The code and its timing do not change. */
export function tapLeaf(logic: AnyActorLogic, { around, next, rerun }: Around): AnyActorLogic {
  const run = hasOwnTransition(logic) ? rerun : <T>(code: () => T) => code()
  const start = (snapshot: Snapshot<unknown>, scope: AnyActorScope) =>
    around(scope.self, 'start', 0, () => logic.start?.(snapshot, scope))
  const transition = (snapshot: Snapshot<unknown>, event: AnyEventObject, scope: AnyActorScope) =>
    around(scope.self, 'transition', next(scope.self, 'transition'), () =>
      run((): unknown => logic.transition(snapshot, event, scope)),
    )
  return derive(logic, { start, transition })
}

type LeafSnapshot = Snapshot<unknown> & { _subscription?: { unsubscribe(): void } | undefined }

/** XState's callback transition works only for callbacks that XState started. */
const silent = fromCallback(() => undefined)

/** Returns the logic without its code; wherever the code ran, its recorded effects are repeated. */
export function stubLeaf(logic: AnyActorLogic, { around, next, rerun }: Around): AnyActorLogic {
  const nothing = () => undefined
  const start = (snapshot: LeafSnapshot, scope: AnyActorScope) => {
    if ('_subscription' in snapshot && snapshot.status !== 'done')
      snapshot._subscription = { unsubscribe: () => undefined }
    silent.start?.(snapshot as never, scope as never)
    around(scope.self, 'start', 0, nothing)
  }
  const transition = (snapshot: LeafSnapshot, event: AnyEventObject, scope: AnyActorScope) => {
    around(scope.self, 'transition', next(scope.self, 'transition'), nothing)
    return rerun((): unknown => logic.transition(snapshot, event, scope))
  }
  return derive(logic, { start, transition })
}

/**
 * Custom logic objects are treated like machines: a replay runs their transitions, which send the same events
 * again.
 */
function isTapped(logic: AnyActorLogic): boolean {
  return logicKind(logic) !== 'other' || 'config' in logic
}

const METHODS = ['transition', 'getInitialSnapshot', 'getPersistedSnapshot', 'restoreSnapshot'] as const

/**
 * Returns the logic with replaced methods. The other methods stay bound to the original object, which may be
 * a class instance.
 */
function derive(
  logic: AnyActorLogic,
  { start, transition }: { readonly start: unknown; readonly transition: unknown },
): AnyActorLogic {
  const methods = METHODS.flatMap(name => {
    const method = logic[name] as unknown
    return typeof method === 'function' ? [[name, method.bind(logic) as unknown] as const] : []
  })
  const changed = { ...Object.fromEntries(methods), start, ...(isTapped(logic) && { transition }) }
  return Object.create(Object.getPrototypeOf(logic) as object | null, {
    ...Object.getOwnPropertyDescriptors(logic),
    ...Object.getOwnPropertyDescriptors(changed),
  }) as AnyActorLogic
}
