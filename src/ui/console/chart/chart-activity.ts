// What a step did in a chart: active states, transitions taken, and guards that said no.
import { namedTransitions, statesOf, type NamedTransition } from '../../../trace/chart-states.ts'
import type { ChartState, MachineChart, StateValue } from '../../../trace/format.ts'
import { activePaths, leafPaths } from '../../../trace/timeline/state-value.ts'

/** A transition that an event would have set off, had its guard not said no. */
export interface Rejection {
  /** `path#n`. */
  readonly name: string
  readonly guard: string
}

/** States and transitions of a chart that a record lights up. */
export interface ChartActivity {
  readonly active: ReadonlySet<string>
  /** Names of the transitions taken in this step, `path#n`. */
  readonly taken: ReadonlySet<string>
  /** By name of the transition. */
  readonly rejected: ReadonlyMap<string, Rejection>
  /** Innermost states that the last change of state entered. */
  readonly entered: ReadonlySet<string>
  /** The actor came to an end by an error. */
  readonly failed: boolean
  /** Number of the step, so that each one pulses once. */
  readonly step: number
}

/** Nothing is lit. */
export const DARK: ChartActivity = {
  active: new Set(),
  taken: new Set(),
  rejected: new Map(),
  entered: new Set(),
  failed: false,
  step: -1,
}

/** A step of a machine, as a timeline or a record tells it. */
export interface ChartStep {
  readonly seq: number
  /** Type of its event. */
  readonly type: string
  readonly value: StateValue | undefined
  /** Transitions that it took; absent where the recording does not say. */
  readonly via: readonly string[] | undefined
  readonly changed: boolean
  readonly status: 'active' | 'done' | 'error' | 'stopped'
}

/** What is known around a step. */
export interface Around {
  /** The state value before it, of the same actor. */
  readonly before?: StateValue | undefined
  /** The last state value that was another. */
  readonly other?: StateValue | undefined
  /** Whether the trace names the transitions of each step, so that none named means none taken. */
  readonly isNaming?: boolean
}

/** Lights for a step. */
export function chartActivity(
  chart: MachineChart,
  step: ChartStep,
  { before, other = before, isNaming = false }: Around,
): ChartActivity {
  const active = new Set(activePaths(step.value))
  const states = statesOf(chart)
  const was = new Set(before === undefined ? [] : ['', ...activePaths(before)])
  const isKnown = step.via !== undefined || isNaming
  const taken = isKnown ? (step.via ?? []) : guessed(chart, states, step, was, active)
  const left = leafPaths(other)
  return {
    active,
    taken: new Set(taken),
    rejected: isKnown ? rejections(chart.id, states, step, before, new Set(taken)) : new Map(),
    entered: new Set(leafPaths(step.value).filter(path => !left.includes(path))),
    failed: step.status === 'error',
    step: step.seq,
  }
}

/** Walks out from each innermost state, as XState does, up to the transition that was taken. */
function rejections(
  machine: string,
  states: ReadonlyMap<string, ChartState>,
  step: ChartStep,
  before: StateValue | undefined,
  taken: ReadonlySet<string>,
): ReadonlyMap<string, Rejection> {
  const found = new Map<string, Rejection>()
  for (const leaf of before === undefined ? [] : leafPaths(before)) {
    for (const { name, event, guard } of outwards(machine, states, leaf)) {
      if (taken.has(name)) break
      if (guard !== undefined && matchesEvent(event, step.type)) found.set(name, { name, guard })
    }
  }
  return found
}

function outwards(
  machine: string,
  states: ReadonlyMap<string, ChartState>,
  leaf: string,
): readonly NamedTransition[] {
  const keys = leaf.split('.')
  const paths = keys.map((_, at) => keys.slice(0, keys.length - at).join('.'))
  return [...paths, ''].flatMap(path => namedTransitions(machine, states.get(path)))
}

/** Where the recording does not say: the innermost that fits, best one that leads where the machine is now. */
function guessed(
  chart: MachineChart,
  states: ReadonlyMap<string, ChartState>,
  { type, changed }: ChartStep,
  was: ReadonlySet<string>,
  active: ReadonlySet<string>,
): readonly string[] {
  if (was.size === 0 || !changed) return []
  const fitting = candidates(chart, was, event => matchesEvent(event, type))
  const leads = ({ targets }: NamedTransition) => targets.some(target => active.has(target))
  const step = fitting.find(leads) ?? fitting[0]
  if (!step) return []
  return [step.name, ...(leads(step) ? [] : eventless(chart, states, step.targets[0] ?? '', active))]
}

/** Transitions out of active states that take the event, innermost states first. */
function candidates(
  { id, root }: MachineChart,
  was: ReadonlySet<string>,
  takes: (event: string) => boolean,
): readonly NamedTransition[] {
  const within = (state: ChartState): readonly NamedTransition[] =>
    was.has(state.path)
      ? [
          ...state.states.flatMap(within),
          ...namedTransitions(id, state).filter(({ event, targets }) => takes(event) && targets.length > 0),
        ]
      : []
  return within(root)
}

const MOST_STEPS = 8

/** The eventless transitions by which a passing state was left at once. */
function eventless(
  chart: MachineChart,
  states: ReadonlyMap<string, ChartState>,
  from: string,
  active: ReadonlySet<string>,
): readonly string[] {
  const steps: string[] = []
  let at = from
  while (steps.length < MOST_STEPS && states.has(at)) {
    const next = outwards(chart.id, states, at).filter(({ event }) => event === 'always')
    const step = next.find(({ targets }) => targets.some(target => active.has(target))) ?? next[0]
    if (!step || steps.includes(step.name)) return steps
    steps.push(step.name)
    at = step.targets[0] ?? ''
    if (active.has(at)) return steps
  }
  return steps
}

/** Whether an event descriptor of a chart (`a.b`, `a.*`, `after 800`, `done src`) stands for an event's type. */
export function matchesEvent(descriptor: string, type: string): boolean {
  const [word = '', name = ''] = descriptor.split(' ')
  if (word === 'after') return type.startsWith(`xstate.after.${name}.`)
  if (word === 'done') return type.startsWith('xstate.done.')
  if (word === 'error') return type.startsWith('xstate.error.')
  if (descriptor === '*') return !type.startsWith('xstate.')
  if (descriptor.endsWith('.*')) return type.startsWith(descriptor.slice(0, -1))
  return descriptor === type
}
