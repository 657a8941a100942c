// Every (state, event) pair of a machine: handled, impossible, or ignored, where ignoring needs a reason.
import type { ChartState, MachineChart } from '../../src/trace/format/chart.ts'

/**
 * Sources of a machine's events: a port sends events only while a state runs it, other machines at any time.
 */
export interface AcceptedEvents {
  /** Events by the port that sends them. */
  readonly ports: Readonly<Record<string, readonly string[]>>
  /** Events that the parent and the children send. */
  readonly reported: readonly string[]
}

export interface Pair {
  /** Path of the state; a state of a region is listed regardless of the states of the other regions. */
  readonly state: string
  readonly event: string
}

/** Pairs that no state handles although they can occur. */
export function ignoredPairs(chart: MachineChart, accepted: AcceptedEvents): Pair[] {
  return leaves(chart.root, [chart.root]).flatMap(line => {
    const state = line.at(-1)?.path ?? ''
    const can = new Set([...accepted.reported, ...line.flatMap(portEvents(accepted))])
    return [...can]
      .filter(event => !line.some(node => takes(node, event)) && !regionTakes(line, event))
      .map(event => ({ state, event }))
  })
}

/** Each leaf state with its ancestors, root first; final states receive no events. */
function leaves(state: ChartState, line: readonly ChartState[]): (readonly ChartState[])[] {
  if (state.type === 'final') return []
  if (state.states.length === 0) return passes(state) ? [] : [line]
  return state.states.flatMap(child => leaves(child, [...line, child]))
}

/** A state that is left at once by an unguarded transition receives no events either. */
const passes = ({ transitions }: ChartState) =>
  transitions.some(
    ({ event, guard, targets }) => event === 'always' && guard === undefined && targets.length > 0,
  )

const portEvents =
  ({ ports }: AcceptedEvents) =>
  ({ invoke }: ChartState): readonly string[] =>
    invoke.flatMap(({ src }) => ports[src] ?? [])

const takes = ({ transitions }: ChartState, type: string): boolean =>
  transitions.some(
    ({ event }) =>
      event === type || event === '*' || (event.endsWith('.*') && type.startsWith(event.slice(0, -1))),
  )

/** Whether another parallel region handles the event; if so, that region is responsible for it. */
function regionTakes(line: readonly ChartState[], event: string): boolean {
  const besides = line.flatMap((node, at) =>
    node.type === 'parallel' ? node.states.filter(region => region !== line[at + 1]) : [],
  )
  const anywhere = (node: ChartState): boolean => takes(node, event) || node.states.some(anywhere)
  return besides.some(anywhere)
}
