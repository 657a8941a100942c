// A chart's states and transitions by their names.
import type { ChartState, ChartTransition, MachineChart } from './format.ts'

/** A transition by its place in a chart and what stands there. */
export interface NamedTransition extends ChartTransition {
  /** Machine id. */
  readonly machine: string
  /** `path#n`: the n-th transition of the state at that path, counted from 0. */
  readonly name: string
}

/** A chart's states by path, a state before those in it. */
export function statesOf(chart: MachineChart | undefined): ReadonlyMap<string, ChartState> {
  const states = new Map<string, ChartState>()
  const add = (state: ChartState) => {
    states.set(state.path, state)
    for (const child of state.states) add(child)
  }
  if (chart) add(chart.root)
  return states
}

/** The transitions of a state with their names. */
export function namedTransitions(machine: string, state: ChartState | undefined): NamedTransition[] {
  return (state?.transitions ?? []).map((transition, n) => ({
    machine,
    name: `${state?.path ?? ''}#${n}`,
    ...transition,
  }))
}

/** The path of the state whose transition has this name. */
export function sourceOfName(name: string): string {
  return name.slice(0, name.lastIndexOf('#'))
}

/** Tells transitions apart by what they do, wherever they stand. */
export function sameTransition(a: ChartTransition, b: ChartTransition): boolean {
  const content = ({ event, targets, guard, actions }: ChartTransition) =>
    JSON.stringify([event, targets, guard, actions])
  return content(a) === content(b)
}
