// Delays of a chart that run at a step, with the time left: from the controlled system, or from the trace.
import { type ChartTransition, type MachineChart, statesOf, type Timeline } from '../../../trace/index.ts'
import type { LiveTimer } from './chart-driver.ts'
import type { RunningTimer } from './countdown.tsx'

/** Steps to search for the start or end of a delay. */
const LOOK = 300
const AFTER = 'after '

interface Delay extends Pick<ChartTransition, 'delay'> {
  /** Path of its state. */
  readonly path: string
  /** `path#n`. */
  readonly name: string
  /** Prefix of its event types. */
  readonly type: string
}

/** Returns the currently running timers. */
export function liveTimers(
  chart: MachineChart,
  paths: readonly string[],
  timers: readonly LiveTimer[],
): readonly RunningTimer[] {
  return delaysOf(chart, paths).flatMap(({ path, name, type }) => {
    const set = timers.filter(timer => timer.type.startsWith(type))
    // Two states may use a delay of the same name: each event contains its state's path.
    const own = set.find(timer => timer.type.endsWith(`.${path}`)) ?? set[0]
    return own ? [{ name, left: own.left, isLive: true }] : []
  })
}

/** Returns timers that ran at a past step; those whose end is unknown are left out. */
export function pastTimers(chart: MachineChart, timeline: Timeline, seq: number): readonly RunningTimer[] {
  if (timeline.status(seq) !== 'active') return []
  return delaysOf(chart, timeline.state(seq).paths).flatMap(({ path, name, type, delay }) => {
    const due = firesAt(timeline, seq, path, type) ?? (delay && enteredAt(timeline, seq, path) + delay)
    const left = (due ?? -1) - timeline.t(seq)
    return left < 0 ? [] : [{ name, left: () => left, isLive: false }]
  })
}

function delaysOf(chart: MachineChart, paths: readonly string[]): readonly Delay[] {
  const states = statesOf(chart)
  return ['', ...paths].flatMap(path =>
    (states.get(path)?.transitions ?? []).flatMap(({ event, delay }, n) => {
      if (!event.startsWith(AFTER)) return []
      const type = `xstate.after.${event.slice(AFTER.length)}.`
      return [{ path, name: `${path}#${n}`, type, ...(delay !== undefined && { delay }) }]
    }),
  )
}

/** Returns when it fires, if that happens before its state exits. */
function firesAt(timeline: Timeline, seq: number, path: string, type: string): number | undefined {
  const actor = timeline.actor(seq)
  let at = seq
  for (let steps = 0; steps < LOOK; steps++) {
    const next = timeline.nextOf(actor, at)
    if (next < 0) return undefined
    if (timeline.type(next).startsWith(type)) return timeline.t(next)
    if (path !== '' && !timeline.state(next).paths.includes(path)) return undefined
    at = next
  }
  return undefined
}

/** Returns when a state became active. */
function enteredAt(timeline: Timeline, seq: number, path: string): number {
  let first = seq
  for (let steps = 0; steps < LOOK; steps++) {
    const earlier = timeline.previous(first)
    if (earlier < 0 || (path !== '' && !timeline.state(earlier).paths.includes(path))) break
    first = earlier
  }
  return timeline.t(first)
}
