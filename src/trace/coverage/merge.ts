// Merges coverage of several runs, selects machines, and checks thresholds.
import {
  type CoverageReport,
  type GuardCoverage,
  type MachineCounts,
  type Share,
  toReport,
} from './coverage.ts'

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

/** Identifies a guard within its machine. */
export function guardKey({ transition, part }: Pick<GuardCoverage, 'transition' | 'part'>): string {
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
