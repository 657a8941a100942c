// Work on many files (delete, move, copy): counted, confirmed, done in batches; conflicts wait for an
// answer.
import { assign, setup } from 'xstate'
import { planRetry } from '../backoff.ts'
import { type Failure, isRetryable } from '../failure.ts'
import { withEvent } from '../with-event.ts'
import { port } from '../port.ts'
import type { PortBroken } from '../ports.ts'
import { FILE_JOB_ATTEMPTS, JOB_RETRY } from '../timings.ts'
import type { ConflictAnswer } from '../uploads/upload-info.ts'

/** One file of the job, by number. */
export interface FileTask {
  readonly file: number
  readonly onConflict: 'ask' | Exclude<ConflictAnswer, 'skip'>
  /** An earlier attempt has an unknown outcome, so work that is already done is not an error. */
  readonly isRepeat: boolean
}

export interface RefusedFile {
  readonly file: number
  readonly path: string
  readonly message: string
}

/** A file exists at the destination. */
export interface ConflictingFile {
  readonly file: number
  readonly path: string
  readonly target: string
}

/** The outcome of a batch: the files listed here, and all others are done. */
export interface BatchDone {
  readonly type: 'batch.done'
  readonly refused: readonly RefusedFile[]
  readonly conflicts: readonly ConflictingFile[]
  /** No response, or deferred by the backend. */
  readonly delayed: readonly RefusedFile[]
  /** The reason, if any were delayed. */
  readonly failure?: Failure
}

export interface FileJobInput {
  readonly kind: 'delete' | 'move' | 'copy'
  readonly bucket: string
  /** Files per batch. */
  readonly size: number
  readonly seed: number
}

export interface FileJobContext extends FileJobInput {
  /** Files counted so far. */
  readonly found: number
  readonly total: number
  readonly bytes: number
  /** Number of the first file that has not been started. */
  readonly next: number
  /** Started before; these go first. */
  readonly retries: readonly FileTask[]
  readonly conflicts: readonly ConflictingFile[]
  /** The answer for all further conflicts. */
  readonly answerForAll: ConflictAnswer | undefined
  readonly done: number
  readonly skipped: number
  readonly refused: readonly RefusedFile[]
  /** Batches in a row without progress. */
  readonly attempt: number
  readonly delay: number
  readonly failure: Failure | undefined
}

export type FileJobEvent =
  | { readonly type: 'job.recount' }
  | { readonly type: 'job.start' }
  /** Stops after the current batch. */
  | { readonly type: 'job.cancel' }
  /** What to do with the first conflict, or with all current and future ones. */
  | { readonly type: 'job.answer'; readonly answer: ConflictAnswer; readonly all: boolean }
  /** Retries what was refused and what was not started. */
  | { readonly type: 'job.retry' }
  /** Ends the delay early. */
  | { readonly type: 'job.resume' }

export type CountEvent =
  | { readonly type: 'files.found'; readonly found: number }
  | { readonly type: 'files.counted'; readonly total: number; readonly bytes: number }
  | { readonly type: 'files.uncounted'; readonly failure: Failure }
  | PortBroken

export type FileBatchEvent = BatchDone | PortBroken

/** The port: counts the files, including those in folders, and keeps their names by number. */
const countFiles = port<CountEvent>('countFiles')
/** The port: processes each of these files once. */
const processBatch = port<FileBatchEvent, { readonly tasks: readonly FileTask[] }>('processBatch')

const isAllStarted = ({ next, total, retries }: FileJobContext): boolean =>
  next >= total && retries.length === 0

/** Nothing was refused, and nothing is left. */
const isAllDone = (context: FileJobContext): boolean =>
  isAllStarted(context) && context.conflicts.length === 0 && context.refused.length === 0

/** What to do with conflicts of files that are started or retried. */
const onNextConflict = ({ answerForAll }: FileJobContext): FileTask['onConflict'] =>
  answerForAll === 'replace' || answerForAll === 'keepBoth' ? answerForAll : 'ask'

