// Opens the given traces, from a file or from standard input if the name is `-`, and runs a command over them.
import { open } from 'node:fs/promises'
import { type ByteInput, deriveSteps, readTrace, type ReplayableTrace } from '../public/devtools/replay.ts'
import { type ExitCode, UsageError } from './command.ts'
import {
  FileReport,
  type FileResult,
  type Finding,
  type ReportValues,
  resultOf,
  unusable,
} from './file-report.ts'
import type { Machines } from './machines-file.ts'
import { type Progress, startProgress } from './print.ts'
import { fileReason } from './write-file.ts'

/** Examines one trace. */
export type Examine = (
  trace: ReplayableTrace,
  progress: Progress,
  bytes: number,
) => Finding | Promise<Finding>

/** How a command examines each file. */
export interface Examination {
  /** The verb and unit of the progress line. */
  readonly doing: readonly [verb: string, units: string]
  readonly examine: Examine
  /** Derives steps that were not recorded; if absent, traces are used as recorded. */
  readonly machines?: Machines
}

interface Work extends Examination {
  /** Name of the command. */
  readonly name: string
  readonly files: readonly string[]
  readonly values: ReportValues
}

/** Examines and reports each file; returns the worst exit code. */
export async function eachFile({ name, files, values, ...examination }: Work): Promise<ExitCode> {
  const report = new FileReport(name, values)
  for (const file of files) report.add(await examine(file, examination, values.json))
  return report.end()
}

/** Examines one file. Machines that do not fit one file are its problem; others are still examined. */
export async function examine(
  file: string,
  examination: Examination,
  wantsJson: boolean,
): Promise<FileResult> {
  const start = performance.now()
  const finding = await find(file, examination).catch((error: unknown) => {
    if (error instanceof UsageError) return unusable(error.message)
    throw error
  })
  return resultOf(file, (performance.now() - start) / 1000, finding, wantsJson)
}

async function find(
  file: string,
  { doing: [verb, units], examine, machines }: Examination,
): Promise<Finding> {
  const opened = await openTrace(file, machines)
  if (opened.kind === 'unusable') return unusable(opened.reason)
  const progress = startProgress(`${verb} ${file}`, units)
  try {
    return await examine(opened.trace, progress, opened.bytes)
  } finally {
    progress.end()
  }
}

type Opened =
  | { readonly kind: 'trace'; readonly trace: ReplayableTrace; readonly bytes: number }
  | { readonly kind: 'unusable'; readonly reason: string }

/**
 * Reads one trace; problems are returned, never thrown. If machines are given, the steps of a trace recorded
 * without them are derived by replay.
 */
export async function openTrace(file: string, machines?: Machines): Promise<Opened> {
  const opened = await openAsRecorded(file)
  if (opened.kind === 'unusable' || !machines) return opened
  const progress = startProgress(`Deriving the steps of ${file}`, 'inputs')
  const derived = deriveSteps(opened.trace, machines.for(opened.trace), { onProgress: progress.at })
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
const MAX_BYTES = 512 * 2 ** 20

/** Reads a stream to its end. @throws Error if it exceeds the limit */
export async function collected(
  stream: AsyncIterable<Uint8Array>,
  maxBytes = MAX_BYTES,
): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of stream) {
    size += part.length
    if (size > maxBytes)
      throw new Error(`more than ${maxBytes.toLocaleString('en')} bytes received; give a file instead`)
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
  const trace = await readTrace(input, { onProgress })
  progress.end()
  if (trace.kind === 'unusable') return { kind: 'unusable', reason: trace.message }
  return { kind: 'trace', trace: trace.trace, bytes: input.size ?? input.length ?? 0 }
}

/** @throws Error with the file name, if it cannot be used */
export async function needTrace(file: string, machines?: Machines): Promise<ReplayableTrace> {
  const opened = await openTrace(file, machines)
  if (opened.kind === 'unusable') throw new Error(`${file}: ${opened.reason}`)
  return opened.trace
}
