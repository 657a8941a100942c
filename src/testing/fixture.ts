// The fixture: what a test records is left behind as a trace when it fails, and forgotten when it passes.
import { join } from 'node:path'
import { test as base } from 'vitest'
import type { AnyActorLogic } from 'xstate'
import { record, type Recording, type RecordOptions } from '../replay.ts'
import { fileNameOf, leaveTraces } from './artefacts.ts'

/** Where traces of failed tests are left, from the folder in which the tests run. */
const FOLDER = join('test-results', 'traces')

/** What tests are given. */
export interface TraceFixtures {
  /** Records a system for this test, as `record` of `chartroom/replay` does; it is stopped when the test ends. */
  readonly record: <L extends AnyActorLogic>(logic: L, options?: RecordOptions<L>) => Recording<L>
  /** Has this recording left behind, too, when the test fails: that of a client, say. */
  readonly keepTrace: (recording: Kept) => void
}

/** A recording that can be had as a file; a client's comes as a download. */
type Kept = Pick<Recording, 'file'> | { readonly download: () => Promise<Blob> }

/** `test` of Vitest, with recordings. */
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

/** Says where the trace is, beside what went wrong. */
const noteOf = (path: string) => ({
  name: 'Trace',
  message: `The trace of this test is in ${path}: npx chartroom replay ${path} (--machines FILE names machines of your own)`,
})

const noneOf = (reason: unknown) => ({
  name: 'Trace',
  message: `A recording of this test can't be had: ${reason instanceof Error ? reason.message : String(reason)}`,
})

interface Suite {
  readonly name: string
  readonly suite?: Suite | undefined
}

function suitesOf({ suite }: { readonly suite?: Suite | undefined }): string[] {
  return suite ? [...suitesOf(suite), suite.name] : []
}
