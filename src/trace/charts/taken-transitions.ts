// Determines which transitions a recorded step took: from the recording, or else inferred from the chart and
// the states.
import type { ChartState, ChartTransition, MachineChart } from '../format/chart.ts'
import type { StateValue, StepRecord } from '../format/records.ts'
import type { TraceSource } from '../format/trace-source.ts'
import { type NamedTransition, namedTransitions, statesOf } from './chart-states.ts'

type Source = Pick<TraceSource, 'actors' | 'steps'> & {
  readonly header: Pick<TraceSource['header'], 'machines'>
}

/** Whether the steps of a trace name their transitions; a step without any then took none. */
export function namesTransitions({ steps }: Pick<Source, 'steps'>): boolean {
  return steps.some(({ via }) => via !== undefined)
}

/**
 * Returns the transitions of a step, in order; none for a start, a stop or an event without effect. They are
 * inferred if the recorder did not name them, and for a failed step.
 */
export function takenTransitions(
  trace: Source,
  step: StepRecord,
  isNaming = namesTransitions(trace),
): NamedTransition[] {
  const chart = chartOf(trace, step)
  if (!chart) return []
  const states = statesOf(chart)
  if (step.via || (isNaming && step.status !== 'error')) {
    return (step.via ?? []).flatMap(name => named(chart.id, states, name))
  }
  const before = stateBefore(trace, step)
  return before === undefined ? [] : likely(chart, states, before, step)
}

/** Returns the chart of the machine that took this step. */
export function chartOf(
  { header, actors }: Source,
  { actor }: Pick<StepRecord, 'actor'>,
): MachineChart | undefined {
  const src = actors[actor]?.src ?? ''
  return Object.hasOwn(header.machines, src) ? header.machines[src] : undefined
}

/** Returns the transitions of a machine for a timer of this type, in any state. */
export function timerTransitions(chart: MachineChart | undefined, type: string): NamedTransition[] {
  if (!chart || !type.startsWith('xstate.after.')) return []
  return [...statesOf(chart).values()].flatMap(state => {
    if (!isTimerOf(chart.id, state, type)) return []
    return namedTransitions(chart.id, state).filter(({ event }) => event.startsWith('after '))
  })
}

/** Returns the paths of the active states, inner ones first. */
export function activeNodePaths(value: StateValue | undefined, above = ''): string[] {
  if (value === undefined) return ['']
  if (typeof value === 'string') return [join(above, value), above]
  const inner = Object.entries(value).flatMap(([key, child]) =>
    child === undefined ? [] : activeNodePaths(child, join(above, key)),
  )
  return [...inner, above]
}

function named(machine: string, states: ReadonlyMap<string, ChartState>, name: string): NamedTransition[] {
  const cut = name.lastIndexOf('#')
  const found = namedTransitions(machine, states.get(name.slice(0, cut)))[Number(name.slice(cut + 1))]
  return found ? [found] : []
}

function stateBefore({ steps }: Source, { seq, actor }: StepRecord): StateValue | undefined {
  for (let at = seq - 1; at >= 0; at--) {
    const step = steps[at]
    if (step?.actor === actor) return step.value
  }
  return undefined
}

/** Of the transitions for the event, picks the innermost that reaches the new state. */
function likely(
  chart: MachineChart,
  states: ReadonlyMap<string, ChartState>,
  before: StateValue,
  { event, value }: StepRecord,
): NamedTransition[] {
  const after = new Set(activeNodePaths(value))
  for (const path of new Set(activeNodePaths(before))) {
    const state = states.get(path)
    const fitting = namedTransitions(chart.id, state).filter(one => answers(chart.id, state, one, event.type))
    const [first] = fitting
    const best = fitting.find(
      ({ targets }) => targets.length > 0 && targets.every(target => after.has(target)),
    )
    if (first) return [best ?? first]
  }
  return []
}

/** Whether a transition of this state is for events of that type. */
function answers(
  machine: string,
  state: ChartState | undefined,
  { event: label }: ChartTransition,
  type: string,
): boolean {
  if (!state || label === 'always') return false
  if (label.startsWith('after ')) {
    return type.startsWith(`xstate.after.${label.slice(6)}.`) && isTimerOf(machine, state, type)
  }
  const [, kind, id] = /^xstate\.(done|error|snapshot)(?:\.actor)?\.(.*)$/.exec(type) ?? []
  if (kind === undefined || id === undefined) return fits(label, type)
  if (type.startsWith('xstate.done.state.')) return label === 'done'
  const src = state.invoke.find(invoke => invoke.id === id)?.src
  return label === `${kind} ${src}` || fits(label, `${kind} ${id}`)
}

/** A state with a custom id uses it in timer types, and a chart does not contain it. */
function isTimerOf(machine: string, state: ChartState, type: string): boolean {
  if (!state.transitions.some(({ event }) => event.startsWith('after '))) return false
  const id = state.path === '' ? machine : `${machine}.${state.path}`
  return type.endsWith(`.${id}`) || (!type.includes(`.${machine}.`) && type.endsWith(`.${state.key}`))
}

function fits(descriptor: string, type: string): boolean {
  if (descriptor === type || descriptor === '*') return true
  return descriptor.endsWith('.*') && `${type}.`.startsWith(descriptor.slice(0, -1))
}

function join(above: string, key: string): string {
  return above === '' ? key : `${above}.${key}`
}
