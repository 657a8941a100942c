// Counts what a machine reaches, based on its chart.
import { guardKey } from './merge.ts'
import type { GuardCoverage, MachineCounts, StateCoverage, TransitionCoverage } from './coverage.ts'
import { namedTransitions, statesOf } from '../charts/chart-states.ts'
import type { MachineChart } from '../format/chart.ts'

/** A guard, or a part of one, and its position. */
export type GuardPlace = Pick<GuardCoverage, 'transition' | 'guard' | 'part'>

type Mutable<T> = { -readonly [K in keyof T]: T[K] }

/** The counts of one machine, initially zero. Unknown names are ignored. */
export class CoverageCounter {
  readonly #id: string
  readonly #hash: string
  readonly #states: ReadonlyMap<string, Mutable<StateCoverage>>
  readonly #transitions: ReadonlyMap<string, Mutable<TransitionCoverage>>
  readonly #guards: ReadonlyMap<string, Mutable<GuardCoverage>>

  /** `guards` if their parts are known; otherwise the guards named by the chart. */
  constructor(chart: MachineChart, guards?: readonly GuardPlace[]) {
    const states = [...statesOf(chart).values()]
    const transitions = states.flatMap(state => namedTransitions(chart.id, state))
    this.#id = chart.id
    this.#hash = chart.hash
    this.#states = new Map(
      states.flatMap(({ path, type }) => (type === 'history' ? [] : [[path, { path, type, entered: 0 }]])),
    )
    this.#transitions = new Map(
      transitions.map(({ machine: _machine, ...one }) => [one.name, { ...one, taken: 0 }]),
    )
    const places = guards ?? transitions.flatMap(named)
    this.#guards = new Map(places.map(place => [guardKey(place), { ...place, passed: 0, failed: 0 }]))
  }

  entered(path: string): void {
    const state = this.#states.get(path)
    if (state) state.entered += 1
  }

  taken(name: string): void {
    const transition = this.#transitions.get(name)
    if (transition) transition.taken += 1
  }

  countGuard(place: Pick<GuardPlace, 'transition' | 'part'>, hasPassed: boolean): void {
    const guard = this.#guards.get(guardKey(place))
    if (guard) guard[hasPassed ? 'passed' : 'failed'] += 1
  }

  get counts(): MachineCounts {
    const [states, transitions, guards] = [this.#states, this.#transitions, this.#guards]
    return {
      id: this.#id,
      hash: this.#hash,
      states: [...states.values()],
      transitions: [...transitions.values()],
      guards: [...guards.values()],
    }
  }
}

function named({ name, guard }: { readonly name: string; readonly guard?: string }): GuardPlace[] {
  return guard === undefined ? [] : [{ transition: name, guard }]
}
