// Finds the machine change that most likely caused a step to diverge.
import {
  activeNodePaths,
  type ChartChange,
  type NamedTransition,
  sameTransition,
  sourceOfName,
  type StepRecord,
} from '../../../trace/index.ts'

/** One step as recorded and as replayed. */
export interface TwoSteps {
  readonly machine: string
  readonly was: readonly NamedTransition[]
  readonly is: readonly NamedTransition[]
  readonly before?: StepRecord | undefined
  readonly after?: StepRecord | undefined
}

/** Tests whether a change affects the steps, strongest evidence first. */
const SIGNS: readonly ((change: ChartChange, step: StepsWithPaths) => boolean)[] = [
  (change, { was }) => isOneOf(change.was, was),
  (change, { is }) => isOneOf(change.is, is),
  ({ what, state }, { passed }) =>
    ['entry', 'exit', 'invoke', 'initial', 'type'].includes(what) && passed.has(state),
  (change, { sources, ...step }) =>
    ['order', 'transition'].includes(change.what) && sources.has(change.state) && mayMatter(change, step),
  ({ what, state }, { passed }) => what === 'state' && passed.has(state),
  (change, { passed, ...step }) => passed.has(change.state) && mayMatter(change, step),
]

/** A transition for an event that did not occur was not evaluated; timers may have fired at another time. */
function mayMatter({ was, is, what }: ChartChange, step: TwoSteps): boolean {
  if (what !== 'transition') return true
  const here = new Set([...step.was, ...step.is].map(({ event }) => event))
  for (const record of [step.before, step.after]) if (record) here.add(record.event.type)
  return [was, is].some(part => {
    if (part === undefined || !('name' in part)) return false
    const { event } = part
    return here.has(event) || event === 'always' || event.startsWith('after ') || event.endsWith('*')
  })
}

interface StepsWithPaths extends TwoSteps {
  /** Paths of the states that own the transitions. */
  readonly sources: ReadonlySet<string>
  /**
   * The source states, the targets of the transitions, and the states active in the recording and in the
   * replay.
   */
  readonly passed: ReadonlySet<string>
}

/** Returns the likeliest cause, or undefined if no change affects the steps. */
export function likeliestChange(changes: readonly ChartChange[], steps: TwoSteps): ChartChange | undefined {
  const own = changes.filter(({ machine }) => machine === steps.machine)
  const step = withPaths(steps)
  for (const isTelling of SIGNS) {
    const found = own.find(change => isTelling(change, step))
    if (found) return found
  }
  return undefined
}

function withPaths(steps: TwoSteps): StepsWithPaths {
  const { was, is, before, after } = steps
  const taken = [...was, ...is]
  const sources = new Set(taken.map(({ name }) => sourceOfName(name)))
  const active = [before, after].flatMap(step => (step ? activeNodePaths(step.value) : []))
  const targets = taken.flatMap(one => one.targets)
  return { ...steps, sources, passed: new Set([...sources, ...targets.flatMap(withAbove), ...active]) }
}

function withAbove(path: string): string[] {
  const keys = path.split('.')
  return keys.map((_, at) => keys.slice(0, at + 1).join('.'))
}

function isOneOf(part: ChartChange['was'], taken: readonly NamedTransition[]): boolean {
  if (part === undefined || !('name' in part)) return false
  return taken.some(one => sourceOfName(one.name) === sourceOfName(part.name) && sameTransition(one, part))
}
