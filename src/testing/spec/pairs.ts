// Every pair of a state and an event: handled, impossible, or ignored for a reason.
import type { Ignored, Spec } from '../../machines/index.ts'
import { machineChart } from '../../services/runtime/index.ts'
import type { ChartState } from '../../trace/index.ts'
import { reportedEvents, sentByPort } from './samples.ts'

/** A state and an event. */
export interface Pair {
  /** Path of the state; a state of a region is listed regardless of the states of the other regions. */
  readonly state: string
  readonly event: string
}

/** What a machine does not handle, compared with what it ignores; both lists are empty if nothing is wrong. */
export interface PairCheck {
  /** Pairs that can occur, that no state handles, and that no entry of `ignored` explains. */
  readonly unexplained: readonly Pair[]
  /** States of `ignored` that handle the event, or in which it cannot arrive. */
  readonly stale: readonly Pair[]
}

/**
 * Compares what the machine does not handle with what its specification ignores. A port sends its events only while
 * a state runs it; all other events can come at any time.
 */
export function checkPairs(spec: Spec): PairCheck {
  const { handled, unhandled } = pairsOf(spec)
  const entries = spec.ignored.flatMap(({ event, states }) => states.map(state => ({ event, state })))
  const explains = (entry: Pair, pair: Pair) => entry.event === pair.event && covers(entry.state, pair.state)
  return {
    unexplained: unhandled.filter(pair => !entries.some(entry => explains(entry, pair))),
    stale: entries.flatMap(entry => {
      if (!unhandled.some(pair => explains(entry, pair))) return [entry]
      return handled.filter(pair => explains(entry, pair))
    }),
  }
}

/** Whether a pattern of `ignored` matches the state. */
const covers = (pattern: Ignored['states'][number], state: string): boolean =>
  pattern === state || pattern === '*' || (pattern.endsWith('.*') && state.startsWith(pattern.slice(0, -1)))

/** Pairs that can occur: those that the state or one around it handles, and those that nothing handles. */
function pairsOf(spec: Spec): { readonly handled: readonly Pair[]; readonly unhandled: readonly Pair[] } {
  const pairs = leafPairs(spec).flatMap(({ line, events }) => {
    const state = line.at(-1)?.path ?? ''
    return events.map(event => ({ state, event, line, isHandled: line.some(node => takes(node, event)) }))
  })
  const plain = ({ state, event }: Pair): Pair => ({ state, event })
  return {
    handled: pairs.filter(({ isHandled }) => isHandled).map(plain),
    unhandled: pairs
      .filter(({ event, line, isHandled }) => !isHandled && !regionTakes(line, event))
      .map(plain),
  }
}

/** Each leaf state, with the events that can arrive in it. */
function leafPairs(
  spec: Spec,
): { readonly line: readonly ChartState[]; readonly events: readonly string[] }[] {
  const { root } = machineChart(spec.machine)
  const running = new Set(allStates(root).flatMap(({ invoke }) => invoke.map(({ src }) => src)))
  const fromPorts = new Set([...running].flatMap(name => Object.keys(sentByPort(spec, name))))
  const reported = Object.keys(reportedEvents(spec)).filter(type => !fromPorts.has(type))
  return leaves(root, [root]).map(line => {
    const invoked = line.flatMap(({ invoke }) => invoke.map(({ src }) => src))
    const errors = invoked.filter(name => (spec.ports[name]?.errors?.length ?? 0) > 0)
    return {
      line,
      events: [
        ...new Set([
          ...reported,
          ...invoked.flatMap(name => Object.keys(sentByPort(spec, name))),
          ...errors.map(name => `error ${name}`),
        ]),
      ],
    }
  })
}

/** The state and all its descendants, parents first. */
export const allStates = (state: ChartState): ChartState[] => [state, ...state.states.flatMap(allStates)]

/** Each leaf state with its ancestors, root first; final states receive no events. */
function leaves(state: ChartState, line: readonly ChartState[]): (readonly ChartState[])[] {
  if (state.type === 'final' || state.type === 'history') return []
  if (state.states.length === 0) return passes(state) ? [] : [line]
  return state.states.flatMap(child => leaves(child, [...line, child]))
}

/** A state that is left at once by an unguarded transition receives no events either. */
const passes = ({ transitions }: ChartState) =>
  transitions.some(
    ({ event, guard, targets }) => event === 'always' && guard === undefined && targets.length > 0,
  )

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
