// What an actor's chart shows at a step: highlights, visits, and running timers.
import { useMemo } from 'react'
import { type MachineChart, type Timeline, countUpToNumber } from '../../../trace/index.ts'
import { chartActivity, DARK, type ChartActivity, type ChartStep } from './chart-activity.ts'
import { ChartCounter, type CountedSteps, type Counts } from './chart-counts.ts'
import { useConsole } from '../use-console.ts'
import type { RunningTimer } from './countdown.tsx'
import { liveTimers, pastTimers } from './running-timers.ts'
import { containerOf } from './chart-parts.ts'

/** Steps of an actor to look back through. */
const LOOK = 200

/**
 * Keyed by the parent's path: the child active before the present one; missing if it started in the present
 * one.
 */
export function originsAt(timeline: Timeline, seq: number): ReadonlyMap<string, string> {
  const { paths } = timeline.state(seq)
  const siblings = Map.groupBy(paths, containerOf)
  // Regions are all active at once, so none follows another.
  const open = new Map(
    [...siblings].flatMap(([container, [path, more]]) =>
      path === undefined || more !== undefined ? [] : [[container, path] as const],
    ),
  )
  const origins = new Map<string, string>()
  const moves = timeline.movesOf(timeline.actor(seq))
  const last = countUpToNumber(moves, seq) - 1
  for (let at = last - 1; at >= Math.max(0, last - LOOK) && open.size > 0; at--) {
    const before = timeline.state(moves[at] ?? -1).paths
    for (const [container, path] of open) {
      const isIn = container === '' || before.includes(container)
      const child = isIn ? before.find(one => containerOf(one) === container) : undefined
      if (child === path) continue
      open.delete(container)
      if (child !== undefined) origins.set(container, child)
    }
  }
  return origins
}

/** The moment at which a chart is viewed. */
export interface ChartMoment {
  readonly timeline: Timeline
  readonly actor: number
  /** The actor's view that is shown; -1 for none. */
  readonly seq: number
  /** Whether the end of a live trace is shown. */
  readonly isLive: boolean
}

const NO_ORIGINS: ReadonlyMap<string, string> = new Map()
const EMPTY: Counts = { states: new Map(), transitions: new Map() }

/** Follows an actor whose machine has this chart. */
export function useChartRun(chart: MachineChart | undefined, moment: ChartMoment) {
  const { timeline, actor, seq, isLive } = moment
  const { driver } = useConsole()
  const counter = useMemo(
    () => new ChartCounter(stepsOf(timeline, timeline.stepsOf(actor))),
    [timeline, actor],
  )
  const src = timeline.actors[actor]?.src
  const all = useMemo(() => new ChartCounter(stepsOfMachine(timeline, src)), [timeline, src])
  const activity = useMemo(
    () => (chart && seq >= 0 ? activityAt(chart, timeline, seq) : DARK),
    [chart, timeline, seq],
  )
  const timers = useMemo((): readonly RunningTimer[] => {
    if (!chart || seq < 0) return []
    if (!isLive) return pastTimers(chart, timeline, seq)
    const set = driver.timers?.(timeline.actors[actor]?.path ?? '') ?? []
    return liveTimers(chart, timeline.state(seq).paths, set)
  }, [chart, timeline, actor, seq, isLive, driver])
  const origins = useMemo(
    () => (chart && seq >= 0 ? originsAt(timeline, seq) : NO_ORIGINS),
    [chart, timeline, seq],
  )
  return {
    activity,
    origins,
    counts: chart && seq >= 0 ? counter.at(seq) : EMPTY,
    /** Visits by all actors of the machine. */
    allCounts: () => all.at(seq),
    timers,
  }
}

function activityAt(chart: MachineChart, timeline: Timeline, seq: number): ChartActivity {
  const [before, since] = [timeline.previous(seq), timeline.since(timeline.actor(seq), seq)]
  const other = since < 0 ? -1 : timeline.previous(since)
  // A trace without any named transitions cannot show that none was taken.
  const isNaming = timeline.vias.length > 1
  return chartActivity(chart, stepAt(timeline, seq, isNaming), {
    before: before < 0 ? undefined : timeline.state(before).value,
    other: other < 0 ? undefined : timeline.state(other).value,
    isNaming,
  })
}

const stepAt = (timeline: Timeline, seq: number, isNaming: boolean): ChartStep => ({
  seq,
  type: timeline.type(seq),
  value: timeline.state(seq).value,
  via: isNaming ? timeline.via(seq) : undefined,
  changed: timeline.changed(seq),
  status: timeline.status(seq),
})

const stepsOf = (timeline: Timeline, numbers: readonly number[]): CountedSteps => ({
  numbers,
  actor: seq => timeline.actor(seq),
  paths: seq => timeline.state(seq).paths,
  via: seq => timeline.via(seq),
})

/** Merges the steps of all actors of a machine in order as they arrive. */
function stepsOfMachine(timeline: Timeline, src: string | undefined): CountedSteps {
  const ours: number[] = []
  let known = 0
  return {
    ...stepsOf(timeline, ours),
    get numbers() {
      for (; known < timeline.size; known++)
        if (timeline.actors[timeline.actor(known)]?.src === src) ours.push(known)
      return ours
    },
  }
}
