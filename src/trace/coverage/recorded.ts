// Coverage from the recorded steps of a trace, without replaying it.
import { CoverageCounter, type MachineCounts } from './coverage.ts'
import { namedTransitions, sourceOfName, statesOf } from '../charts/chart-states.ts'
import type { ChartState } from '../format/chart.ts'
import type { TraceSource } from '../format/trace-source.ts'
import type { StepRecord } from '../format/records.ts'
import { activeNodePaths, chartOf } from '../charts/taken-transitions.ts'

/** The coverage that a trace alone shows. */
export interface RecordedCoverage {
  readonly counts: readonly MachineCounts[]
  /** Whether its steps name their transitions; otherwise only states are counted. */
  readonly hasTransitions: boolean
}

/**
 * Counts what the steps show. A state that was entered and left within one step is counted only if a
 * transition names it. Of guards, only these results are known: guards of taken transitions passed, and those
 * evaluated before them failed.
 */
export function recordedCoverage(trace: Pick<TraceSource, 'header' | 'actors' | 'steps'>): RecordedCoverage {
  const { machines: charts, sources = {} } = trace.header
  const machines = new Map(
    Object.entries(charts).map(([key, chart]) => {
      const source = Object.hasOwn(sources, key) ? sources[key] : undefined
      return [chart.id, new Machine(statesOf(chart), new CoverageCounter(chart, source))]
    }),
  )
  const active = new Map<number, ReadonlySet<string>>()
  let hasTransitions = false
  for (const step of trace.steps) {
    const machine = machines.get(chartOf(trace, step)?.id ?? '')
    if (!machine) continue
    hasTransitions ||= step.via !== undefined
    active.set(step.actor, machine.step(step, active.get(step.actor)))
  }
  return { counts: [...machines.values()].map(({ counter }) => counter.counts), hasTransitions }
}

class Machine {
  readonly counter: CoverageCounter
  readonly #states: ReadonlyMap<string, ChartState>

  constructor(states: ReadonlyMap<string, ChartState>, counter: CoverageCounter) {
    this.#states = states
    this.counter = counter
  }

  /** Counts a step; returns the states that are active after it. */
  step(
    { value, via = [], status }: StepRecord,
    before: ReadonlySet<string> = new Set(),
  ): ReadonlySet<string> {
    if (value === undefined || status === 'stopped') return before
    const after = new Set(activeNodePaths(value))
    const targets = via.flatMap(name => this.#take(name))
    const left = targets.filter(path => !after.has(path))
    for (const path of after) if (!before.has(path)) this.counter.entered(path)
    for (const path of left) this.counter.entered(path)
    return after
  }

  /** Counts a transition and the guard results it implies; returns the paths of its targets. */
  #take(name: string): readonly string[] {
    const state = this.#states.get(sourceOfName(name))
    const all = namedTransitions('', state)
    const at = all.findIndex(one => one.name === name)
    const taken = all[at]
    if (!taken) return []
    this.counter.taken(name)
    this.counter.countGuard({ transition: name }, true)
    for (const other of all.slice(0, at)) {
      if (other.event === taken.event) this.counter.countGuard({ transition: other.name }, false)
    }
    return taken.targets
  }
}
