// `chartroom coverage`: the states, transitions and guard branches that a set of traces reaches.
import { styleText } from 'node:util'
import {
  checkThresholds,
  coverage,
  type CoverageReport,
  mergeCoverage,
  selectMachines,
  type Shortfall,
  type Thresholds,
  type CoverageTotals,
  type MachineCoverage,
} from '../public/devtools/replay.ts'
import { defineCommand, type ExitCode, nearestName, UsageError } from './command.ts'
import { type Case, junit } from './junit.ts'
import { openTrace } from './trace-files.ts'
import { loadMachines, MACHINES_FLAG } from './machines-file.ts'
import { print, printError, startProgress } from './print.ts'
import { writeNew } from './write-file.ts'
import { codeLink, codePath } from './code-position.ts'
import { type MachinePart, oneLine, positionIn, toLcov } from '../trace/index.ts'

const COLUMNS = ['states', 'transitions', 'guards'] as const

/** Formats a row per machine and one for all, optionally with what each machine misses. */
function describeCoverage({ traces, machines, totals }: CoverageReport, withMissing: boolean): string[] {
  const names = machines.map(({ id, hash }) =>
    machines.filter(machine => machine.id === id).length > 1 ? `${id} (${hash})` : id,
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

function missingOf({ id, missing, transitions, source }: MachineCoverage): string[] {
  const byName = new Map(transitions.map(transition => [transition.name, transition]))
  const at = (part: MachinePart) => {
    const position = positionIn(source ? { sources: { [id]: source } } : {}, id, part)
    return position ? `  ${codeLink(position)}` : ''
  }
  return [
    ...missing.states.map(name => `  state ${name || '(root)'}${at({ kind: 'state', name })}`),
    ...missing.transitions.map(
      name => `  transition ${name} ${byName.get(name)?.event ?? ''}${at({ kind: 'transition', name })}`,
    ),
    ...missing.guards.map(({ transition, guard, part, branch }) => {
      const which = part === undefined ? '' : ` (part ${part})`
      const place = at({ kind: 'guard', name: guard, at: { transition } })
      return `  guard ${guard}${which} at ${transition} was never ${branch ? 'passed' : 'refused'}${place}`
    }),
  ]
}

const PARTS = ['states', 'transitions', 'guards'] as const

export const coverageCommand = defineCommand({
  usage: 'coverage FILE... [flags]',
  text: `Replays each trace against the machines of this build, or those of --machines, and reports which
states, transitions and guard branches they reach together. A trace that diverges counts up to the
divergence; a trace of an unknown system counts by its recorded steps. Guards that an enqueueActions
evaluates are code of that action, and don't count.

Exit code: 0 success, 1 below --min, 2 a file could not be used.`,
  flags: {
    min: {
      type: 'string',
      value: 'PARTS',
      about: 'Required percentages, e.g. states=100,transitions=80,guards=60',
    },
    machine: {
      type: 'string',
      value: 'ID',
      isRepeatable: true,
      about: 'Only this machine; repeatable',
    },
    missing: { type: 'boolean', about: 'List what is not reached' },
    json: { type: 'boolean', about: 'Print one JSON object' },
    junit: {
      type: 'string',
      value: 'FILE',
      about: 'Also write a JUnit report with one test case per part of --min',
    },
    lcov: {
      type: 'string',
      value: 'FILE',
      about: 'Also write line coverage as LCOV: states as functions, transitions and guards as branches',
    },
    ...MACHINES_FLAG,
  },
  takes: [1, Infinity, 'file'],
  async run({ values, names }): Promise<ExitCode> {
    const minima = readMinima(values.min)
    const machines = await loadMachines(values.machines)
    const start = performance.now()
    const hints = new Set<string>()
    const { report: all, unusable } = await coverFiles(names, trace => {
      for (const hint of machines.hint(trace)) hints.add(hint)
      return coverage([trace], machines.for(trace))
    })
    const report = values.machine.length === 0 ? all : selectMachines(all, knownIds(all, values.machine))
    const low = checkThresholds(report, minima)
    if (values.json) print(`${JSON.stringify({ ...report, low, unusable })}\n`)
    else print(`${reportLines(report, values.missing, low)}\n`)
    for (const { file, reason } of unusable) printError(`${file}: ${reason}\n`)
    for (const hint of hints) printError(`To count by replay, ${hint}.\n`)
    if (values.junit !== undefined) {
      const seconds = (performance.now() - start) / 1000
      const cases = [...casesOf(minima, low), ...unusable.map(errorOf)]
      await writeNew(values.junit, junit('coverage', [{ name: 'coverage', seconds, cases }]), true)
    }
    if (values.lcov !== undefined) await writeLcov(values.lcov, report)
    if (unusable.length > 0) return 2
    return low.length > 0 ? 1 : 0
  },
})

/** @throws UsageError if no machine has source positions */
async function writeLcov(file: string, report: CoverageReport): Promise<void> {
  const { text, unknown } = toLcov(report, codePath)
  if (text === '')
    throw new UsageError(
      '--lcov: the source lines of these machines are unknown. Name the module that exports them with --machines, or record with chartroomConsole() in vite.config.',
    )
  for (const id of unknown) printError(`--lcov: the source lines of ${oneLine(id)} are unknown.\n`)
  await writeNew(file, text, true)
}

/** @throws UsageError for a machine that occurs in no trace, since nothing would be checked */
function knownIds({ machines }: CoverageReport, wanted: readonly string[]): readonly string[] {
  const ids = [...new Set(machines.map(({ id }) => id))]
  for (const id of machines.length === 0 ? [] : wanted) {
    if (ids.includes(id)) continue
    const close = nearestName(id, ids)
    const hint = close === undefined ? '' : ` Did you mean "${close}"?`
    throw new UsageError(
      `--machine ${id}: no trace contains this machine. Available: ${ids.join(', ')}.${hint}`,
    )
  }
  return wanted
}

/** @throws UsageError with the part and the fix */
function readMinima(text: string | undefined): Thresholds {
  if (text === undefined) return {}
  const minima = text.split(',').map(one => {
    const [name = '', percent = ''] = one.split('=')
    const part = PARTS.find(partName => partName === name.trim())
    if (part === undefined) {
      const close = nearestName(name.trim(), PARTS)
      const hint = close === undefined ? '' : ` Did you mean "${close}"?`
      throw new UsageError(`--min must name ${PARTS.join(', ')}, not "${name.trim()}".${hint}`)
    }
    const value = Number(percent)
    if (percent.trim() === '' || !(value >= 0 && value <= 100))
      throw new UsageError(`--min ${part} must be a percent from 0 to 100, not "${percent}".`)
    return [part, value] as const
  })
  return Object.fromEntries(minima)
}

type Trace = Extract<Awaited<ReturnType<typeof openTrace>>, { kind: 'trace' }>['trace']

async function coverFiles(files: readonly string[], cover: (trace: Trace) => CoverageReport) {
  const reports: CoverageReport[] = []
  const unusable: { readonly file: string; readonly reason: string }[] = []
  const progress = startProgress('Covering', 'traces')
  for (const file of files) {
    const opened = await openTrace(file)
    if (opened.kind === 'trace') reports.push(cover(opened.trace))
    else unusable.push({ file, reason: opened.reason })
    progress.at(reports.length + unusable.length, files.length)
  }
  progress.end()
  return { report: mergeCoverage(reports), unusable }
}

const errorOf = ({ file, reason }: { readonly file: string; readonly reason: string }): Case => ({
  name: file,
  problem: { kind: 'error', message: reason, details: reason },
})

const inWords = ({ what, least: minimum, covered, total, percent }: Shortfall) =>
  `${covered} of ${total} ${what} are ${percent} %, below the required ${minimum} %`

function casesOf(minima: Thresholds, low: readonly Shortfall[]): Case[] {
  return Object.entries(minima).map(([part, minimum]) => {
    const name = `${part} at least ${minimum} %`
    const shortfall = low.find(({ what }) => what === part)
    if (!shortfall) return { name }
    return { name, problem: { kind: 'failure', message: inWords(shortfall), details: inWords(shortfall) } }
  })
}

function reportLines(report: CoverageReport, withMissing: boolean, low: readonly Shortfall[]): string {
  const lines = low.map(one => `${styleText('red', 'TOO LOW')}  ${inWords(one)}`)
  return [...describeCoverage(report, withMissing).map(oneLine), ...lines].join('\n')
}
