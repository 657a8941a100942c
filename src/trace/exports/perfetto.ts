// A run in Chrome's Trace Event Format, for Perfetto and other viewers: a track for each actor.
import { encodeValue } from '../codec/codec.ts'
import type { StepRecord } from '../format/records.ts'
import { exchangesOf, type Exchange } from './network.ts'
import { levelsOf, livesOf, pathOf, senderOf, type Exported, type Life } from './run-text.ts'

/** One event of the format; times and durations in microseconds. */
interface Drawn {
  readonly ph: 'M' | 'X' | 's' | 'f' | 'b' | 'e'
  readonly name: string
  readonly pid: 1
  readonly tid: number
  readonly ts?: number
  readonly [field: string]: unknown
}

/** Simultaneous steps are drawn a microsecond apart, so that their order is visible. */
function timesOf(steps: readonly StepRecord[]): number[] {
  let last = -1
  return steps.map(({ t }) => (last = Math.max(Math.round(t * 1000), last + 1)))
}

/** The document as JSON, piece by piece; the same trace gives the same text. */
export function* toPerfetto(trace: Exported): Generator<string> {
  const { system, startedAt, appVersion, xstateVersion } = trace.header
  const otherData = { system, startedAt, appVersion, xstateVersion }
  yield `{"displayTimeUnit":"ms","otherData":${JSON.stringify(otherData)},"traceEvents":[\n`
  let between = ''
  for (const event of eventsOf(trace)) {
    yield `${between}${JSON.stringify(event)}`
    between = ',\n'
  }
  yield '\n]}\n'
}

function* eventsOf(trace: Exported): Generator<Drawn> {
  const times = timesOf(trace.steps)
  const end = (times.at(-1) ?? 0) + 1
  const lives = livesOf(trace)
  const steps = new Map(lives.map(({ actor }) => [actor.index, [] as StepRecord[]]))
  for (const step of trace.steps) steps.get(step.actor)?.push(step)
  yield drawn('M', 'process_name', 0, { args: { name: trace.header.system } })
  for (const life of lives) yield* nameTrack(life)
  for (const life of lives) yield* slicesOf(life, steps.get(life.actor.index) ?? [], times, end)
  for (const step of trace.steps) yield* stepOf(trace, step, times)
  for (const exchange of exchangesOf(trace)) yield* exchangeOf(exchange)
}

const drawn = (
  ph: Drawn['ph'],
  name: string,
  actor: number,
  more: Readonly<Record<string, unknown>>,
): Drawn => ({
  ph,
  name,
  pid: 1,
  // Some viewers treat thread 0 as the idle thread.
  tid: actor + 1,
  ...more,
})

function nameTrack({ actor: { index, path } }: Life): Drawn[] {
  return [
    drawn('M', 'thread_name', index, { args: { name: path } }),
    drawn('M', 'thread_sort_index', index, { args: { sort_index: index } }),
  ]
}

/** The states of a machine, nested; for other actors their lifetime. */
function slicesOf(life: Life, steps: readonly StepRecord[], times: readonly number[], end: number): Drawn[] {
  const { index, kind, src } = life.actor
  const stop = life.end ? (times[life.end.seq] ?? end) + 1 : end
  const open: { readonly name: string; readonly ts: number; dur: number }[] = []
  const slices: (typeof open)[number][] = []
  const close = (depth: number, at: number) => {
    for (const slice of open.splice(depth)) slice.dur = at - slice.ts
  }
  for (const { seq, value, status } of steps) {
    const at = times[seq] ?? 0
    const states = levelsOf(value)
    const isOver = status !== 'active' && states.length === 0 && open.length > 0
    if (isOver) continue
    const levels = states.length > 0 ? states : [kind === 'machine' ? status : src]
    const same = levels.findIndex((level, depth) => open[depth]?.name !== level)
    if (same === -1 && levels.length === open.length) continue
    close(same === -1 ? levels.length : same, at)
    for (const name of levels.slice(open.length)) open.push({ name, ts: at, dur: 0 })
    slices.push(...open.slice(same === -1 ? levels.length : same))
  }
  close(0, stop)
  return slices.map(({ name, ts, dur }) => drawn('X', name, index, { cat: 'state', ts, dur }))
}

/** The step of an actor, and the arrow from the step that sent its event. */
function stepOf(trace: Exported, record: StepRecord, times: readonly number[]): Drawn[] {
  const { seq, actor, event, cause, by, status, changed } = record
  const ts = times[seq] ?? 0
  const sender = senderOf(trace, record)
  const args = {
    step: seq,
    stimulus: cause,
    from: sender === undefined ? 'outside' : pathOf(trace, sender),
    status,
    changed,
    event: encodeValue(event),
  }
  // Not an instant event of the format, since arrows cannot be attached to one.
  const step = drawn('X', event.type, actor, { cat: 'event', ts, dur: 1, args })
  const before = by === undefined ? undefined : trace.steps[by]
  if (!before) return [step]
  // Viewers attach an arrow to the slice that begins at its time on its track, in the same category.
  const arrow = { cat: 'event', id: seq }
  return [
    step,
    drawn('s', 'cause', before.actor, { ...arrow, ts: times[before.seq] ?? 0 }),
    drawn('f', 'cause', actor, { ...arrow, ts, bp: 'e' }),
  ]
}

/** Requests and sockets overlap, so each gets its own track. */
function exchangeOf({ kind, actor, method, path, start, end, status, failure }: Exchange): Drawn[] {
  const name = kind === 'socket' ? 'socket' : `${method} ${path}`
  const common = { cat: 'network', id: `network-${actor}` }
  const args = { status, ...(failure !== undefined && { failure }) }
  return [
    drawn('b', name, actor, { ...common, ts: Math.round(start * 1000), args }),
    drawn('e', name, actor, { ...common, ts: Math.round(end * 1000) }),
  ]
}
