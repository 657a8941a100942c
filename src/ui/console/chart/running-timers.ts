// Which delays of a chart run at a step, and what is left of them: as who drives the system says, or the trace itself.
import { statesOf } from '../../../trace/chart-states.ts'
import type { ChartTransition, MachineChart } from '../../../trace/format.ts'
import type { Timeline } from '../../../trace/timeline/timeline.ts'
import type { LiveTimer } from './chart-driver.ts'
import type { RunningTimer } from './countdown.tsx'

/** Steps that are looked through for when a delay began, or ended. */
const LOOK = 300
const AFTER = 'after '

interface Delay extends Pick<ChartTransition, 'delay'> {
  /** Path of the state that it belongs to. */
  readonly path: string
  /** `path#n`. */
  readonly name: string
  /** How the types of its events begin. */
  readonly type: string
}

/** Timers that are set now. */
export function liveTimers(
  chart: MachineChart,
  paths: readonly string[],
  timers: readonly LiveTimer[],
): readonly RunningTimer[] {
  return delaysOf(chart, paths).flatMap(({ path, name, type }) => {
    const set = timers.filter(timer => timer.type.startsWith(type))
    // Two states may wait for a delay of one name: each has its path in the event.
    const own = set.find(timer => timer.type.endsWith(`.${path}`)) ?? set[0]
    return own ? [{ name, left: own.left, isLive: true }] : []
  })
}

/** Timers that ran at a step of the past; one of which nobody knows when it ends is left out. */
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

/** When it fires, if it does so before its state is left. */
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

/** Since when a state is active. */
function enteredAt(timeline: Timeline, seq: number, path: string): number {
  let first = seq
  for (let steps = 0; steps < LOOK; steps++) {
    const earlier = timeline.previous(first)
    if (earlier < 0 || (path !== '' && !timeline.state(earlier).paths.includes(path))) break
    first = earlier
  }
  return timeline.t(first)
}
