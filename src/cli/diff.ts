// `chartroom diff`: shows where two traces diverge.
import { styleText } from 'node:util'
import {
  changedPaths,
  type ChartChange,
  chartDiff,
  describeChange,
  diffValues,
  encodeValue,
  isSameMachine,
  jsonText,
  short,
  shownState,
  type StateValue,
  type StepRecord,
  timeInWords,
} from '../trace/index.ts'
import { defineCommand } from './command.ts'
import { loadSystems, MACHINES_FLAG } from './machines-file.ts'
import { needTrace } from './trace-files.ts'
import { oneLine, print } from './print.ts'
import type { ReplayableTrace } from '../public/replay.ts'

export const diffCommand = defineCommand({
  usage: 'diff A B [flags]',
  text: `Compares two traces actor by actor, and shows the first step at which they diverge, and how their
headers and machines differ. Times are ignored.

Exit code: 0 identical, 1 different, 2 a file could not be used.`,
  flags: { json: { type: 'boolean', about: 'Print one JSON object' }, ...MACHINES_FLAG },
  takes: [2, 2, 'file'],
  async run({ values, names: [a = '', b = ''] }) {
    const systems = await loadSystems(values.machines)
    const diff = diffTraces(await needTrace(a, systems), await needTrace(b, systems))
    print(`${values.json ? jsonText({ a, b, ...diff }) : reportLines(a, b, diff)}\n`)
    return diff.isSame ? 0 : 1
  },
})

function reportLines(a: string, b: string, diff: TraceDiff): string {
  const word = diff.isSame ? styleText('green', 'SAME   ') : styleText('red', 'DIFFERS')
  return [`${word}  ${oneLine(`${a} ${b}`)}`, ...describe(diff).map(line => `  ${oneLine(line)}`)].join('\n')
}

function describe({ header, machines, actors, steps, first, parting, order }: TraceDiff): string[] {
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
          `  A: ${step(first.a)}`,
          `  B: ${step(first.b)}`,
          ...first.changes.map(change => `  ${described(change)}`),
        ]
      : []),
    ...(parting.length > 1 ? [`then diverging: ${list(parting.slice(1))}`] : []),
    ...(order
      ? [`same steps in a different order from step ${order.at} on: A ${order.a}, B ${order.b}`]
      : []),
    ...(first || order ? [] : [`${steps.a} identical steps`]),
  ]
}

const described = ({ path, a, b }: Change) => `${path}: ${short(a)} → ${short(b)}`

const only = (name: string, paths: readonly string[]) =>
  paths.length === 0 ? [] : [`only in ${name}: ${list(paths)}`]

const list = (paths: readonly string[]) =>
  paths.length > 8 ? `${paths.slice(0, 8).join(', ')} and ${paths.length - 8} more` : paths.join(', ')

const step = (found: StepSummary | undefined) =>
  found
    ? `step ${found.seq}, ${timeInWords(found.t)}: took ${found.event} → ${shownState(found)}`
    : 'no further steps'

/** One difference: a path, and the value in each trace. */
export interface Change {
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
interface Parting {
  readonly actor: string
  /** Number of identical steps of this actor before. */
  readonly after: number
  /** Absent if the actor takes no further step. */
  readonly a?: StepSummary
  readonly b?: StepSummary
  readonly changes: readonly Change[]
}

interface TraceDiff {
  readonly isSame: boolean
  readonly header: readonly Change[]
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

/** Compares the behavior of two systems actor by actor; times are ignored. */
function diffTraces(a: ReplayableTrace, b: ReplayableTrace): TraceDiff {
  const header = changes(headOf(a), headOf(b))
  const machines = diffMachines(a, b)
  const [mine, theirs] = [stepsByActor(a), stepsByActor(b)]
  const partings = [...new Set([...mine.keys(), ...theirs.keys()])]
    .flatMap(path => partingOf(path, mine.get(path) ?? [], theirs.get(path) ?? [], a, b) ?? [])
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

function changes(a: unknown, b: unknown): Change[] {
  const diff = diffValues(encodeValue(a), encodeValue(b), 20)
  return changedPaths(diff).map(path => ({
    path,
    a: diff.updated[path]?.[0] ?? diff.removed[path],
    b: diff.updated[path]?.[1] ?? diff.added[path],
  }))
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
function ownPart(trace: ReplayableTrace, step: StepRecord) {
  const { t: _t, seq: _seq, cause: _cause, by: _by, actor: _actor, from, ...own } = step
  return encodeValue({ ...own, ...(from !== undefined && { from: pathOf(trace, from) }) })
}

function partingOf(
  actor: string,
  mine: readonly StepRecord[],
  theirs: readonly StepRecord[],
  a: ReplayableTrace,
  b: ReplayableTrace,
): Parting | undefined {
  for (let after = 0; after < Math.max(mine.length, theirs.length); after++) {
    const [one, other] = [mine[after], theirs[after]]
    const found = one && other ? changes(ownPart(a, one), ownPart(b, other)) : []
    if (one && other && found.length === 0) continue
    return {
      actor,
      after,
      ...(one && { a: summary(one) }),
      ...(other && { b: summary(other) }),
      changes: found,
    }
  }
  return undefined
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
