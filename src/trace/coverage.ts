// Coverage as data: which states, transitions and branches of guards were reached, machine by machine.
import type { ChartState, ChartTransition } from './format.ts'

/** A part of a whole. */
export interface Share {
  readonly covered: number
  readonly total: number
  /** Rounded down to a tenth, so that 100 is said of nothing less; 100 where there is nothing to cover. */
  readonly percent: number
}

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
  /** How often it was entered; that a recording begins in it counts as once. */
  readonly entered: number
}

export interface TransitionCoverage extends ChartTransition {
  /** `path#n`. */
  readonly name: string
  readonly taken: number
}

/** How a guard was answered, at one transition. */
export interface GuardCoverage {
  /** Name of the transition. */
  readonly transition: string
  readonly guard: string
  /** Which part of an `and`, `or` or `not` it is, counted from 0 and joined with dots; absent for the whole. */
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

export interface MachineCoverage {
  readonly id: string
  /** Hash of its structure: machines of one name but another structure stand side by side. */
  readonly hash: string
  /** All of its states but history states, in which a machine never is. */
  readonly states: readonly StateCoverage[]
  readonly transitions: readonly TransitionCoverage[]
  readonly guards: readonly GuardCoverage[]
  readonly totals: CoverageTotals
  readonly missing: Missing
}

/** Where a report comes from. */
export interface CoveredTrace {
  readonly system: string
  readonly startedAt: string
  /** `replayed` to its end, `partly` up to where that failed, or only `recorded`: read from the steps as they stand. */
  readonly how: 'replayed' | 'partly' | 'recorded'
  /** Why it was not replayed to its end, and what is left out. */
  readonly reason?: string
}

/** JSON-safe. */
export interface CoverageReport {
  readonly traces: readonly CoveredTrace[]
  /** By id. */
  readonly machines: readonly MachineCoverage[]
  readonly totals: CoverageTotals
}

/** The counts of a machine. */
export type MachineCounts = Pick<MachineCoverage, 'id' | 'hash' | 'states' | 'transitions' | 'guards'>

/** Makes a report of counts. */
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
