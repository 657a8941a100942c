// Runs an operation on many files: the machine with its ports, which the files page provides; recorded
// separately.
import type { NonReducibleUnknown, SnapshotFrom } from 'xstate'
import type { ConflictAnswer } from '../../../machines/index.ts'
import {
  type BatchDone,
  type CountEvent,
  type FileBatchEvent,
  type FileJobContext,
  type FileJobInput,
  fileJobMachine,
  type FileTask,
  type RefusedFile,
} from '../../../machines/workbench/file-job.ts'
import { effect } from '../../runtime/index.ts'
import { describeFailure } from '../../client/index.ts'
import { type Job, retrySeed, runJob } from './run-job.ts'

export type { FileTask, BatchDone, RefusedFile, ConflictAnswer }

export interface FileJobOptions extends Omit<FileJobInput, 'seed'> {
  /** Lists folders; throws the error of a failed call. Stop when the signal aborts. */
  readonly count: (
    onFound: (count: number) => void,
    signal: AbortSignal,
  ) => Promise<{ readonly total: number; readonly bytes: number }>
  /** Processes a batch and returns the result of each file; called for one batch at a time. */
  readonly processBatch: (tasks: readonly FileTask[]) => Promise<Omit<BatchDone, 'type'>>
}

export type FileJobPhase =
  'counting' | 'uncounted' | 'ready' | 'working' | 'canceling' | 'backingOff' | 'asking' | 'ended' | 'done'

/** State of a job. */
export interface FileJobState extends Omit<
  FileJobContext,
  'seed' | 'retries' | 'next' | 'size' | 'answerForAll' | 'attempt' | 'delay'
> {
  readonly phase: FileJobPhase
}

export type FileJob = Job<typeof fileJobMachine>

export const fileJobState = ({ value, context }: SnapshotFrom<typeof fileJobMachine>): FileJobState => {
  const { kind, bucket, found, total, bytes, conflicts, done, skipped, refused, failure } = context
  const counts = { kind, bucket, found, total, bytes, conflicts, done, skipped, refused, failure }
  return { ...counts, phase: phaseOf(value) }
}

/** Starts counting. */
export function createFileJob({ count, processBatch: process, ...input }: FileJobOptions): FileJob {
  const countFiles = effect<NonReducibleUnknown, CountEvent>(async (_, signal, send) => {
    try {
      const counted = await count(countedSoFar => send({ type: 'files.found', found: countedSoFar }), signal)
      return { type: 'files.counted', ...counted }
    } catch (error) {
      return { type: 'files.uncounted', failure: await describeFailure(error) }
    }
  })
  const processBatch = effect<{ readonly tasks: readonly FileTask[] }, FileBatchEvent>(async ({ tasks }) => ({
    type: 'batch.done',
    ...(await process(tasks)),
  }))
  const machine = fileJobMachine.provide({ actors: { countFiles, processBatch } })
  return runJob('fileJob', machine, { ...input, seed: retrySeed() })
}

/** The states between two batches are not shown. */
function phaseOf(value: SnapshotFrom<typeof fileJobMachine>['value']): FileJobPhase {
  if (typeof value !== 'string') return value.running
  return value === 'deciding' || value === 'concluding' ? 'working' : value
}
