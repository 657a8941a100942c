// Detects the kind of an actor's logic from the logic object alone, without running its code.
import { fromCallback, fromEventObservable, fromObservable, fromPromise } from 'xstate'
import type { AnyActorLogic, AnyStateMachine } from 'xstate'
import type { ActorKind } from '../../trace/index.ts'

const kinds = new WeakMap<AnyActorLogic, ActorKind>()

/** Returns the kind; `other` for transition logic and custom logic objects. */
export function logicKind(logic: AnyActorLogic): ActorKind {
  if (!isObject(logic)) return 'other'
  const known = kinds.get(logic)
  if (known) return known
  const kind = isMachine(logic) ? 'machine' : (stockKind(logic) ?? 'other')
  kinds.set(logic, kind)
  return kind
}

export function isMachine(logic: object): logic is AnyStateMachine {
  return isObject(logic) && 'implementations' in logic && 'root' in logic
}

/** Whether `start` has side effects. Leaves are where effects enter a system. */
export function isLeaf(logic: AnyActorLogic): boolean {
  return isObject(logic) && !isMachine(logic) && typeof logic.start === 'function'
}

/** Whether XState logic was combined with app methods, as in `{ ...fromPromise(f), transition }`. */
export function hasOwnTransition(logic: AnyActorLogic): boolean {
  return 'config' in logic && kindOf('transition', logic) === undefined
}

function isObject(logic: unknown): boolean {
  return typeof logic === 'object' && logic !== null
}

const never = () => ({ subscribe: () => ({ unsubscribe: () => undefined }) })

const STOCK: readonly (readonly [ActorKind, AnyActorLogic])[] = [
  ['promise', fromPromise(() => Promise.resolve())],
  ['callback', fromCallback(() => undefined)],
  ['observable', fromObservable(never)],
  ['observable', fromEventObservable(never)],
]

type Method = 'start' | 'transition'

/** Functions from the same XState creator have the same source text. */
const TEXTS = { start: textsOf('start'), transition: textsOf('transition') }

function textsOf(name: Method): ReadonlyMap<string, ActorKind> {
  const texts = new Map(STOCK.map(([kind, logic]) => [textOf(logic[name]), kind]))
  // Some engines do not keep source text and return the same text for all functions.
  return texts.size === STOCK.length ? texts : new Map()
}

/** Returns the kind of logic that this method belongs to, or undefined for a method of the app. */
function kindOf(name: Method, logic: AnyActorLogic): ActorKind | undefined {
  return TEXTS[name].get(textOf(logic[name]))
}

function stockKind(logic: AnyActorLogic): ActorKind | undefined {
  return isLeaf(logic) ? (kindOf('start', logic) ?? kindOf('transition', logic)) : undefined
}

function textOf(code: unknown): string {
  return typeof code === 'function' ? Function.prototype.toString.call(code) : ''
}
