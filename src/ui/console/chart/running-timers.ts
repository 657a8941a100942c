// Which delays of a chart run at a step, and when they end: as the trace goes on to tell, or as the chart says.
import { statesOf } from '../../../trace/chart-states.ts'
import type { MachineChart, Stimulus, ViewRecord } from '../../../trace/format.ts'
import { activePaths } from '../state-value.ts'
import type { RunningTimer } from './countdown.tsx'

const SLACK_MS = 2
/** Stimuli that are looked through for the one that ends a delay. */
const LOOK_AHEAD = 2000

/** Timers of the active states; one whose end nobody knows is left out. `enteredAt` tells since when a state is active. */
export function runningTimers(
  chart: MachineChart,
  record: ViewRecord,
  enteredAt: (path: string) => number,
  stimuli: readonly Stimulus[],
): readonly RunningTimer[] {
  if (record.status !== 'active') return []
  const states = statesOf(chart)
  return ['', ...activePaths(record.value)].flatMap(path => {
    const transitions = states.get(path)?.transitions ?? []
    return transitions.flatMap(({ event, delay }, n) => {
      if (!event.startsWith('after ')) return []
      const type = `xstate.after.${event.slice('after '.length)}.`
      const told = firing(record, type, stimuli)
      const due = told ?? (delay === undefined ? undefined : enteredAt(path) + delay)
      return due === undefined || due < record.t ? [] : [{ name: `${path}#${n}`, due }]
    })
  })
}

/** When a timer of this type goes off next, as far as the trace goes. */
function firing(record: ViewRecord, type: string, stimuli: readonly Stimulus[]): number | undefined {
  const from = record.cause + 1
  for (const stimulus of stimuli.slice(from, from + LOOK_AHEAD)) {
    const { kind, to, t, delay } = stimulus
    if (kind !== 'timer' || to !== record.actor || !typeOf(stimulus).startsWith(type)) continue
    // One that was set later is another one.
    return delay !== undefined && t - delay > record.t + SLACK_MS ? undefined : t
  }
  return undefined
}

function typeOf({ event }: Stimulus): string {
  return typeof event === 'object' && event !== null && 'type' in event ? String(event.type) : ''
}
