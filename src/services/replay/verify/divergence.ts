// Describes a divergence: where it is, what was expected, what was replayed and what led to it.
import {
  type ChartChange,
  chartDiff,
  describeChange,
  describeTransition,
  diffValues,
  encodeGraph,
  isPlain,
  listedChanges,
  type MachinePart,
  positionIn,
  positionText,
  type ReplayableTrace,
  setOwn,
  short,
  shownState,
  type SourcePosition,
  type StateValue,
  type StepRecord,
  stepPosition,
} from '../../../trace/index.ts'
import { isAlike } from '../run/alike.ts'
import type { ReplayRun } from '../run/replay-run.ts'
import type { Wrong } from './comparison.ts'
import { type DivergenceCause, findDivergenceCause } from './divergence-cause.ts'
import type { Detours } from './verify.ts'

/** Summary of a step. */
export interface StepSummary {
  readonly actor: string
  readonly event: string
  readonly status: StepRecord['status']
  readonly state?: StateValue
}

/** First difference between a recording and its replay. */
export interface Divergence {
  /** Index of the first step that differs, or the number of steps if the recording ended too early. */
  readonly index: number
  /** Absent if the replay has an additional step. */
  readonly expected?: StepSummary
  /** Absent if the replay lacks a step. */
  readonly got?: StepSummary
  /** JSON Pointers at which the two steps differ, with both values as JSON. */
  readonly differences: readonly {
    readonly path: string
    readonly expected: unknown
    readonly got: unknown
  }[]
  /** What could not be repeated. */
  readonly problem?: string
  /**
   * For keyframe comparisons: the state matched up to the first of these stimuli, and differed before the
   * second.
   */
  readonly between?: readonly [from: number, to: number]
  /** From the stimulus to this step. */
  readonly chain: readonly string[]
  /** The step in which the difference arose, with its machine's transitions in both runs. */
  readonly cause?: DivergenceCause
  /** The code that is most likely the cause: of the current machines or, if they have no positions, as recorded. */
  readonly at?: SourcePosition
}

/** Describes the first difference. */
export function divergenceOf(
  trace: ReplayableTrace,
  run: Pick<ReplayRun, 'trace'>,
  wrong: Wrong,
): Divergence {
  const { index, expected, got, problem, between } = wrong
  const cause = between
    ? findKeyframeOnlyCause(trace, run.trace, wrong)
    : findDivergenceCause(trace, run.trace, wrong)
  const at = positionOf(run.trace, 'is', got, cause) ?? positionOf(trace, 'was', expected, cause)
  return {
    index,
    ...(expected && { expected: summary(trace, expected) }),
    ...(got && { got: summary(run.trace, got) }),
    differences: differencesOf(trace, run, wrong),
    ...(between && { between }),
    ...(problem !== undefined && { problem }),
    chain: expected ? chainOf(trace, expected) : got ? chainOf(run.trace, got, trace) : [],
    ...(cause && { cause }),
    ...(at && { at }),
  }
}

/** The position of the change that is the likeliest cause, else of the transition that was taken, else of the step. */
function positionOf(
  trace: ReplayableTrace,
  side: 'was' | 'is',
  step: StepRecord | undefined,
  cause: DivergenceCause | undefined,
): SourcePosition | undefined {
  const taken = cause?.[side][0]
  const change = cause?.likeliest
  const changed = change?.[side]
  const parts: readonly (readonly [machine: string, part: MachinePart])[] = [
    ...(change && changed && 'name' in changed
      ? [[change.machine, { kind: 'transition', name: changed.name }] as const]
      : []),
    ...(change ? [[change.machine, { kind: 'state', name: change.state }] as const] : []),
    ...(taken ? [[taken.machine, { kind: 'transition', name: taken.name }] as const] : []),
  ]
  for (const [machine, part] of parts) {
    const found = positionIn(trace.header, machine, part)
    if (found) return found
  }
  return step && stepPosition(trace, step)
}

