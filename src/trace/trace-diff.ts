// The difference of two runs, actor by actor: where each actor behaves differently for the first time.
import { timeInWords } from './assert/values.ts'
import { type ChartChange, chartDiff, describeChange, short } from './charts/chart-diff.ts'
import { isSameMachine } from './charts/chart-states.ts'
import { encodeGraph } from './codec/codec.ts'
import { diffValues, listedChanges } from './diff.ts'
import { shownState } from './exports/run-text.ts'
import type { StateValue, StepRecord } from './format/records.ts'
import type { SourcePosition } from './format/source.ts'
import { positionText } from './charts/source-positions.ts'
import { stepPosition } from './charts/step-position.ts'
import type { ReplayableTrace } from './format/trace-source.ts'

/** One difference: a path, and the value in each trace. */
export interface TraceChange {
  readonly path: string
  readonly a: unknown
  readonly b: unknown
}

/** Summary of a step. */
interface StepSummary {
  readonly seq: number
  readonly t: number
  readonly event: string
  readonly status: StepRecord['status']
  readonly state?: StateValue
}

/** The first step at which an actor behaves differently. */
export interface Parting {
  readonly actor: string
  /** Number of identical steps of this actor before. */
  readonly after: number
  /** Absent if the actor takes no further step. */
  readonly a?: StepSummary
  readonly b?: StepSummary
  readonly changes: readonly TraceChange[]
  /** What led to the step of `b`, or of `a` if only that has one: the stimulus, then the steps. */
  readonly because: readonly string[]
  /** The code behind the step of `b`, or of `a` if only that has one, as that trace was recorded. */
  readonly at?: SourcePosition
}

/** The difference of two runs. */
export interface TraceDiff {
  readonly isSame: boolean
  readonly header: readonly TraceChange[]
  readonly machines: readonly {
    readonly id: string
    readonly onlyIn?: 'a' | 'b'
    readonly changes: readonly ChartChange[]
  }[]
  readonly actors: { readonly onlyA: readonly string[]; readonly onlyB: readonly string[] }
  readonly steps: { readonly a: number; readonly b: number }
  /** The earliest one. */
  readonly first?: Parting
  /** Diverging actors, in the order of divergence. */
  readonly parting: readonly string[]
  /** Every actor takes the same steps, but in a different global order. */
  readonly order?: { readonly at: number; readonly a: string; readonly b: string }
}

export interface TraceDiffOptions {
  /**
   * Compares only events by type, states and statuses: data and random values differ between runs of the same
   * code. Defaults to everything but times.
   */
  readonly only?: 'behavior'
}

/** Compares two runs actor by actor; times are ignored. */
export function diffTraces(
  a: ReplayableTrace,
  b: ReplayableTrace,
  { only: what }: TraceDiffOptions = {},
): TraceDiff {
  const own = what === 'behavior' ? behaviorOf : ownPart
  const header = what === 'behavior' ? [] : changes(headOf(a), headOf(b))
  const machines = diffMachines(a, b)
  const [mine, theirs] = [stepsByActor(a), stepsByActor(b)]
  const partings = [...new Set([...mine.keys(), ...theirs.keys()])]
    .flatMap(path => partingOf(path, [a, mine.get(path) ?? []], [b, theirs.get(path) ?? []], own) ?? [])
    .sort((one, other) => placeOf(one) - placeOf(other))
  const order = partings.length === 0 ? firstOutOfOrder(a, b) : undefined
  const [first] = partings
  return {
    isSame: header.length === 0 && machines.length === 0 && !first && !order,
    header,
    machines,
    actors: { onlyA: missing(a, b), onlyB: missing(b, a) },
    steps: { a: a.steps.length, b: b.steps.length },
    ...(first && { first }),
    parting: partings.map(({ actor }) => actor),
    ...(order && { order }),
  }
}

function headOf({ header }: ReplayableTrace) {
  const { system, appVersion, xstateVersion, input, redaction } = header
  return { system, appVersion, xstateVersion, input, redaction: redaction.policy }
}

function changes(a: unknown, b: unknown): TraceChange[] {
  const diff = diffValues(encodeGraph(a), encodeGraph(b), 20)
  return listedChanges(diff).map(({ path, before, after }) => ({ path, a: before, b: after }))
}

function diffMachines(a: ReplayableTrace, b: ReplayableTrace): TraceDiff['machines'] {
  const [then, now] = [a.header.machines, b.header.machines]
  return [...new Set([...Object.keys(then), ...Object.keys(now)])]
    .filter(id => !isSameMachine(then[id], now[id]))
    .map(id => {
      const onlyIn = then[id] ? (now[id] ? undefined : 'a') : 'b'
      return { id, ...(onlyIn && { onlyIn }), changes: chartDiff(then[id], now[id]) }
    })
}

function missing(a: ReplayableTrace, b: ReplayableTrace): string[] {
  const there = new Set(b.actors.map(({ path }) => path))
  return a.actors.flatMap(({ path }) => (there.has(path) ? [] : path))
}

const pathOf = ({ actors }: ReplayableTrace, index: number) => actors[index]?.path ?? `actor ${index}`

function stepsByActor(trace: ReplayableTrace): Map<string, StepRecord[]> {
  const steps = new Map<string, StepRecord[]>()
  for (const step of trace.steps) {
    const path = pathOf(trace, step.actor)
    const known = steps.get(path)
    if (known) known.push(step)
    else steps.set(path, [step])
  }
  return steps
}

