// Coverage of several runs as one, a part of it, and what it falls short of.
import { toReport } from './coverage.ts'
import type { CoverageReport, GuardCoverage, MachineCounts, Share } from './coverage.ts'

/** Adds reports up; the same report twice counts twice. */
export function mergeCoverage(reports: readonly CoverageReport[]): CoverageReport {
  const traces = reports.flatMap(report => report.traces)
  return toReport(traces, addCounts(reports.flatMap(({ machines }) => machines)))
}

/** Adds up the counts of machines that are the same. */
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

/** What tells a guard from the others of its machine. */
export function guardKey({ transition, part }: Pick<GuardCoverage, 'transition' | 'part'>): string {
  return part === undefined ? transition : `${transition} ${part}`
}

/** Items of one key made one, in the order in which the keys first came. */
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

/** The same for these machines alone, by their ids. */
export function selectMachines(report: CoverageReport, ids: readonly string[]): CoverageReport {
  return toReport(
    report.traces,
    report.machines.filter(({ id }) => ids.includes(id)),
  )
}

/** The least percentages that are asked for. */
export interface Thresholds {
  readonly states?: number
  readonly transitions?: number
  readonly guards?: number
}

/** A percentage that is too low. */
export interface Shortfall extends Share {
  readonly what: keyof Thresholds
  readonly least: number
}

/** What falls short; nothing when all is as it should be. */
export function checkThresholds({ totals }: CoverageReport, thresholds: Thresholds): Shortfall[] {
  return (['states', 'transitions', 'guards'] as const).flatMap(what => {
    const least = thresholds[what]
    const share = totals[what]
    // The rounded percentage would let nothing pass that is less, but would hold back what is enough.
    const isEnough = least === undefined || share.total === 0 || 100 * share.covered >= least * share.total
    return isEnough ? [] : [{ what, least, ...share }]
  })
}
