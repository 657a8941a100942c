// What an actor's chart shows at a step: lights, visits, and timers that run.
import { useMemo } from 'react'
import type { MachineChart, TraceSource, ViewRecord } from '../../../trace/format.ts'
import { namesTransitions } from '../../../trace/taken-transitions.ts'
import { activePaths, stateLabel } from '../state-value.ts'
import type { TraceIndex } from '../trace-index.ts'
import { chartActivity, DARK, type ChartActivity, type ChartStep } from './chart-activity.ts'
import { ChartCounter, type CountedSteps, type Counts } from './chart-counts.ts'
import type { RunningTimer } from './countdown.tsx'
import { runningTimers } from './running-timers.ts'

/** A chart at a step. */
export interface ChartRun {
  readonly activity: ChartActivity
  readonly counts: Counts
  readonly allCounts: () => Counts
  readonly timers: readonly RunningTimer[]
}

const EMPTY: Counts = { states: new Map(), transitions: new Map() }

/** `since` is the record with which the present state was entered. */
export function useChartRun(
  index: TraceIndex,
  actor: number,
  seq: number,
  chart: MachineChart | undefined,
  since: ViewRecord | undefined,
): ChartRun {
  const { source } = index
  const record = source.views[seq]
  const before = source.views[index.previous(seq)]
  const other = source.views[index.previous(since?.seq ?? -1)]
  const isNaming = useMemo(() => namesTransitions({ views: source.views.slice(0, NAMING) }), [source])
  const counter = useMemo(() => new ChartCounter(stepsOf(index, index.viewsOf(actor))), [index, actor])
  const src = source.actors[actor]?.src
  const all = useMemo(() => new ChartCounter(stepsOfMachine(index, src)), [index, src])
  const activity = useMemo(
    () =>
      chart && record
        ? chartActivity(chart, stepOf(record), { before: before?.value, other: other?.value, isNaming })
        : DARK,
    [chart, record, before, other, isNaming],
  )
  return {
    activity,
    counts: chart ? counter.at(seq) : EMPTY,
    allCounts: () => all.at(seq),
    timers:
      chart && record
        ? runningTimers(chart, record, path => enteredAt(index, record, path), source.stimuli)
        : [],
  }
}

const LOOK_BACK = 200

/** Since when a state is active; looks back a bounded number of records. */
function enteredAt(index: TraceIndex, record: ViewRecord, path: string): number {
  let first = record
  for (let steps = 0; steps < LOOK_BACK; steps += 1) {
    const earlier = index.source.views[index.previous(first.seq)]
    if (!earlier || (path !== '' && !activePaths(earlier.value).includes(path))) break
    first = earlier
  }
  return first.t
}

/** Within these first records a trace shows whether it names transitions. */
const NAMING = 2000

const stepOf = ({ seq, event, value, via, changed, status }: ViewRecord): ChartStep => ({
  seq,
  type: event.type,
  value,
  via,
  changed,
  status,
})

const NO_PATHS: readonly string[] = []

function stepsOf({ source }: { readonly source: TraceSource }, numbers: readonly number[]): CountedSteps {
  const paths = new Map<string, readonly string[]>()
  return {
    numbers,
    actor: seq => source.views[seq]?.actor ?? -1,
    paths: seq => {
      const value = source.views[seq]?.value
      if (value === undefined) return NO_PATHS
      const label = stateLabel(value)
      const known = paths.get(label) ?? activePaths(value)
      paths.set(label, known)
      return known
    },
    via: seq => source.views[seq]?.via ?? NO_PATHS,
  }
}

/** The steps of all actors of a machine; those of others count as nothing. */
function stepsOfMachine({ source }: TraceIndex, src: string | undefined): CountedSteps {
  const inner = stepsOf({ source }, [])
  const isOurs = (seq: number) => source.actors[source.views[seq]?.actor ?? -1]?.src === src
  return {
    get numbers() {
      return everyNumber(source.views.length)
    },
    actor: inner.actor,
    paths: seq => (isOurs(seq) ? inner.paths(seq) : NO_PATHS),
    via: seq => (isOurs(seq) ? inner.via(seq) : NO_PATHS),
  }
}

const numbers: number[] = []

/** 0, 1, 2 … up to a length; one list for all. */
function everyNumber(length: number): readonly number[] {
  for (let next = numbers.length; next < length; next++) numbers.push(next)
  return numbers
}
