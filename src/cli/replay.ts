// `chartroom replay FILE...`: exit 0 when every file comes out the same, 1 when one diverges or breaks an invariant, 2 when one is unusable.
import { readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { checkTrace, describeViolation, readTrace, systems, verify } from '../replay.ts'
import type { Divergence, MachineDifference, ReplayReport, Violation } from '../replay.ts'

const HELP = `Usage: chartroom replay FILE... [--json]

Replays each trace against the machines of this build and compares every step, and checks
the invariants on what was recorded.

  --json   one JSON object for each file, on a line of its own
  --help   this text

Exit code: 0 all exact, 1 a trace diverged or broke an invariant, 2 a file could not be used.`

/** What became of one file. */
export type FileReport = { readonly file: string } & (
  | (ReplayReport & { readonly violations: readonly Violation[] })
  | { readonly outcome: 'unusable'; readonly reason: string }
)

const CODES = { exact: 0, diverged: 1, unusable: 2 } as const

/** Runs the command; the worst outcome over all files gives the exit code. */
export async function replayCommand(args: string[]): Promise<number> {
  const parsed = parse(args)
  if (typeof parsed === 'string') {
    console.error(`${parsed}\n\n${HELP}`)
    return 2
  }
  if (parsed.help) {
    console.log(HELP)
    return 0
  }
  let worst = 0
  for (const file of parsed.files) {
    const report = await replayFile(file)
    console.log(parsed.json ? JSON.stringify(report) : describe(report))
    const isBroken = 'violations' in report && report.violations.length > 0
    worst = Math.max(worst, CODES[report.outcome], Number(isBroken))
  }
  return worst
}

function parse(args: string[]): string | { files: string[]; json: boolean; help: boolean } {
  try {
    const options = { json: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } } as const
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
    const { json = false, help = false } = values
    return positionals.length === 0 && !help ? 'No file was given.' : { files: positionals, json, help }
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** Reads and replays one file; whatever is wrong with it becomes part of the report. */
export async function replayFile(file: string): Promise<FileReport> {
  let bytes: Uint8Array
  try {
    bytes = await readFile(file)
  } catch (error) {
    return { file, outcome: 'unusable', reason: `cannot be read: ${reasonOf(error)}` }
  }
  const read = await readTrace(bytes)
  if (read.kind === 'unusable') return { file, outcome: 'unusable', reason: read.message }
  return { file, ...verify(read.trace, systems), violations: checkTrace(read.trace) }
}

function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'ENOENT') return 'no such file'
  if (code === 'EISDIR') return 'it is a directory'
  if (code === 'EACCES') return 'permission denied'
  return error instanceof Error ? error.message : String(error)
}

function describe(report: FileReport): string {
  const lines = [`${report.outcome.toUpperCase().padEnd(8)} ${report.file}`]
  if ('reason' in report) lines.push(`  ${report.reason}`)
  if ('views' in report) lines.push(...describeReplay(report))
  return lines.join('\n')
}

function describeReplay(report: ReplayReport & { readonly violations: readonly Violation[] }): string[] {
  const { stimuli, views, compared, machines } = report
  const lines = [`  ${stimuli} stimuli, ${views} steps kept; ${compared} steps compared and the same`]
  lines.push(...machines.map(describeMachine))
  if ('divergence' in report && report.divergence) lines.push(...describeDivergence(report.divergence))
  else if (report.outcome === 'unusable' && compared > 0) lines.push('  what was kept replays exactly')
  lines.push(...report.violations.map(violation => `  broken: ${describeViolation(violation)}`))
  return lines
}

function describeMachine({ id, difference }: MachineDifference): string {
  const means = {
    changed: 'is not the one that was recorded',
    missing: 'was recorded and is not here',
    added: 'is here and was not recorded',
  }
  return `  machine ${id} ${means[difference]}`
}

function describeDivergence({ index, expected, got, differences, problem, chain }: Divergence): string[] {
  const step = (found: Divergence['got']) =>
    found ? `${found.actor} took ${found.event} → ${JSON.stringify(found.state ?? found.status)}` : 'nothing'
  return [
    `  first difference at step ${index}`,
    ...(problem === undefined ? [] : [`    ${problem}`]),
    ...(expected || got ? [`    recorded: ${step(expected)}`, `    replayed: ${step(got)}`] : []),
    ...differences.map(one => `    ${one.path}: ${short(one.expected)} → ${short(one.got)}`),
    ...(chain.length === 0 ? [] : [`  because: ${chain.join(' → ')}`]),
  ]
}

function short(value: unknown): string {
  const text = value === undefined ? 'absent' : JSON.stringify(value)
  return text.length > 80 ? `${text.slice(0, 77)}...` : text
}
