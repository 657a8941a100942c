// Runs an operation on many files: the machine with its ports, which the files page provides; recorded
// separately.
import { fromCallback, type EventObject, type NonReducibleUnknown, type SnapshotFrom } from 'xstate'
import type {
  FileJobContext,
  FileJobInput,
  FileTask,
  PortionDone,
  RefusedFile,
  ConflictAnswer,
  TakenFile,
} from '../../machines/file-job-rows.ts'
import {
  fileJobMachine,
  type CountEvent,
  type FileJobEvent,
  type PortionEvent,
} from '../../machines/file-job.ts'
import { effect } from '../effect.ts'
import { createEntropy } from '../entropy.ts'
import { describeFailure } from '../requests/describe-failure.ts'
import { beginTransfer, type Transfer } from './transfer.ts'

export type { FileTask, PortionDone, RefusedFile, ConflictAnswer, TakenFile }

export interface FileJobOptions extends Omit<FileJobInput, 'seed'> {
  /** Lists folders; throws the error of a failed call. Stop when the signal aborts. */
  readonly count: (
    found: (count: number) => void,
    signal: AbortSignal,
  ) => Promise<{ readonly total: number; readonly bytes: number }>
  /** Processes a batch and returns the result of each file; called for one batch at a time. */
  readonly portion: (tasks: readonly FileTask[]) => Promise<Omit<PortionDone, 'type'>>
}

export type FileJobPhase =
  'counting' | 'uncounted' | 'ready' | 'working' | 'stopping' | 'waiting' | 'asking' | 'ended' | 'done'

/** State of a job. */
export interface FileJobState extends Omit<
  FileJobContext,
  'seed' | 'again' | 'next' | 'size' | 'forAll' | 'attempt' | 'delay'
> {
  readonly phase: FileJobPhase
}

export type FileJob = Transfer<FileJobState, FileJobEvent, typeof fileJobMachine>

/** Starts counting. */
export function createFileJob({ count, portion, ...input }: FileJobOptions): FileJob {
  const countFiles = fromCallback<EventObject, NonReducibleUnknown, CountEvent>(({ sendBack }) => {
    const leaving = new AbortController()
    const tell = (event: CountEvent) => {
      if (!leaving.signal.aborted) sendBack(event)
    }
    count(found => tell({ type: 'files.found', found }), leaving.signal).then(
      counted => tell({ type: 'files.counted', ...counted }),
      async (error: unknown) => tell({ type: 'files.uncounted', failure: await describeFailure(error) }),
    )
    return () => leaving.abort()
  })
  const doPortion = effect<{ readonly tasks: readonly FileTask[] }, PortionEvent>(async ({ tasks }) => ({
    type: 'portion.done',
    ...(await portion(tasks)),
  }))
  const seed = Math.floor(createEntropy().random() * 2 ** 32)
  return beginTransfer('fileJob', fileJobMachine.provide({ actors: { countFiles, doPortion } }), {
    input: { ...input, seed },
    look: ({ value, context }) => {
      const { kind, bucket, found, total, bytes, taken, done, skipped, refused, failure } = context
      const known = { kind, bucket, found, total, bytes, taken, done, skipped, refused, failure }
      return { ...known, phase: phaseOf(value) }
    },
  })
}

/** The states between two batches are not shown. */
function phaseOf(value: SnapshotFrom<typeof fileJobMachine>['value']): FileJobPhase {
  if (typeof value !== 'string') return value.busy
  return value === 'choosing' || value === 'leaving' ? 'working' : value
}