/** The actor's own behavior, without times and without references to other actors. */
function ownPart(trace: ReplayableTrace, step: StepRecord): unknown {
  const { t: _t, seq: _seq, cause: _cause, by: _by, actor: _actor, from, ...own } = step
  return { ...own, ...(from !== undefined && { from: pathOf(trace, from) }) }
}

/** Returns how two steps differ, apart from times and numbers. */
export function diffSteps(
  a: ReplayableTrace,
  one: StepRecord,
  b: ReplayableTrace,
  other: StepRecord,
): readonly TraceChange[] {
  return changes(ownPart(a, one), ownPart(b, other))
}

/** What has to be the same in every run of the same code with the same timing. */
const behaviorOf: typeof ownPart = (trace, { event, status, value, from }) => ({
  event: { type: event.type },
  status,
  ...(value !== undefined && { value }),
  ...(from !== undefined && { from: pathOf(trace, from) }),
})

type Own = readonly [trace: ReplayableTrace, steps: readonly StepRecord[]]

function partingOf(
  actor: string,
  [a, mine]: Own,
  [b, theirs]: Own,
  own: typeof ownPart,
): Parting | undefined {
  for (let after = 0; after < Math.max(mine.length, theirs.length); after++) {
    const [one, other] = [mine[after], theirs[after]]
    const found = one && other ? changes(own(a, one), own(b, other)) : []
    if (one && other && found.length === 0) continue
    const at = (other && stepPosition(b, other)) ?? (one && stepPosition(a, one))
    return {
      actor,
      after,
      ...(at && { at }),
      ...(one && { a: summary(one) }),
      ...(other && { b: summary(other) }),
      changes: found,
      because: other ? causesOf(b, other) : one ? causesOf(a, one) : [],
    }
  }
  return undefined
}

/** Earlier ones are left out. */
const MOST_CAUSES = 8

function causesOf(trace: ReplayableTrace, step: StepRecord): string[] {
  const causes: string[] = []
  for (let at: StepRecord | undefined = step; at && causes.length < MOST_CAUSES;) {
    causes.unshift(`${pathOf(trace, at.actor)} took ${at.event.type}`)
    at = at.by === undefined ? undefined : trace.steps[at.by]
  }
  const stimulus = trace.stimuli[step.cause]
  if (!stimulus) return ['the start', ...causes]
  const { kind, from } = stimulus
  const source = {
    external: 'an event from outside',
    leaf: `a result of ${from === undefined ? 'an effect' : pathOf(trace, from)}`,
    timer: 'a timer',
    stop: 'a stop',
  }
  return [source[kind], ...causes]
}

const summary = ({ seq, t, event, status, value }: StepRecord): StepSummary => ({
  seq,
  t,
  event: event.type,
  status,
  ...(value !== undefined && { state: value }),
})

const placeOf = ({ a, b }: Parting) => Math.min(a?.seq ?? Infinity, b?.seq ?? Infinity)

function firstOutOfOrder(a: ReplayableTrace, b: ReplayableTrace): TraceDiff['order'] {
  const at = a.steps.findIndex((step, n) => pathOf(a, step.actor) !== pathOf(b, b.steps[n]?.actor ?? -1))
  const [one, other] = [a.steps[at], b.steps[at]]
  return one && other ? { at, a: pathOf(a, one.actor), b: pathOf(b, other.actor) } : undefined
}

/**
 * Describes a difference in lines; `A` and `B` are the traces.
 * @param show formats the position of the code
 */
export function describeTraceDiff(
  { header, machines, actors, steps, first, parting, order }: TraceDiff,
  show: (position: SourcePosition) => string = positionText,
): string[] {
  return [
    ...header.map(change => `header ${described(change)}`),
    ...machines.flatMap(({ id, onlyIn, changes }) => [
      ...(onlyIn ? [`machine ${id}: only in ${onlyIn.toUpperCase()}`] : []),
      ...changes.map(change => `machine ${describeChange(change)}`),
    ]),
    ...only('A', actors.onlyA),
    ...only('B', actors.onlyB),
    ...(first
      ? [
          `${first.actor} diverges after ${first.after} identical steps`,
          ...(first.at ? [`  at ${show(first.at)}`] : []),
          `  A: ${step(first.a)}`,
          `  B: ${step(first.b)}`,
          ...first.changes.map(change => `  ${described(change)}`),
          `  because of ${first.because.join(' → ')}`,
        ]
      : []),
    ...(parting.length > 1 ? [`then diverging: ${list(parting.slice(1))}`] : []),
    ...(order
      ? [`same steps in a different order from step ${order.at} on: A ${order.a}, B ${order.b}`]
      : []),
    ...(first || order ? [] : [`${steps.a} identical steps`]),
  ]
}

const described = ({ path, a, b }: TraceChange) => `${path}: ${short(a)} → ${short(b)}`

const only = (name: string, paths: readonly string[]) =>
  paths.length === 0 ? [] : [`only in ${name}: ${list(paths)}`]

const list = (paths: readonly string[]) =>
  paths.length > 8 ? `${paths.slice(0, 8).join(', ')} and ${paths.length - 8} more` : paths.join(', ')

const step = (found: StepSummary | undefined) =>
  found
    ? `step ${found.seq}, ${timeInWords(found.t)}: took ${found.event} → ${shownState(found)}`
    : 'no further steps'
