// Runs a command over several traces: prints the findings for each and combines the exit codes.
import { styleText } from 'node:util'
import type { ReplayableTrace, SystemRegistry } from '../public/replay.ts'
import { jsonText } from '../trace/index.ts'
import type { ExitCode } from './command.ts'
import { junit, type Case, type Suite } from './junit.ts'
import { startProgress, type Progress } from './progress.ts'
import { openTrace } from './trace-files.ts'
import { writeNew } from './write-file.ts'
import { oneLine, print } from './print.ts'

/** Flags of every command that reports on traces. */
export const REPORT_FLAGS = {
  json: { type: 'boolean', about: 'Print one JSON object per file and line' },
  junit: { type: 'string', value: 'FILE', about: 'Also write a JUnit report' },
} as const

/** The findings for one file. */
export interface Finding {
  readonly code: ExitCode
  /** The first word of the output. */
  readonly outcome: string
  /** The lines that follow. */
  readonly lines: readonly string[]
  /** Fields of the `--json` output in addition to the file name. */
  readonly json: object
  /** For a JUnit report: the summary, which defaults to the first line; or one case per checked item. */
  readonly message?: string
  readonly cases?: readonly Case[]
}

/** Examines one trace. */
export type Look = (trace: ReplayableTrace, progress: Progress, bytes: number) => Finding | Promise<Finding>

interface Work {
  /** Name of the command. */
  readonly name: string
  readonly files: readonly string[]
  readonly values: { readonly json: boolean; readonly junit: string | undefined }
  /** The verb and unit of the progress line. */
  readonly doing: readonly [verb: string, units: string]
  readonly look: Look
  /** Derives steps that were not recorded; if absent, traces are used as recorded. */
  readonly systems?: SystemRegistry
}

/** Examines each file; returns the worst exit code. */
export async function eachFile({ name, files, values, doing, look, systems }: Work): Promise<ExitCode> {
  const suites: Suite[] = []
  let worst: ExitCode = 0
  for (const file of files) {
    const start = performance.now()
    const opened = await openTrace(file, systems)
    const progress = startProgress(`${doing[0]} ${file}`, doing[1])
    const found =
      opened.kind === 'trace' ? await look(opened.trace, progress, opened.bytes) : unusable(opened.reason)
    progress.end()
    print(`${values.json ? jsonText({ file, ...found.json }) : reportLines(file, found)}\n`)
    suites.push({ name: file, seconds: (performance.now() - start) / 1000, cases: casesOf(file, found) })
    if (found.code > worst) worst = found.code
  }
  if (values.junit !== undefined) await writeNew(values.junit, junit(name, suites), true)
  return worst
}

/** The finding for an unusable file. */
const unusable = (reason: string): Finding => ({
  code: 2,
  outcome: 'unusable',
  lines: [reason],
  json: { outcome: 'unusable', reason },
})

const COLORS = { 0: 'green', 1: 'red', 2: 'yellow' } as const

function reportLines(file: string, { code, outcome, lines }: Finding): string {
  const word = styleText(COLORS[code], outcome.toUpperCase().padEnd(8))
  return [`${word} ${oneLine(file)}`, ...lines.map(line => `  ${oneLine(line)}`)].join('\n')
}

function casesOf(file: string, { code, lines, message = lines[0] ?? '', cases }: Finding): readonly Case[] {
  if (cases) return cases
  if (code === 0) return [{ name: file }]
  const kind = code === 2 ? 'error' : 'failure'
  return [{ name: file, wrong: { kind, message, details: lines.join('\n') } }]
}
