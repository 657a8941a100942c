// A chart's states and transitions by name, and the hash of its behavior.
import type { ChartState, ChartTransition, MachineChart } from '../format/chart.ts'
import { canonical, hashText } from '../codec/hash.ts'
import type { Json } from '../codec/json.ts'

/** A transition with its position in a chart. */
export interface NamedTransition extends ChartTransition {
  /** Machine id. */
  readonly machine: string
  /** `path#n`: the n-th transition of the state at that path, counted from 0. */
  readonly name: string
}

/** Returns a chart's states by path, parents before children. */
export function statesOf(chart: MachineChart | undefined): ReadonlyMap<string, ChartState> {
  const states = new Map<string, ChartState>()
  const add = (state: ChartState) => {
    states.set(state.path, state)
    for (const child of state.states) add(child)
  }
  if (chart) add(chart.root)
  return states
}

/** Returns the transitions of a state with their names. */
export function namedTransitions(machine: string, state: ChartState | undefined): NamedTransition[] {
  return (state?.transitions ?? []).map((transition, n) => ({
    machine,
    name: `${state?.path ?? ''}#${n}`,
    ...transition,
  }))
}

/** Returns the path of the state that owns the transition with this name. */
export function sourceOfName(name: string): string {
  return name.slice(0, name.lastIndexOf('#'))
}

/** Compares transitions by content, regardless of position. */
export function sameTransition(a: ChartTransition, b: ChartTransition): boolean {
  const content = ({ event, targets, guard, actions }: ChartTransition) =>
    JSON.stringify([event, targets, guard, actions])
  return content(a) === content(b)
}

/** The hash of a chart: everything that affects behavior, without descriptions. */
export function behaviorHash(root: ChartState): string {
  return hashText(canonical(withoutWords(root) as unknown as Json))
}

/** Whether two charts belong to machines with the same behavior. */
export function isSameMachine(then: MachineChart | undefined, now: MachineChart | undefined): boolean {
  return then?.hash === now?.hash
}

function withoutWords({ description: _w, ...state }: ChartState): ChartState {
  return {
    ...state,
    states: state.states.map(withoutWords),
    transitions: state.transitions.map(({ description: _w, ...rest }): ChartTransition => rest),
  }
}