/** The files of the next batch. */
function nextBatch(context: FileJobContext): readonly FileTask[] {
  const { retries, next, total, size } = context
  if (retries.length > 0) return retries.slice(0, size)
  const end = Math.min(next + size, total)
  const onConflict = onNextConflict(context)
  return Array.from({ length: end - next }, (_, at) => ({ file: next + at, onConflict, isRepeat: false }))
}

/** Whether delayed files are retried automatically. */
const mayRetry = ({ attempt }: FileJobContext, { delayed, failure }: BatchDone): boolean =>
  delayed.length > 0 && failure !== undefined && isRetryable(failure) && attempt + 1 < FILE_JOB_ATTEMPTS

/** The context after a batch. */
function after(context: FileJobContext, { refused, conflicts, delayed }: BatchDone) {
  const { retries, next, total, size, answerForAll } = context
  const undone = refused.length + conflicts.length
  const done = Math.max(0, nextBatch(context).length - undone - delayed.length)
  const isSkipped = answerForAll === 'skip'
  return {
    retries: retries.slice(size),
    next: retries.length > 0 ? next : Math.min(next + size, total),
    done: context.done + done,
    refused: [...context.refused, ...refused],
    conflicts: isSkipped ? context.conflicts : [...context.conflicts, ...conflicts],
    skipped: context.skipped + (isSkipped ? conflicts.length : 0),
    attempt: done + undone > 0 ? 0 : context.attempt,
  }
}

/** The context after a batch; files that were delayed too often are refused. */
function countBatch(context: FileJobContext, batch: BatchDone): Partial<FileJobContext> {
  const next = after(context, batch)
  return { ...next, refused: [...next.refused, ...batch.delayed], failure: undefined }
}

/** The context after a batch with delayed files, which go first next time. */
function requeue(context: FileJobContext, batch: BatchDone): Partial<FileJobContext> {
  const next = after(context, batch)
  const tasks = new Map(nextBatch(context).map(task => [task.file, task]))
  const returned = batch.delayed.flatMap(({ file }) => {
    const task = tasks.get(file)
    return task ? [{ ...task, isRepeat: true }] : []
  })
  return { ...next, retries: [...returned, ...next.retries] }
}

/** Applies the user's answer to the first conflict, or to all. */
function applyAnswer(context: FileJobContext, answer: ConflictAnswer, all: boolean): Partial<FileJobContext> {
  const of = all ? context.conflicts : context.conflicts.slice(0, 1)
  const rest = { conflicts: context.conflicts.slice(of.length), ...(all && { answerForAll: answer }) }
  if (answer === 'skip') return { ...rest, skipped: context.skipped + of.length }
  const tasks = of.map(({ file }): FileTask => ({ file, onConflict: answer, isRepeat: false }))
  return { ...rest, retries: [...context.retries, ...tasks] }
}

/** Puts refused files before those that have not been started. */
function retry(context: FileJobContext): Partial<FileJobContext> {
  const { refused, retries } = context
  const onConflict = onNextConflict(context)
  const tasks = refused.map(({ file }): FileTask => ({ file, onConflict, isRepeat: true }))
  return { retries: [...retries, ...tasks], refused: [], attempt: 0, failure: undefined }
}

type WithFailure = { readonly failure: Failure }
type Answered = Extract<FileJobEvent, { type: 'job.answer' }>

