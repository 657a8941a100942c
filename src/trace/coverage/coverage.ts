// Coverage as data: which states, transitions and guard branches were reached, per machine; counted, merged
// and compared with thresholds.
import type { ChartState, ChartTransition, MachineChart } from '../format/chart.ts'
import type { MachineSource } from '../format/source.ts'
import { namedTransitions, statesOf } from '../charts/chart-states.ts'

/** A part of a total. */
export interface Share {
  readonly covered: number
  readonly total: number
  /** Rounded down to a tenth, so that only full coverage shows 100; 100 if there is nothing to cover. */
  readonly percent: number
}

/** Covered and total counts of states, transitions and guard branches. */
export interface CoverageTotals {
  readonly states: Share
  readonly transitions: Share
  /** Branches: each guard, and each part of one, counts as two. */
  readonly guards: Share
}

export interface StateCoverage {
  /** Path from the machine's root; empty for the root. */
  readonly path: string
  readonly type: ChartState['type']
  /** How often it was entered; being active at the start of a recording counts as once. */
  readonly entered: number
}

export interface TransitionCoverage extends ChartTransition {
  /** `path#n`. */
  readonly name: string
  readonly taken: number
}

/** The results of a guard at one transition. */
export interface GuardCoverage {
  /** Name of the transition. */
  readonly transition: string
  readonly guard: string
  /** The part of an `and`, `or` or `not`, counted from 0 and joined with dots; absent for the whole guard. */
  readonly part?: string
  readonly passed: number
  readonly failed: number
}

/** What was never reached. */
export interface Missing {
  /** Paths. */
  readonly states: readonly string[]
  /** Names. */
  readonly transitions: readonly string[]
  readonly guards: readonly (Pick<GuardCoverage, 'transition' | 'guard' | 'part'> & {
    readonly branch: boolean
  })[]
}

/** Coverage of one machine. */
export interface MachineCoverage {
  readonly id: string
  /** Hash of its structure: machines with the same name but different structures are listed separately. */
  readonly hash: string
  /** All states except history states, which are never active. */
  readonly states: readonly StateCoverage[]
  readonly transitions: readonly TransitionCoverage[]
  readonly guards: readonly GuardCoverage[]
  readonly totals: CoverageTotals
  readonly missing: Missing
  /** Where its parts are in the source code, if that is known. */
  readonly source?: MachineSource
}

/** The source of a report. */
export interface CoveredTrace {
  readonly system: string
  readonly startedAt: string
  /** `replayed` to the end, `partly` up to a failure, or only `recorded`: read from the recorded steps. */
  readonly how: 'replayed' | 'partly' | 'recorded'
  /** Why it was not replayed to the end, and what is missing. */
  readonly reason?: string
}

/** Coverage of all machines over some traces, as JSON-safe data. */
export interface CoverageReport {
  readonly traces: readonly CoveredTrace[]
  /** By id. */
  readonly machines: readonly MachineCoverage[]
  readonly totals: CoverageTotals
}

/** The counts of a machine. */
export type MachineCounts = Pick<
  MachineCoverage,
  'id' | 'hash' | 'states' | 'transitions' | 'guards' | 'source'
>