/** Returns where the two steps or states differ. */
export function differencesOf(
  trace: ReplayableTrace,
  run: Pick<ReplayRun, 'trace'>,
  { expected, got, differences: found = [] }: Wrong,
): Divergence['differences'] {
  return expected && got ? differences(trace, run.trace, expected, got) : found
}

function pathOf(trace: ReplayableTrace, index: number | undefined): string {
  return index === undefined ? 'outside' : (trace.actors[index]?.path ?? `actor ${index}`)
}

/** Summarizes a step. */
export function summary(trace: ReplayableTrace, step: StepRecord): StepSummary {
  const { event, status, value } = step
  return {
    actor: pathOf(trace, step.actor),
    event: event.type,
    status,
    ...(value !== undefined && { state: value }),
  }
}

function differences(before: ReplayableTrace, after: ReplayableTrace, expected: StepRecord, got: StepRecord) {
  const plain = (trace: ReplayableTrace, { t: _time, via: _via, ...step }: StepRecord) => ({
    ...step,
    actor: pathOf(trace, step.actor),
    from: pathOf(trace, step.from),
  })
  const [then, now] = withoutSame(plain(before, expected), plain(after, got), 1)
  const diff = diffValues(encodeGraph(then), encodeGraph(now), 20)
  return listedChanges(diff).map(({ path, before: was, after: is }) => ({ path, expected: was, got: is }))
}

/** Omits the members that both have, at most this deep: comparing large ones is faster than encoding them. */
function withoutSame(one: unknown, other: unknown, depth: number): [unknown, unknown] {
  if (!isRecord(one) || !isRecord(other)) return [one, other]
  const left: { [key: string]: unknown } = { ...one }
  const right: { [key: string]: unknown } = { ...other }
  for (const key of Object.keys(one)) {
    if (!Object.hasOwn(other, key)) continue
    const [mine, theirs] = depth > 0 ? withoutSame(one[key], other[key], depth - 1) : [one[key], other[key]]
    if (isAlike(mine, theirs, () => undefined)) {
      delete left[key]
      delete right[key]
    } else {
      setOwn(left, key, mine)
      setOwn(right, key, theirs)
    }
  }
  return [left, right]
}

const isRecord = (value: unknown): value is { readonly [key: string]: unknown } =>
  typeof value === 'object' && value !== null && isPlain(value)

/** Lists the steps that led to this one, beginning with the stimulus. */
function chainOf(trace: ReplayableTrace, step: StepRecord, stimuli = trace): string[] {
  const chain: string[] = []
  let at: StepRecord | undefined = step
  for (let left = 50; at && left > 0; left--) {
    chain.unshift(`${pathOf(trace, at.actor)} took ${at.event.type}`)
    at = at.by === undefined ? undefined : trace.steps[at.by]
  }
  const stimulus = stimuli.stimuli[step.cause]
  if (!stimulus) return ['the system started', ...chain]
  const { kind, from, ordinal } = stimulus
  const source = {
    external: 'sent from outside',
    leaf: `from ${pathOf(stimuli, from)}`,
    timer: `timer ${ordinal}`,
    stop: 'stopped',
  }
  return [`#${stimulus.seq} ${source[kind]} to ${pathOf(stimuli, stimulus.to)}`, ...chain]
}

/**
 * Returns the actor that differs or whose stimulus could not be repeated; undefined if no machine changed.
 */
function findKeyframeOnlyCause(
  then: ReplayableTrace,
  now: ReplayableTrace,
  { differences = [], between: [, to] = [0, 0] }: Wrong,
): DivergenceCause | undefined {
  const last = then.stimuli[to - 1]
  const spoken = differences.map(({ path }) => actorIn(path))
  const paths = differences.length > 0 ? spoken : [then.actors[last?.to ?? -1]?.path]
  const found = paths.flatMap(path => then.actors.find(actor => actor.path === path) ?? [])
  const [was, is] = [then.header.machines, now.header.machines]
  const ofActors = found.map(({ path, src }) => ({ path, changes: chartDiff(was[src], is[src]) }))
  const first = ofActors.find(({ changes }) => changes.length > 0)
  if (!first) return undefined
  const { path, changes } = first
  const [likeliest, ...others] = changes
  return { actor: path, was: [], is: [], changes, ...(likeliest && others.length === 0 && { likeliest }) }
}