export const fileJobMachine = setup({
  types: {
    context: {} as FileJobContext,
    events: {} as FileJobEvent | CountEvent | FileBatchEvent,
    input: {} as FileJobInput,
  },
  actors: { countFiles, processBatch },
  delays: { retryDelay: ({ context }) => context.delay },
  guards: {
    isDone: ({ context }) => isAllDone(context),
    isAllStarted: ({ context }) => isAllStarted(context),
    mustAsk: ({ context }) => isAllStarted(context) && context.conflicts.length > 0,
    mayRetry: ({ context }, batch: BatchDone) => mayRetry(context, batch),
  },
  actions: {
    setFound: assign((_, { found }: { readonly found: number }) => ({ found })),
    setCount: assign((_, { total, bytes }: { readonly total: number; readonly bytes: number }) => ({
      total,
      bytes,
      found: total,
    })),
    setFailure: assign((_, { failure }: WithFailure) => ({ failure })),
    clearFailure: assign({ failure: undefined, attempt: 0 }),
    count: assign(({ context }, batch: BatchDone) => countBatch(context, batch)),
    requeue: assign(({ context }, batch: BatchDone) => requeue(context, batch)),
    planRetry: assign(({ context }, { failure }: BatchDone) => {
      const { attempt, seed } = context
      const retryAfter = failure?.retryAfter
      return { ...planRetry({ ...JOB_RETRY, attempt: attempt + 1, seed, retryAfter }), failure }
    }),
    answer: assign(({ context }, { answer, all }: Answered) => applyAnswer(context, answer, all)),
    retry: assign(({ context }) => retry(context)),
  },
}).createMachine({
  id: 'fileJob',
  context: ({ input }) => ({
    ...input,
    found: 0,
    total: 0,
    bytes: 0,
    next: 0,
    retries: [],
    conflicts: [],
    answerForAll: undefined,
    done: 0,
    skipped: 0,
    refused: [],
    attempt: 0,
    delay: 0,
    failure: undefined,
  }),
  initial: 'counting',
  states: {
    counting: {
      description: 'Folders are traversed to count their files.',
      entry: 'clearFailure',
      invoke: { id: 'countFiles', src: 'countFiles' },
      on: {
        'job.recount': { target: 'counting', reenter: true },
        'files.found': { actions: withEvent('setFound') },
        'files.counted': { target: 'ready', actions: withEvent('setCount') },
        'files.uncounted': { target: 'uncounted', actions: withEvent('setFailure') },
        'port.broken': { target: 'uncounted', actions: withEvent('setFailure') },
      },
    },
    uncounted: {
      description: 'Nothing starts before the files are counted.',
      on: { 'job.recount': 'counting' },
    },
    ready: {
      description: 'The files are counted; the user must confirm.',
      on: { 'job.start': 'deciding' },
    },
    deciding: {
      description: 'Between two batches.',
      always: [
        { guard: 'isDone', target: 'done' },
        { guard: 'mustAsk', target: 'asking' },
        { guard: 'isAllStarted', target: 'ended' },
        { target: 'running' },
      ],
    },
    running: {
      description: 'A batch is running; it is never aborted, because its outcome would be unknown.',
      invoke: {
        id: 'processBatch',
        src: 'processBatch',
        input: ({ context }) => ({ tasks: nextBatch(context) }),
      },
      on: { 'port.broken': { target: 'ended', actions: withEvent('setFailure') } },
      initial: 'working',
      states: {
        working: {
          on: {
            'job.cancel': 'canceling',
            'batch.done': [
              {
                guard: withEvent('mayRetry'),
                target: '#fileJob.backingOff',
                actions: [withEvent('requeue'), withEvent('planRetry')],
              },
              { target: '#fileJob.deciding', actions: withEvent('count') },
            ],
          },
        },
        canceling: {
          description: 'No further batch starts.',
          on: {
            'batch.done': {
              target: '#fileJob.concluding',
              actions: withEvent('requeue'),
            },
          },
        },
      },
    },
    concluding: { always: [{ guard: 'isDone', target: 'done' }, { target: 'ended' }] },
    backingOff: {
      description: 'The backend did not respond; the same files are retried after a delay.',
      after: { retryDelay: 'deciding' },
      on: { 'job.resume': 'deciding', 'job.cancel': 'ended' },
    },
    asking: {
      description: 'Only files whose name already exists at the destination are left.',
      on: {
        'job.answer': { target: 'deciding', actions: withEvent('answer') },
        'job.cancel': 'ended',
      },
    },
    ended: {
      description: 'Some files were refused or not started; they stay unchanged until a retry.',
      on: { 'job.retry': { target: 'deciding', actions: 'retry' } },
    },
    done: { type: 'final' },
  },
})
