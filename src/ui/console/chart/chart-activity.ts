// What a step did in a chart: active states, transitions taken, and guards that returned false.
import {
  activePaths,
  type ChartState,
  leafPaths,
  type MachineChart,
  type NamedTransition,
  namedTransitions,
  statesOf,
  type StateValue,
} from '../../../trace/index.ts'

/** A transition that the event would have taken if its guard had returned true. */
export interface Rejection {
  /** `path#n`. */
  readonly name: string
  readonly guard: string
}

/** States and transitions of a chart that a record highlights. */
export interface ChartActivity {
  readonly active: ReadonlySet<string>
  /** Names of the transitions taken in this step, `path#n`. */
  readonly taken: ReadonlySet<string>
  /** Keyed by transition name. */
  readonly rejected: ReadonlyMap<string, Rejection>
  /** Innermost states entered by the last state change. */
  readonly entered: ReadonlySet<string>
  /** Whether the actor ended with an error. */
  readonly failed: boolean
  /** Number of the step, so that each step animates once. */
  readonly step: number
}

/** No highlights. */
export const DARK: ChartActivity = {
  active: new Set(),
  taken: new Set(),
  rejected: new Map(),
  entered: new Set(),
  failed: false,
  step: -1,
}

/** A machine's step, as read from a timeline or a record. */
export interface ChartStep {
  readonly seq: number
  /** Type of its event. */
  readonly type: string
  readonly value: StateValue | undefined
  /** Transitions it took; undefined if the recording does not include them. */
  readonly via: readonly string[] | undefined
  readonly changed: boolean
  readonly status: 'active' | 'done' | 'error' | 'stopped'
}

/** Context around a step. */
export interface Around {
  /** The actor's previous state value. */
  readonly before?: StateValue | undefined
  /** The last state value that differed. */
  readonly other?: StateValue | undefined
  /** Whether the trace records the transitions of each step, so that an empty list means none were taken. */
  readonly isNaming?: boolean
}

/** Returns the highlights of a step. */
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

/** Walks outward from each innermost state, as XState does, up to the transition that was taken. */
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

/**
 * Fallback without recorded transitions: the innermost match, preferably one that targets the present state.
 */
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

/** Returns transitions out of active states that accept the event, innermost states first. */
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

/** Returns the eventless transitions that left a transient state immediately. */
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

/** Whether an event descriptor of a chart (`a.b`, `a.*`, `after 800`, `done src`) matches an event type. */
export function matchesEvent(descriptor: string, type: string): boolean {
  const [word = '', name = ''] = descriptor.split(' ')
  if (word === 'after') return type.startsWith(`xstate.after.${name}.`)
  if (word === 'done') return type.startsWith('xstate.done.')
  if (word === 'error') return type.startsWith('xstate.error.')
  if (descriptor === '*') return !type.startsWith('xstate.')
  if (descriptor.endsWith('.*')) return type.startsWith(descriptor.slice(0, -1))
  return descriptor === type
}
