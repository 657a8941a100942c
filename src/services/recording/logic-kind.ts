// What kind of logic an actor runs, told from the logic object alone: none of its code is run for that.
import { fromCallback, fromEventObservable, fromObservable, fromPromise } from 'xstate'
import type { AnyActorLogic, AnyStateMachine } from 'xstate'
import type { ActorKind } from '../../trace/format.ts'

const kinds = new WeakMap<AnyActorLogic, ActorKind>()

/** The kind; `other` for transition logic and own logic objects. */
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

/** Whether its `start` touches the world: leaves are where effects enter a system. */
export function isLeaf(logic: AnyActorLogic): boolean {
  return isObject(logic) && !isMachine(logic) && typeof logic.start === 'function'
}

/** Whether it is put together from logic of XState and methods of the app, as `{ ...fromPromise(f), transition }` is. */
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

/** Functions that XState makes with the same creator have the same text. */
const TEXTS = { start: textsOf('start'), transition: textsOf('transition') }

function textsOf(name: Method): ReadonlyMap<string, ActorKind> {
  const texts = new Map(STOCK.map(([kind, logic]) => [textOf(logic[name]), kind]))
  // Some engines keep no text, and give the same one for all.
  return texts.size === STOCK.length ? texts : new Map()
}

/** The kind of logic whose method this is; nothing for a method of the app. */
function kindOf(name: Method, logic: AnyActorLogic): ActorKind | undefined {
  return TEXTS[name].get(textOf(logic[name]))
}

function stockKind(logic: AnyActorLogic): ActorKind | undefined {
  return isLeaf(logic) ? (kindOf('start', logic) ?? kindOf('transition', logic)) : undefined
}

function textOf(code: unknown): string {
  return typeof code === 'function' ? Function.prototype.toString.call(code) : ''
}
