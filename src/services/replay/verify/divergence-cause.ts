// Finds the transition that caused a first difference: the one that was replaced or that had another effect.
import {
  activeNodePaths,
  type ChartChange,
  chartDiff,
  chartOf,
  isEqual,
  type NamedTransition,
  type ReplayableTrace,
  sameTransition,
  sourceOfName,
  type StepOutput,
  type StepRecord,
  takenTransitions,
  timerTransitions,
} from '../../../trace/index.ts'
import { compareSteps } from '../run/alike.ts'

/** The step in which the difference arose. */
export interface DivergenceCause {
  /** Path of the actor that took the step. */
  readonly actor: string
  /** Recorded transitions. If only some differ between recording and replay, only these are listed. */
  readonly was: readonly NamedTransition[]
  readonly is: readonly NamedTransition[]
  /** Changes in the structure of that actor's machine. */
  readonly changes: readonly ChartChange[]
  /**
   * The likeliest cause: a change that affects the step or, if there is none, a step before it, in any
   * machine.
   */
  readonly likeliest?: ChartChange
}

/** A difference between two runs whose earlier steps are equal. */
interface Difference {
  readonly index: number
  readonly expected?: StepRecord
  readonly got?: StepRecord
  /** Number of the stimulus that could not be placed. */
  readonly stimulus?: number
}

/** Finds the step that caused the difference; undefined if no machine was involved. */
export function findDivergenceCause(
  then: ReplayableTrace,
  now: ReplayableTrace,
  difference: Difference,
): DivergenceCause | undefined {
  const due = stepMissing(then, difference)
  const shown = due ? { ...difference, expected: due } : difference
  const found = showing(then, now, shown)
  if (!found || found.likeliest) return found
  return { ...found, ...causeElsewhere(then, now, shown) }
}

function showing(
  then: ReplayableTrace,
  now: ReplayableTrace,
  difference: Difference,
): DivergenceCause | undefined {
  const { expected, got } = difference
  const unset = expected === undefined && timerCause(then, now, difference)
  if (unset) return unset
  if (expected && got && expected.actor === got.actor && expected.event.type === got.event.type) {
    const found = causeOf(then, now, expected, got)
    return (found && timerOutputCause(then, now, expected, got, found)) ?? found
  }
  const by = expected?.by ?? got?.by
  // The sent events differ. All earlier steps are equal, so the sender's step has the same number.
  if (by !== undefined && by < difference.index) return causeOf(then, now, then.steps[by], now.steps[by])
  return causeOf(then, now, expected, got)
}

/** Returns the step that is missing before the stimulus that could not be placed. */
function stepMissing(
  { steps }: ReplayableTrace,
  { index, expected, got, stimulus }: Difference,
): StepRecord | undefined {
  const due = steps[index]
  return !expected && !got && due && stimulus !== undefined && due.cause < stimulus ? due : undefined
}

/**
 * Looks for a change in the machines of the earlier steps or, if timers do not match, in all machines that
 * set timers.
 */
function causeElsewhere(
  then: ReplayableTrace,
  now: ReplayableTrace,
  { index, expected, got, stimulus }: Difference,
): Pick<DivergenceCause, 'likeliest'> {
  let at = (expected ?? got)?.by
  for (let left = 50; at !== undefined && at < index && left > 0; left--) {
    const { likeliest } = causeOf(then, now, then.steps[at], now.steps[at]) ?? {}
    if (likeliest) return { likeliest }
    at = then.steps[at]?.by
  }
  const isTimer = stimulus !== undefined && then.stimuli[stimulus]?.kind === 'timer'
  const all = isTimer ? Object.keys(then.header.machines).flatMap(id => machineChanges(then, now, id)) : []
  const likeliest = all.find(({ was, is }) => [was, is].some(isTimed))
  return likeliest ? { likeliest } : {}
}

function isTimed(part: ChartChange['was']): boolean {
  return part !== undefined && 'name' in part && part.event.startsWith('after ')
}

function causeOf(
  then: ReplayableTrace,
  now: ReplayableTrace,
  before: StepRecord | undefined,
  after: StepRecord | undefined,
): DivergenceCause | undefined {
  const charts = [before && chartOf(then, before), after && chartOf(now, after)]
  const ids = [...new Set(charts.flatMap(chart => (chart ? [chart.id] : [])))]
  if (ids.length === 0) return undefined
  const actor = (before && then.actors[before.actor]?.path) ?? (after && now.actors[after.actor]?.path) ?? ''
  const taken = [
    before ? takenTransitions(then, before) : [],
    after ? takenTransitions(now, after, true) : [],
  ] as const
  const transitions = differing(...taken)
  const changes = ids.flatMap(id => machineChanges(then, now, id))
  const steps = ids.map(machine => ({ machine, ...transitions, before, after }))
  return { actor, ...transitions, changes, ...likeliestIn(changes, steps) }
}

