// Formats coverage as a text table.
import type { CoverageReport, CoverageTotals, MachineCoverage } from '../public/replay.ts'

const COLUMNS = ['states', 'transitions', 'guards'] as const

/** Formats a row per machine and one for all, optionally with what each machine misses. */
export function describeCoverage(
  { traces, machines, totals }: CoverageReport,
  withMissing: boolean,
): string[] {
  const names = machines.map(({ id, hash }) =>
    machines.filter(other => other.id === id).length > 1 ? `${id} (${hash})` : id,
  )
  const width = Math.max('machine'.length, ...names.map(name => name.length))
  const row = (name: string, cells: readonly string[]) =>
    [name.padEnd(width), ...cells.map(cell => cell.padStart(18))].join('').trimEnd()
  return [
    ...traces.flatMap(({ system, startedAt, how, reason }) =>
      how === 'replayed' ? [] : [`${system} of ${startedAt}: counted ${HOW[how]}: ${reason ?? 'unknown'}`],
    ),
    row('machine', COLUMNS),
    ...machines.flatMap((machine, at) => [
      row(names[at] ?? machine.id, cellsOf(machine.totals)),
      ...(withMissing ? missingOf(machine) : []),
    ]),
    row('all', cellsOf(totals)),
  ]
}

const HOW = { partly: 'up to where it replays', recorded: 'from recorded steps' }

const cellsOf = (totals: CoverageTotals) =>
  COLUMNS.map(part => {
    const { covered, total, percent } = totals[part]
    return total === 0 ? '–' : `${covered}/${total} ${percent.toFixed(1).padStart(5)} %`
  })

function missingOf({ missing, transitions }: MachineCoverage): string[] {
  const byName = new Map(transitions.map(transition => [transition.name, transition]))
  return [
    ...missing.states.map(path => `  state ${path || '(root)'}`),
    ...missing.transitions.map(name => `  transition ${name} ${byName.get(name)?.event ?? ''}`),
    ...missing.guards.map(({ transition, guard, part, branch }) => {
      const which = part === undefined ? '' : ` (part ${part})`
      return `  guard ${guard}${which} at ${transition} was never ${branch ? 'passed' : 'refused'}`
    }),
  ]
}
