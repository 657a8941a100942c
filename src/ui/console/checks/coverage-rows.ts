// Coverage as sorted table rows and as text in the command line's format.
import type { CoverageReport, CoverageTotals, MachineCoverage, Share } from '../../../trace/index.ts'

export const MEASURES = ['states', 'transitions', 'guards'] as const
export type Measure = (typeof MEASURES)[number]
export type CoverageColumn = 'machine' | Measure

export interface CoverageSorting {
  readonly column: CoverageColumn
  readonly isDescending: boolean
}

/** Sorts machines; ties are sorted by name. */
export function sortedMachines(
  machines: readonly MachineCoverage[],
  { column, isDescending }: CoverageSorting,
): readonly MachineCoverage[] {
  const by = (a: MachineCoverage, b: MachineCoverage) =>
    column === 'machine' ? 0 : a.totals[column].percent - b.totals[column].percent
  const sign = isDescending ? -1 : 1
  const named = (a: MachineCoverage, b: MachineCoverage) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)
  return machines.toSorted(
    (a, b) => sign * (by(a, b) || (column === 'machine' ? named(a, b) : 0)) || named(a, b),
  )
}

/** Formats `3 of 7`; `none` if there is nothing to reach. */
export const shareInWords = ({ covered, total }: Share): string =>
  total === 0 ? 'none' : `${covered} of ${total}`

/** Whether no trace names transitions, so that only states were counted. */
export const hasStatesAlone = ({ traces }: CoverageReport): boolean =>
  traces.length > 0 && traces.every(({ reason = '' }) => reason.includes('only states are counted'))

/** Returns why a trace was counted this way, in brief. */
export function whyInWords(reason: string): string {
  const [first = '', ...rest] = reason.split('; ')
  if (!first.startsWith('unknown system')) return reason
  const left = rest.filter(part => !part.startsWith('known here'))
  return ['its machines are not available here', ...left].join('; ')
}

/** A part that was never reached. */
export interface Unreached {
  readonly kind: 'state' | 'transition' | 'guard'
  /** Path of its state. */
  readonly state: string
  readonly words: string
}

/** Returns the parts of a machine that no trace reached. */
export function unreachedOf({ missing, transitions }: MachineCoverage): readonly Unreached[] {
  const found = new Map(transitions.map(one => [one.name, one]))
  const source = (name: string) => name.slice(0, name.lastIndexOf('#'))
  /** The root has no path. */
  const place = (name: string) => source(name) || 'anywhere'
  return [
    ...missing.states.map(path => ({ kind: 'state', state: path, words: path }) as const),
    ...missing.transitions.map(name => {
      const { event = name, guard, targets = [] } = found.get(name) ?? {}
      const asked = guard === undefined ? '' : ` [${guard}]`
      const to = targets.length === 0 ? '' : ` → ${targets.join(', ')}`
      return {
        kind: 'transition',
        state: source(name),
        words: `${place(name)} · ${event}${asked}${to}`,
      } as const
    }),
    ...missing.guards.map(({ transition, guard, branch }) => {
      const event = found.get(transition)?.event ?? transition
      const text = `${place(transition)} · ${event}: ${guard} never ${branch ? 'returned true' : 'returned false'}`
      return { kind: 'guard', state: source(transition), words: text } as const
    }),
  ]
}

/** Formats coverage as lines, with missing parts. */
export function coverageAsText({ machines, totals, traces }: CoverageReport): string {
  const line = (name: string, of: CoverageTotals) =>
    [name, ...MEASURES.map(one => `${one} ${shareInWords(of[one])} (${of[one].percent} %)`)].join('  ')
  return [
    ...traces.map(
      ({ system, startedAt, how, reason }) => `${system} ${startedAt}: ${how}${reason ? `, ${reason}` : ''}`,
    ),
    line('all', totals),
    ...machines.flatMap(machine => [
      line(machine.id, machine.totals),
      ...unreachedOf(machine).map(({ kind, words }) => `  never reached: ${kind} ${words}`),
    ]),
    '',
  ].join('\n')
}
