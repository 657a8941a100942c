// What a command found in each file: printed as it arrives, then written as JUnit, HTML page and annotations.
import { styleText } from 'node:util'
import { oneLine, jsonText, type SourcePosition } from '../trace/index.ts'
import { annotations, ANNOTATIONS_FLAG, isAnnotated } from './annotations.ts'
import type { ExitCode } from './command.ts'
import { htmlReport } from './html-report.ts'
import { type Case, junit } from './junit.ts'
import { print, printError } from './print.ts'
import { writeNew } from './write-file.ts'

/** Flags of every command that reports on files. */
export const OUTPUT_FLAGS = {
  junit: { type: 'string', value: 'FILE', about: 'Also write a JUnit report' },
  html: { type: 'string', value: 'FILE', about: 'Also write a page with all results, without scripts' },
  annotations: ANNOTATIONS_FLAG,
} as const

/** Flags of every command that reports on traces. */
export const REPORT_FLAGS = {
  json: { type: 'boolean', about: 'Print one JSON object per file and line' },
  ...OUTPUT_FLAGS,
} as const

/** The values of these flags. */
export interface ReportValues {
  readonly json: boolean
  readonly junit: string | undefined
  readonly html: string | undefined
  readonly annotations: 'github' | 'none' | undefined
}

/** The findings for one file. */
export interface Finding {
  readonly code: ExitCode
  /** The first word of the output. */
  readonly outcome: string
  /** The lines that follow. */
  readonly lines: readonly string[]
  /** Fields of the `--json` output in addition to the file name. */
  readonly json: object
  /** For other reports: the summary, which defaults to the first line. */
  readonly message?: string
  /** Equal for files with the same problem; defaults to the summary. */
  readonly problem?: string
  /** For a JUnit report: one case per checked item. */
  readonly cases?: readonly Case[]
  /** The line of code that has the problem, with its path from the working directory. */
  readonly at?: SourcePosition
}

/** The same as plain data, with the file. */
export interface FileResult {
  readonly file: string
  readonly seconds: number
  readonly code: ExitCode
  readonly outcome: string
  readonly lines: readonly string[]
  readonly message: string
  readonly problem: string
  readonly cases?: readonly Case[]
  readonly at?: SourcePosition
  /** The line that `--json` prints. */
  readonly json?: string
}

export function resultOf(file: string, seconds: number, finding: Finding, wantsJson: boolean): FileResult {
  const { code, outcome, lines, json, message = lines[0] ?? '', problem = message, cases, at } = finding
  return {
    file,
    seconds,
    code,
    outcome,
    lines,
    message,
    problem,
    ...(cases && { cases }),
    ...(at && { at }),
    ...(wantsJson && { json: jsonText({ file, ...json }) }),
  }
}

/** The finding for an unusable file. */
export const unusable = (reason: string): Finding => ({
  code: 2,
  outcome: 'unusable',
  lines: [reason],
  json: { outcome: 'unusable', reason },
})

/** Reports the results of one command in the order in which they are added. */
export class FileReport {
  readonly #command: string
  readonly #values: ReportValues
  readonly #isOnGithub: boolean
  readonly #results: FileResult[] = []

  constructor(command: string, values: ReportValues) {
    this.#command = command
    this.#values = values
    this.#isOnGithub = isAnnotated(values.annotations)
  }

  get results(): readonly FileResult[] {
    return this.#results
  }

  /** Prints a result. */
  add({ json, ...result }: FileResult): void {
    const text = json ?? linesOf(result)
    print(`${this.#isOnGithub ? withoutCommands(text) : text}\n`)
    this.#results.push(result)
  }

  /** Writes the other reports; returns the worst exit code. */
  async end(): Promise<ExitCode> {
    const results = this.#results
    const { junit: xml, html } = this.#values
    if (xml !== undefined) await writeNew(xml, junit(this.#command, results.map(suiteOf)), true)
    if (html !== undefined) await writeNew(html, htmlReport(this.#command, results), true)
    if (this.#isOnGithub) for (const line of annotations(this.#command, results)) printError(`${line}\n`)
    return results.reduce<ExitCode>((worst, { code }) => (code > worst ? code : worst), 0)
  }
}

const COLORS = { 0: 'green', 1: 'red', 2: 'yellow' } as const

function linesOf({ file, code, outcome, lines }: FileResult): string {
  const word = styleText(COLORS[code], outcome.toUpperCase().padEnd(8))
  return [`${word} ${oneLine(file)}`, ...lines.map(line => `  ${oneLine(line)}`)].join('\n')
}

/**
 * Texts of a trace must not become commands of the workflow: these are lines that start with `::`, and `##[`
 * anywhere. The second replacement stays valid in JSON.
 */
const withoutCommands = (text: string): string =>
  text.replaceAll(/^([ \t\v\f]*):(?=:)/gm, String.raw`$1\x3a`).replaceAll('##[', String.raw`#\u0023[`)

function suiteOf({ file, seconds, code, lines, message, cases }: FileResult) {
  return { name: file, seconds, cases: cases ?? [caseOf(file, code, lines, message)] }
}

function caseOf(name: string, code: ExitCode, lines: readonly string[], message: string): Case {
  if (code === 0) return { name }
  const kind = code === 2 ? 'error' : 'failure'
  return { name, problem: { kind, message, details: lines.join('\n') } }
}
