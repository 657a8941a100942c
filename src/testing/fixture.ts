// The test fixture: saves a test's recordings as traces when it fails and discards them when it passes.
import { join } from 'node:path'
import { test as base } from 'vitest'
import type { AnyActorLogic } from 'xstate'
import { record, type Recording, type RecordOptions } from '../services/recording/index.ts'
import { ownCommandLine } from './own-program.ts'
import { createHash } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'

/** Maximum bytes of a file name taken from the test name; file systems allow 255 in total. */
const LONGEST = 120

/**
 * Returns a file name that is valid on every file system and identifies the test. A hash replaces what is cut
 * off.
 */
export function fileNameOf(names: readonly string[]): string {
  const text = names
    .join(' ')
    .normalize('NFKD')
    .replaceAll(/\p{M}+/gu, '')
  const plain = text
    .replaceAll(/[^\p{L}\p{N}_]+/gu, '-')
    .replaceAll(/^-+|(?<!-)-+$/g, '')
    .normalize('NFC')
  if (plain === '') return 'test'
  if (Buffer.byteLength(plain) <= LONGEST) return plain
  let short = ''
  for (const letter of plain) {
    if (Buffer.byteLength(short + letter) > LONGEST) break
    short += letter
  }
  const rest = createHash('sha256').update(names.join('\0')).digest('hex').slice(0, 8)
  return `${short.replace(/(?<!-)-+$/, '')}-${rest}`
}

/** Writes the traces (the first file has no number) and returns their paths. */
async function leaveTraces(folder: string, name: string, traces: readonly Uint8Array[]): Promise<string[]> {
  await mkdir(folder, { recursive: true })
  const paths = traces.map((_, at) => join(folder, `${name}${at === 0 ? '' : `-${at + 1}`}.trace.gz`))
  await Promise.all(traces.map((bytes, at) => writeFile(paths[at] ?? folder, bytes)))
  return paths
}

/** Folder for the traces of failed tests, relative to the working directory. */
const FOLDER = join('test-results', 'traces')

/** Fixtures passed to a test. */
export interface TraceFixtures {
  /**
   * Records a system for this test, like `record` of `@chartroom/devtools/replay`. The recording stops when the test
   * ends.
   */
  readonly record: <L extends AnyActorLogic>(logic: L, options?: RecordOptions<L>) => Recording<L>
  /** Also saves this recording, e.g. a client's, when the test fails. */
  readonly keepTrace: (recording: Kept) => void
}

/** A recording that can be exported as a file. A client recording provides it as a download. */
type Kept = Pick<Recording, 'file'> | { readonly download: () => Promise<Blob> }

/** Vitest's `test`, with recordings. */
export const test = base.extend<TraceFixtures & { readonly traces: Traces }>({
  traces: async ({ task, onTestFailed }, provide) => {
    const traces: Traces = { kept: [], running: [] }
    const names = [task.file.name, ...suitesOf(task), task.name]
    onTestFailed(async ({ task: failed }) => {
      const files: Uint8Array[] = []
      for (const had of await Promise.allSettled(traces.kept.map(bytesOf)))
        if (had.status === 'fulfilled') files.push(had.value)
        else failed.result?.errors?.push(noneOf(had.reason))
      const repeat = failed.result?.retryCount ?? 0
      const name = `${fileNameOf(names)}${repeat === 0 ? '' : `-retry-${repeat}`}`
      const paths = await leaveTraces(FOLDER, name, files)
      for (const path of paths) failed.result?.errors?.push(noteOf(path))
    })
    await provide(traces)
    for (const recording of traces.running) recording.stop()
  },
  record: async ({ traces }, provide) => {
    await provide((logic, options) => {
      const recording = record(logic, options)
      traces.kept.push(recording)
      traces.running.push(recording)
      return recording
    })
  },
  keepTrace: async ({ traces }, provide) => {
    await provide(recording => void traces.kept.push(recording))
  },
})

interface Traces {
  readonly kept: Kept[]
  readonly running: Pick<Recording, 'stop'>[]
}

async function bytesOf(recording: Kept): Promise<Uint8Array> {
  if ('file' in recording) return recording.file()
  return new Uint8Array(await (await recording.download()).arrayBuffer())
}

/** Reports the path of the trace next to the test error. */
const noteOf = (path: string) => ({
  name: 'Trace',
  message: `The trace of this test is in ${path}: ${ownCommandLine(['replay', path])} (--machines FILE specifies your own machines)`,
})

const noneOf = (reason: unknown) => ({
  name: 'Trace',
  message: `A recording of this test could not be exported: ${reason instanceof Error ? reason.message : String(reason)}`,
})

interface Suite {
  readonly name: string
  readonly suite?: Suite | undefined
}

function suitesOf({ suite }: { readonly suite?: Suite | undefined }): string[] {
  return suite ? [...suitesOf(suite), suite.name] : []
}
