// Opens the given traces, from a file or from standard input if the name is `-`, and runs a command over them:
// prints the findings for each and combines the exit codes.
import { open } from 'node:fs/promises'
import { styleText } from 'node:util'
import {
  type ByteInput,
  deriveSteps,
  readTrace,
  type ReplayableTrace,
  type SystemRegistry,
} from '../public/replay.ts'
import { jsonText, xmlAttributes, xmlText } from '../trace/index.ts'
import type { ExitCode } from './command.ts'
import { oneLine, print, type Progress, startProgress } from './print.ts'
import { fileReason, writeNew } from './write-file.ts'

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

type Opened =
  | { readonly kind: 'trace'; readonly trace: ReplayableTrace; readonly bytes: number }
  | { readonly kind: 'unusable'; readonly reason: string }

/**
 * Reads one trace; problems are returned, never thrown. If systems are given, the steps of a trace recorded
 * without them are derived by replay.
 */
export async function openTrace(file: string, systems?: SystemRegistry): Promise<Opened> {
  const opened = await openAsRecorded(file)
  if (opened.kind === 'unusable' || !systems) return opened
  const progress = startProgress(`Deriving the steps of ${file}`, 'stimuli')
  const derived = deriveSteps(opened.trace, systems, { onProgress: progress.at })
  progress.end()
  if (derived.kind === 'unusable') return { kind: 'unusable', reason: derived.message }
  return { ...opened, trace: derived.trace }
}

async function openAsRecorded(file: string): Promise<Opened> {
  try {
    if (file === '-') return await read(await collected(process.stdin), 'standard input')
    await using handle = await open(file)
    const stat = await handle.stat()
    if (stat.isDirectory()) return { kind: 'unusable', reason: 'cannot be read: it is a directory' }
    if (!stat.isFile()) return await read(await collected(handle.createReadStream()), file)
    const { size } = stat
    // Reads part by part, so that a large file is not held in memory as a whole.
    const part = async (from: number, to: number) => {
      const { bytesRead, buffer } = await handle.read(new Uint8Array(to - from), 0, to - from, from)
      return buffer.subarray(0, bytesRead)
    }
    return await read({ size, read: part }, file)
  } catch (error) {
    return { kind: 'unusable', reason: `cannot be read: ${fileReason(error)}` }
  }
}

/** Data from a pipe must fit in memory, and may never end. */
const MOST = 512 * 2 ** 20

/** Reads a stream to its end. @throws Error if it exceeds the limit */
export async function collected(stream: AsyncIterable<Uint8Array>, most = MOST): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of stream) {
    size += part.length
    if (size > most)
      throw new Error(`more than ${most.toLocaleString('en')} bytes received; give a file instead`)
    parts.push(part)
  }
  return Buffer.concat(parts)
}

async function read(
  input: ByteInput & { readonly size?: number; readonly length?: number },
  name: string,
): Promise<Opened> {
  const progress = startProgress(`Reading ${name}`, '%')
  const onProgress = (share: number) => progress.at(Math.floor(share * 100))
  const found = await readTrace(input, { onProgress })
  progress.end()
  if (found.kind === 'unusable') return { kind: 'unusable', reason: found.message }
  return { kind: 'trace', trace: found.trace, bytes: input.size ?? input.length ?? 0 }
}

/** @throws Error with the file name, if it cannot be used */
export async function needTrace(file: string, systems?: SystemRegistry): Promise<ReplayableTrace> {
  const opened = await openTrace(file, systems)
  if (opened.kind === 'unusable') throw new Error(`${file}: ${opened.reason}`)
  return opened.trace
}

export interface Case {
  readonly name: string
  /** Absent on success. `error`: the check could not be performed. */
  readonly wrong?: { readonly kind: 'failure' | 'error'; readonly message: string; readonly details: string }
}

interface Suite {
  readonly name: string
  readonly seconds: number
  readonly cases: readonly Case[]
}

/** Formats the whole report. */
export function junit(name: string, suites: readonly Suite[]): string {
  const totals = { name, ...tally(suites.flatMap(({ cases }) => cases)), time: time(sum(suites)) }
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${xmlAttributes(totals)}>`,
    ...suites.flatMap(suite => describeSuite(name, suite)),
    '</testsuites>',
    '',
  ].join('\n')
}

function describeSuite(command: string, { name, seconds, cases }: Suite): string[] {
  const each = time(seconds / Math.max(1, cases.length))
  return [
    `  <testsuite${xmlAttributes({ name, ...tally(cases), skipped: 0, time: time(seconds) })}>`,
    ...cases.flatMap(one => {
      const head = `    <testcase${xmlAttributes({ name: one.name, classname: `chartroom.${command}`, time: each })}`
      if (!one.wrong) return `${head}/>`
      const { kind, message, details } = one.wrong
      const opened = `<${kind}${xmlAttributes({ message, type: kind === 'error' ? 'unusable' : command })}>`
      return [`${head}>`, `      ${opened}${xmlText(details)}</${kind}>`, '    </testcase>']
    }),
    '  </testsuite>',
  ]
}

function tally(cases: readonly Case[]) {
  const count = (kind: 'failure' | 'error') => cases.filter(({ wrong }) => wrong?.kind === kind).length
  return { tests: cases.length, failures: count('failure'), errors: count('error') }
}

const sum = (suites: readonly Suite[]) => suites.reduce((total, { seconds }) => total + seconds, 0)
const time = (seconds: number) => seconds.toFixed(3)
