// Coverage as data: which states, transitions and guard branches were reached, per machine.
import type { ChartState, ChartTransition } from '../format/chart.ts'

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
export type MachineCounts = Pick<MachineCoverage, 'id' | 'hash' | 'states' | 'transitions' | 'guards'>

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

function toMachine({ id, hash, states, transitions, guards }: MachineCounts): MachineCoverage {
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
  return { id, hash, states, transitions, guards, totals, missing }
}

function share(total: number, missing: number): Share {
  const covered = total - missing
  return { covered, total, percent: total === 0 ? 100 : Math.floor((1000 * covered) / total) / 10 }
}

function sum(shares: readonly Share[]): Share {
  const total = shares.reduce((all, one) => all + one.total, 0)
  return share(total, total - shares.reduce((all, { covered }) => all + covered, 0))
}
