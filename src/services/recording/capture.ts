// Capture: puts something around every stretch of the app's own code in an actor, before the actor begins.
import { fromCallback } from 'xstate'
import type { AnyActorLogic, AnyActorRef, AnyActorScope, AnyEventObject, Observer, Snapshot } from 'xstate'
import type { Phase } from '../../trace/format.ts'
import { hasOwnTransition, isLeaf, logicKind } from './logic-kind.ts'

/** What is put around the app's own code. */
export interface CodeHook {
  /** Runs a stretch of code, the `n`-th of its phase, or does in its place what it did once. */
  around<T>(self: AnyActorRef, phase: Phase, n: number, code: () => T): T | undefined
  /** Runs code that runs in a replay as well, where what it sends has been repeated already. */
  rerun<T>(code: () => T): T
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

/** All of XState's own but `xstate.log`, which calls the app's logger. */
const BUILT_IN: ReadonlySet<string> = new Set(
  ['assign', 'cancel', 'emit', 'enqueueActions', 'raise', 'sendTo', 'spawnChild', 'stopChild'].map(
    name => `xstate.${name}`,
  ),
)

function isBuiltIn({ type }: Action): boolean {
  return BUILT_IN.has(type)
}

type Around = Pick<CodeHook, 'around' | 'next' | 'rerun'>

/** The same logic with the hook around its code, which stays as it is, and so does its timing. */
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

/** XState's transition of callbacks works only where XState started one. */
const silent = fromCallback(() => undefined)

/** The same logic without its code: at every point where that ran, what it did is repeated. */
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

/** Logic objects of the app's own run as machines do: a replay runs their transitions, and what these send comes again. */
function isTapped(logic: AnyActorLogic): boolean {
  return logicKind(logic) !== 'other' || 'config' in logic
}

const METHODS = ['transition', 'getInitialSnapshot', 'getPersistedSnapshot', 'restoreSnapshot'] as const

/** The same logic with other methods; the rest still run on the object that they belong to, which may be of a class. */
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