function likeliestIn(
  changes: readonly ChartChange[],
  steps: readonly TwoSteps[],
): Pick<DivergenceCause, 'likeliest'> {
  const [likeliest] = steps.flatMap(step => likeliestChange(changes, step) ?? [])
  return likeliest ? { likeliest } : {}
}

/** A missing timer: looks up its transition in the recorded chart. */
function timerCause(
  then: ReplayableTrace,
  now: ReplayableTrace,
  { stimulus: seq }: Difference,
): DivergenceCause | undefined {
  const stimulus = seq === undefined ? undefined : then.stimuli[seq]
  if (stimulus?.kind !== 'timer') return undefined
  const chart = chartOf(then, { actor: stimulus.to })
  if (!chart) return undefined
  const step = then.steps.find(({ cause, actor }) => cause === stimulus.seq && actor === stimulus.to)
  const type = step?.event.type ?? typeOf(stimulus.event)
  const taken = step ? takenTransitions(then, step) : []
  const transitions = {
    was: taken.length > 0 ? taken : timerTransitions(chart, type),
    is: timerTransitions(own(now.header.machines, chart.id), type),
  }
  const changes = machineChanges(then, now, chart.id)
  const steps = { machine: chart.id, ...transitions, before: step }
  const actor = then.actors[stimulus.to]?.path ?? ''
  return { actor, ...transitions, changes, ...likeliestIn(changes, [steps]) }
}

/** Of two steps by the same transitions that differ in a timer of `after` that they set: the transitions of that timer. */
function timerOutputCause(
  then: ReplayableTrace,
  now: ReplayableTrace,
  before: StepRecord,
  after: StepRecord,
  found: DivergenceCause,
): DivergenceCause | undefined {
  const isSameWay =
    found.was.length === found.is.length && found.was.every((one, at) => isSameAt(one, found.is[at]))
  if (!isSameWay) return undefined
  const { outputs: recorded = [], ...rest } = before
  const { outputs: replayed = [], ...others } = after
  const [was, is] = [recorded, replayed].map(outputs => outputs.filter(isTimeout))
  const [first, second] = [recorded, replayed].map(outputs => outputs.filter(output => !isTimeout(output)))
  if (!isEqual(first, second) || compareSteps(others, rest) === 'different') return undefined
  const at = was?.findIndex((output, place) => !isEqual(output, is?.[place])) ?? -1
  const [timer, other] = at < 0 ? [undefined, is?.[was?.length ?? 0]] : [was?.[at], is?.[at]]
  const chart = chartOf(then, before)
  if (!chart) return undefined
  const transitions = {
    was: timerTransitions(chart, timer?.name ?? ''),
    is: timerTransitions(own(now.header.machines, chart.id), other?.name ?? ''),
  }
  const { actor, changes } = found
  const steps = { machine: chart.id, ...transitions, before, after }
  return { actor, ...transitions, changes, ...likeliestIn(changes, [steps]) }
}

const isTimeout = ({ kind, name }: StepOutput): boolean =>
  kind === 'timer' && name?.startsWith('xstate.after.') === true

const isSameAt = (one: NamedTransition, other: NamedTransition | undefined): boolean =>
  other !== undefined && sameStep(one, other)

function machineChanges(then: ReplayableTrace, now: ReplayableTrace, id: string): ChartChange[] {
  return chartDiff(own(then.header.machines, id), own(now.header.machines, id))
}

function own<T>(table: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined
}

function typeOf(event: unknown): string {
  return typeof event === 'object' && event !== null && 'type' in event ? String(event.type) : ''
}

/** Removes transitions that are the same in both runs, unless that would remove all. */
function differing(
  then: readonly NamedTransition[],
  now: readonly NamedTransition[],
): Pick<DivergenceCause, 'was' | 'is'> {
  const [before, after] = [
    then.filter(one => !now.some(other => sameStep(one, other))),
    now.filter(one => !then.some(other => sameStep(one, other))),
  ]
  return before.length + after.length > 0 ? { was: before, is: after } : { was: then, is: now }
}

/** Whether two transitions are the same, regardless of their position in their state. */
export function sameStep(a: NamedTransition, b: NamedTransition): boolean {
  return sourceOfName(a.name) === sourceOfName(b.name) && sameTransition(a, b)
}

/** One step as recorded and as replayed. */
interface TwoSteps {
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
