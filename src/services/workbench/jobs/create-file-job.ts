// Runs an operation on many files: the machine with its ports, which the files page provides; recorded
// separately.
import { fromCallback, type EventObject, type NonReducibleUnknown, type SnapshotFrom } from 'xstate'
import {
  type BatchDone,
  type ConflictAnswer,
  type CountEvent,
  type FileBatchEvent,
  type FileJobContext,
  type FileJobEvent,
  type FileJobInput,
  fileJobMachine,
  type FileTask,
  type RefusedFile,
} from '../../../machines/index.ts'
import { createEntropy, effect } from '../../runtime/index.ts'
import { describeFailure } from '../../client/index.ts'
import { beginTransfer, type Transfer } from './transfer.ts'

export type { FileTask, BatchDone, RefusedFile, ConflictAnswer }

export interface FileJobOptions extends Omit<FileJobInput, 'seed'> {
  /** Lists folders; throws the error of a failed call. Stop when the signal aborts. */
  readonly count: (
    found: (count: number) => void,
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

export type FileJob = Transfer<FileJobState, FileJobEvent, typeof fileJobMachine>

/** Starts counting. */
export function createFileJob({ count, processBatch: process, ...input }: FileJobOptions): FileJob {
  const countFiles = fromCallback<EventObject, NonReducibleUnknown, CountEvent>(({ sendBack }) => {
    const aborter = new AbortController()
    const send = (event: CountEvent) => {
      if (!aborter.signal.aborted) sendBack(event)
    }
    count(found => send({ type: 'files.found', found }), aborter.signal).then(
      counted => send({ type: 'files.counted', ...counted }),
      async (error: unknown) => send({ type: 'files.uncounted', failure: await describeFailure(error) }),
    )
    return () => aborter.abort()
  })
  const processBatch = effect<{ readonly tasks: readonly FileTask[] }, FileBatchEvent>(async ({ tasks }) => ({
    type: 'batch.done',
    ...(await process(tasks)),
  }))
  const seed = Math.floor(createEntropy().random() * 2 ** 32)
  return beginTransfer('fileJob', fileJobMachine.provide({ actors: { countFiles, processBatch } }), {
    input: { ...input, seed },
    look: ({ value, context }) => {
      const { kind, bucket, found, total, bytes, conflicts, done, skipped, refused, failure } = context
      const known = { kind, bucket, found, total, bytes, conflicts, done, skipped, refused, failure }
      return { ...known, phase: phaseOf(value) }
    },
  })
}

/** The states between two batches are not shown. */
function phaseOf(value: SnapshotFrom<typeof fileJobMachine>['value']): FileJobPhase {
  if (typeof value !== 'string') return value.running
  return value === 'deciding' || value === 'concluding' ? 'working' : value
}
