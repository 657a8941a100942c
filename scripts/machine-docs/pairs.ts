// Every (state, event) pair of a machine: handled, impossible, or ignored; the last only with a reason.
import type { ChartState, MachineChart } from '../../src/trace/format.ts'

/** Where a machine's events come from: a port tells only while a state runs it, the others at any time. */
export interface Heard {
  /** Events by the port that tells them. */
  readonly ports: Readonly<Record<string, readonly string[]>>
  /** What the parent and the children tell. */
  readonly told: readonly string[]
}

export interface Pair {
  /** Path of the state; a region's state stands for itself, whatever the other regions are in. */
  readonly state: string
  readonly event: string
}

/** Pairs that nobody handles though they can happen. */
export function ignoredPairs(chart: MachineChart, heard: Heard): Pair[] {
  return leaves(chart.root, [chart.root]).flatMap(line => {
    const state = line.at(-1)?.path ?? ''
    const can = new Set([...heard.told, ...line.flatMap(portEvents(heard))])
    return [...can]
      .filter(event => !line.some(node => takes(node, event)) && !regionTakes(line, event))
      .map(event => ({ state, event }))
  })
}

/** Each innermost state with its ancestors, the root first; final states hear nothing. */
function leaves(state: ChartState, line: readonly ChartState[]): (readonly ChartState[])[] {
  if (state.type === 'final') return []
  if (state.states.length === 0) return passes(state) ? [] : [line]
  return state.states.flatMap(child => leaves(child, [...line, child]))
}

/** A state that is left at once, without a guard that might hold it, hears nothing either. */
const passes = ({ transitions }: ChartState) =>
  transitions.some(
    ({ event, guard, targets }) => event === 'always' && guard === undefined && targets.length > 0,
  )

const portEvents =
  ({ ports }: Heard) =>
  ({ invoke }: ChartState): readonly string[] =>
    invoke.flatMap(({ src }) => ports[src] ?? [])

const takes = ({ transitions }: ChartState, type: string): boolean =>
  transitions.some(
    ({ event }) =>
      event === type || event === '*' || (event.endsWith('.*') && type.startsWith(event.slice(0, -1))),
  )

/** Whether another region beside the state takes the event somewhere: then it is that region's matter. */
function regionTakes(line: readonly ChartState[], event: string): boolean {
  const besides = line.flatMap((node, at) =>
    node.type === 'parallel' ? node.states.filter(region => region !== line[at + 1]) : [],
  )
  const anywhere = (node: ChartState): boolean => takes(node, event) || node.states.some(anywhere)
  return besides.some(anywhere)
}
