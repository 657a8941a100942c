// The transitions of a step: stored as XState reports them, and named by their position in the chart when
// read.
import type { AnyStateNode } from 'xstate'
import { transitionsOf } from '../runtime/index.ts'

/** The parts of an XState transition that are used. */
export interface Transition {
  readonly source: AnyStateNode
  readonly target?: readonly AnyStateNode[] | undefined
  readonly reenter?: boolean
}

/** The states that were active when regions were exited, by history state. */
export type History = Readonly<Record<string, readonly AnyStateNode[]>>

/** The transitions selected in one microstep, if there was more than one. */
interface Selected {
  readonly selected: readonly Transition[]
  /** History before the microstep. */
  readonly history: History
}

/** The transitions of a step in order. */
export type TransitionsTaken = Transition | Many

type Many = readonly (Transition | Selected)[]

/**
 * Adds a microstep. Nearly all steps have one microstep with one transition, which is stored without a
 * wrapper.
 */
export function withMicrostep(
  taken: TransitionsTaken | undefined,
  selected: readonly Transition[],
  history: () => History,
): TransitionsTaken {
  const [only] = selected
  const next = selected.length === 1 && only ? only : { selected, history: history() }
  if (taken) return Array.isArray(taken) ? [...(taken as Many), next] : [taken as Transition, next]
  return next === only ? only : [next]
}

/** Returns the names of the taken transitions, as `path#n`. */
export function viaOf(taken: TransitionsTaken): string[] {
  return transitionsIn(taken).map(nameOf)
}

/** Returns the taken transitions. */
export function transitionsIn(taken: TransitionsTaken): Transition[] {
  const many = Array.isArray(taken) ? (taken as Many) : [taken as Transition]
  return many.flatMap(one => ('selected' in one ? withoutConflicts(one) : one))
}

/** Returns the history of a snapshot's machine. */
export function historyOf(snapshot: unknown): History {
  const isMachine = typeof snapshot === 'object' && snapshot !== null && 'historyValue' in snapshot
  return isMachine ? (snapshot.historyValue as History) : {}
}

const names = new WeakMap<object, string>()

/** Returns `path#n`. */
export function nameOf(transition: Transition): string {
  const known = names.get(transition)
  if (known !== undefined) return known
  const { source } = transition
  const path = source.path.join('.')
  transitionsOf(source).forEach(([one], n) => names.set(one, `${path}#${n}`))
  return names.get(transition) ?? `${path}#?`
}

/** XState reports all selected transitions; of two that exit the same state, it takes one. */
function withoutConflicts({ selected, history }: Selected): Transition[] {
  const kept = new Set<Transition>()
  for (const one of selected) {
    const rivals = [...kept].filter(other => isConflict(one, other, history))
    if (!rivals.every(({ source }) => isInside(one.source, source))) continue
    for (const rival of rivals) kept.delete(rival)
    kept.add(one)
  }
  return [...kept]
}

function isConflict(a: Transition, b: Transition, history: History): boolean {
  if (!a.target?.length || !b.target?.length) return false
  const [left, right] = [domainOf(a, history), domainOf(b, history)]
  if (left?.type === 'atomic' || right?.type === 'atomic') return false
  return !left || !right || left === right || isInside(left, right) || isInside(right, left)
}

/** The state whose substates a transition exits; undefined for all states, including the root. */
export function domainOf(
  { source, target = [], reenter }: Transition,
  history: History,
): AnyStateNode | undefined {
  const ends = target.flatMap(one => endsOf(one, history))
  if (!reenter && ends.every(one => one === source || isInside(one, source))) return source
  const [first, ...rest] = [...ends, source]
  for (let at = first?.parent; at; at = at.parent) {
    if (rest.every(one => isInside(one, at))) return at
  }
  return reenter ? undefined : source.machine.root
}

/** The target states of a transition to this state. A history state stands for other states. */
export function endsOf(node: AnyStateNode, history: History): readonly AnyStateNode[] {
  if (node.type !== 'history') return [node]
  const { parent } = node
  const kept = history[node.id]
  if (kept || !parent) return kept ?? []
  const { target } = node.config as { readonly target?: string }
  const first = target === undefined ? parent.initial?.target?.[0] : byPath(parent, target)
  return first && parent.type !== 'parallel' ? endsOf(first, history) : [first ?? parent]
}

function byPath(from: AnyStateNode, path: string): AnyStateNode | undefined {
  return path.split('.').reduce<AnyStateNode | undefined>((at, key) => at?.states[key], from)
}

/** Whether a state is somewhere inside of another. */
export function isInside(node: AnyStateNode, outer: AnyStateNode | undefined): boolean {
  for (let at = node.parent; at; at = at.parent) if (at === outer) return true
  return false
}