/** `/actors/client~1session/value` refers to `client/session`. */
function actorIn(pointer: string): string | undefined {
  const [, part, name] = pointer.split('/')
  return part === 'actors' ? name?.replaceAll('~1', '/').replaceAll('~0', '~') : undefined
}

/**
 * Describes what was recorded, what was replayed, the differences, transitions, chart changes and causes.
 * @param show formats the position of the code
 */
export function describeDivergence(
  divergence: Divergence,
  show: (position: SourcePosition) => string = positionText,
): string[] {
  const { index, expected, got, differences, problem, chain, cause, between, at } = divergence
  return [
    between
      ? `first difference between inputs ${between[0]} and ${between[1]}`
      : `first difference at step ${index}`,
    ...(at ? [`  at ${show(at)}`] : []),
    ...(problem === undefined ? [] : [`  ${problem}`]),
    ...(expected || got ? [`  recorded: ${step(expected)}`, `  replayed: ${step(got)}`] : []),
    ...differences.map(one => `  ${one.path}: ${short(one.expected)} → ${short(one.got)}`),
    ...(cause ? describeCause(cause) : []),
    ...(chain.length === 0 ? [] : [`because: ${chain.join(' → ')}`]),
  ]
}

function step(found: StepSummary | undefined): string {
  if (!found) return 'nothing'
  return `${found.actor} took ${found.event} → ${shownState(found)}`
}

function describeCause({ actor, was, is, changes, likeliest }: DivergenceCause): string[] {
  const others = changes.filter(change => change !== likeliest)
  return [
    ...(was.length + is.length === 0
      ? []
      : [`  transition of ${actor} then: ${inOrder(was)}`, `  transition of ${actor} now:  ${inOrder(is)}`]),
    ...(likeliest ? [`  most likely: ${describeChange(likeliest)}`] : []),
    ...others.map(change => `  ${likeliest ? 'also ' : ''}changed in ${describeChange(change)}`),
    ...(likeliest ? [] : behindNames(was, is, changes.length > 0)),
  ]
}

/** If no chart change is the cause, it is a named implementation or the data that it reads. */
function behindNames(was: DivergenceCause['was'], is: DivergenceCause['is'], isElsewhere: boolean): string[] {
  const names = (all: DivergenceCause['was']) => [
    ...all.flatMap(({ guard }) => (guard === undefined ? [] : [`the guard ${guard}`])),
    ...all.flatMap(({ actions }) => actions.map(action => `the action ${action}`)),
    ...all.flatMap(({ event }) => (event.startsWith('after ') ? [`the delay ${event.slice(6)}`] : [])),
  ]
  const found = [...new Set(names([...was, ...is]))]
  if (found.length === 0) return []
  const structure = isElsewhere ? 'none of these changes affects the step' : 'the structure is unchanged'
  return [`  ${structure}; check ${found.join(', ')}, and the data they read`]
}

/** Describes machine changes that had no effect. */
export function describeSilentChanges(changes: readonly ChartChange[]): string[] {
  return changes.map(change => `changed without effect: ${describeChange(change)}`)
}

/** Describes detours. */
export function describeDetours({ items, more }: Detours): string[] {
  const [first] = items
  if (!first) return []
  const count = items.length + more
  const { index, actor, event, was, is } = first
  return [
    count === 1
      ? 'one step has the same result by another transition'
      : `${count} steps have the same result by another transition; the first:`,
    `  step ${index}: ${actor} took ${event} then by ${inOrder(was)}, and now by ${inOrder(is)}`,
  ]
}

function inOrder(all: DivergenceCause['was']): string {
  return all.length === 0 ? 'none' : all.map(describeTransition).join(', then ')
}
