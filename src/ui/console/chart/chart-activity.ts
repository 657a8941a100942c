// What a step did in a chart: which states are active and which arrows were just taken.
import type { ChartState, MachineChart, StateValue, ViewRecord } from '../../../trace/format.ts'
import { nodeId } from './chart-graph.ts'
import { activePaths, leafPaths } from '../state-value.ts'

/** States and arrows of a chart that a record lights up. */
export interface ChartActivity {
  readonly active: ReadonlySet<string>
  /** Ids of the arrows taken in this step. */
  readonly hot: ReadonlySet<string>
  /** Innermost states that the last change of state entered. */
  readonly entered: ReadonlySet<string>
}

/** Nothing is lit. */
export const DARK: ChartActivity = { active: new Set(), hot: new Set(), entered: new Set() }

/** Lights for a view, the state value before it, and the last one that was another. */
export function chartActivity(
  chart: MachineChart,
  view: ViewRecord,
  before: StateValue | undefined,
  other = before,
): ChartActivity {
  const active = new Set(activePaths(view.value))
  const hot = new Set(hotEdges(chart, view, before, active))
  const left = leafPaths(other)
  const entered = new Set(leafPaths(view.value).filter(path => !left.includes(path)))
  return { active, hot, entered }
}

function hotEdges(
  chart: MachineChart,
  view: ViewRecord,
  before: StateValue | undefined,
  active: ReadonlySet<string>,
): readonly string[] {
  if (before === undefined || !view.changed) return []
  const was = new Set(['', ...activePaths(before)])
  const taken = candidates(chart.root, was, event => matchesEvent(event, view.event.type))
  const landed = taken.filter(({ target }) => active.has(target))
  const first = landed.length > 0 ? landed.slice(0, 1) : taken.slice(0, 1)
  const [step] = first
  if (!step) return []
  const onwards = active.has(step.target) ? [] : eventless(chart.root, step.target, active)
  return [...first, ...onwards].map(({ source, target }) => `${nodeId(source)}→${nodeId(target)}`)
}

interface Step {
  readonly source: string
  readonly target: string
}

/** Transitions out of active states that take the event, innermost states first. */
function candidates(
  state: ChartState,
  was: ReadonlySet<string>,
  takes: (event: string) => boolean,
): readonly Step[] {
  if (!was.has(state.path)) return []
  const inner = state.states.flatMap(child => candidates(child, was, takes))
  const own = state.transitions
    .filter(transition => takes(transition.event))
    .flatMap(({ targets }) => targets.map(target => ({ source: state.path, target })))
  return [...inner, ...own]
}

/** The eventless transitions by which a passing state was left at once. */
function eventless(root: ChartState, from: string, active: ReadonlySet<string>): readonly Step[] {
  const steps: Step[] = []
  let at = from
  while (steps.length < 8) {
    const path = at
    const next = candidates(root, pathsTo(path), event => event === 'always')
    const step = next.find(({ target }) => active.has(target)) ?? next[0]
    if (!step || steps.some(({ source }) => source === step.source)) return steps
    steps.push(step)
    if (active.has(step.target)) return steps
    at = step.target
  }
  return steps
}

function pathsTo(path: string): ReadonlySet<string> {
  const keys = path.split('.')
  return new Set(['', ...keys.map((_, at) => keys.slice(0, at + 1).join('.'))])
}

/** Whether an event descriptor of a chart (`a.b`, `a.*`, `after 800`, `done src`) stands for an event's type. */
export function matchesEvent(descriptor: string, type: string): boolean {
  const [word = '', name = ''] = descriptor.split(' ')
  if (word === 'after') return type.startsWith(`xstate.after.${name}.`)
  if (word === 'done') return type.startsWith('xstate.done.')
  if (word === 'error') return type.startsWith('xstate.error.')
  if (descriptor === '*') return true
  if (descriptor.endsWith('.*')) return type.startsWith(descriptor.slice(0, -1))
  return descriptor === type
}