/** Creates a report from counts. */
export function toReport(traces: readonly CoveredTrace[], counts: readonly MachineCounts[]): CoverageReport {
  const machines = counts.map(toMachine).sort((a, b) => order(a.id, b.id) || order(a.hash, b.hash))
  const totals = {
    states: sum(machines.map(({ totals: { states } }) => states)),
    transitions: sum(machines.map(({ totals: { transitions } }) => transitions)),
    guards: sum(machines.map(({ totals: { guards } }) => guards)),
  }
  return { traces, machines, totals }
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

function toMachine({ id, hash, states, transitions, guards, source }: MachineCounts): MachineCoverage {
  const missing: Missing = {
    states: states.filter(({ entered }) => entered === 0).map(({ path }) => path),
    transitions: transitions.filter(({ taken }) => taken === 0).map(({ name }) => name),
    guards: guards.flatMap(({ passed, failed, ...guard }) => [
      ...(passed === 0 ? [{ ...guard, branch: true }] : []),
      ...(failed === 0 ? [{ ...guard, branch: false }] : []),
    ]),
  }
  const totals = {
    states: share(states.length, missing.states.length),
    transitions: share(transitions.length, missing.transitions.length),
    guards: share(2 * guards.length, missing.guards.length),
  }
  return { id, hash, states, transitions, guards, totals, missing, ...(source && { source }) }
}

function share(total: number, missing: number): Share {
  const covered = total - missing
  return { covered, total, percent: total === 0 ? 100 : Math.floor((1000 * covered) / total) / 10 }
}

function sum(shares: readonly Share[]): Share {
  const total = shares.reduce((all, one) => all + one.total, 0)
  return share(total, total - shares.reduce((all, { covered }) => all + covered, 0))
}

/** Adds up reports; passing the same report twice counts it twice. */
export function mergeCoverage(reports: readonly CoverageReport[]): CoverageReport {
  const traces = reports.flatMap(report => report.traces)
  return toReport(traces, addCounts(reports.flatMap(({ machines }) => machines)))
}

/** Adds up the counts of identical machines. */
export function addCounts(machines: readonly MachineCounts[]): MachineCounts[] {
  return merged(
    machines,
    ({ id, hash }) => `${id} ${hash}`,
    same => ({
      ...sourceIn(same),
      id: same[0].id,
      hash: same[0].hash,
      states: merged(
        same.flatMap(({ states }) => states),
        ({ path }) => path,
        all => ({ ...all[0], entered: total(all, ({ entered }) => entered) }),
      ),
      transitions: merged(
        same.flatMap(({ transitions }) => transitions),
        ({ name }) => name,
        all => ({ ...all[0], taken: total(all, ({ taken }) => taken) }),
      ),
      guards: merged(
        same.flatMap(({ guards }) => guards),
        guardKey,
        all => ({
          ...all[0],
          passed: total(all, ({ passed }) => passed),
          failed: total(all, ({ failed }) => failed),
        }),
      ),
    }),
  )
}

function sourceIn(machines: readonly MachineCounts[]): Pick<MachineCounts, 'source'> {
  const found = machines.find(({ source }) => source)?.source
  return found ? { source: found } : {}
}

/** Identifies a guard within its machine. */
function guardKey({ transition, part }: Pick<GuardCoverage, 'transition' | 'part'>): string {
  return part === undefined ? transition : `${transition} ${part}`
}

/** Merges items with equal keys, in the order of first occurrence. */
function merged<T>(
  items: readonly T[],
  keyOf: (item: T) => string,
  merge: (same: readonly [T, ...T[]]) => T,
): T[] {
  const groups = new Map<string, [T, ...T[]]>()
  for (const item of items) {
    const key = keyOf(item)
    const group = groups.get(key)
    if (group) group.push(item)
    else groups.set(key, [item])
  }
  return [...groups.values()].map(group => merge(group))
}

function total<T>(items: readonly T[], count: (item: T) => number): number {
  return items.reduce((sum, item) => sum + count(item), 0)
}

/** Restricts the report to these machines, by id. */
export function selectMachines(report: CoverageReport, ids: readonly string[]): CoverageReport {
  return toReport(
    report.traces,
    report.machines.filter(({ id }) => ids.includes(id)),
  )
}

/** The required percentages. */
export interface Thresholds {
  readonly states?: number
  readonly transitions?: number
  readonly guards?: number
}

/** A percentage below its threshold. */
export interface Shortfall extends Share {
  readonly what: keyof Thresholds
  readonly least: number
}

/** Returns the shortfalls; empty if all thresholds are met. */
export function checkThresholds({ totals }: CoverageReport, thresholds: Thresholds): Shortfall[] {
  return (['states', 'transitions', 'guards'] as const).flatMap(what => {
    const least = thresholds[what]
    const share = totals[what]
    // Compares exactly: the rounded-down percentage could reject a sufficient value.
    const isEnough = least === undefined || share.total === 0 || 100 * share.covered >= least * share.total
    return isEnough ? [] : [{ what, least, ...share }]
  })
}

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
  readonly #source: MachineSource | undefined

  /** `guards` if their parts are known; otherwise the guards named by the chart. */
  constructor(chart: MachineChart, source: MachineSource | undefined, guards?: readonly GuardPlace[]) {
    this.#source = source
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
      ...(this.#source && { source: this.#source }),
    }
  }
}

function named({ name, guard }: { readonly name: string; readonly guard?: string }): GuardPlace[] {
  return guard === undefined ? [] : [{ transition: name, guard }]
}
