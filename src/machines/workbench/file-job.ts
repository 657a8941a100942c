// Work on many files (delete, move, copy): counted, confirmed, done in batches; conflicts wait for an
// answer.
import { assign, setup } from 'xstate'
import { planRetry } from '../backoff.ts'
import type { Failure } from '../failure.ts'
import {
  applyAnswer,
  countBatch,
  isAllDone,
  isAllStarted,
  mayRetry,
  nextBatch,
  requeue,
  retry,
  type BatchDone,
  type FileJobContext,
  type FileJobInput,
  type FileTask,
} from './file-job-rows.ts'
import { eventParams } from '../event-params.ts'
import { port } from '../port.ts'
import type { PortBroken } from '../ports.ts'
import { JOB_RETRY } from '../timings.ts'
import type { ConflictAnswer } from '../uploads/upload-info.ts'

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
export const countFiles = port<CountEvent>('countFiles')
/** The port: processes each of these files once. */
export const processBatch = port<FileBatchEvent, { readonly tasks: readonly FileTask[] }>('processBatch')

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
        'files.found': { actions: { type: 'setFound', params: eventParams } },
        'files.counted': { target: 'ready', actions: { type: 'setCount', params: eventParams } },
        'files.uncounted': { target: 'uncounted', actions: { type: 'setFailure', params: eventParams } },
        'port.broken': { target: 'uncounted', actions: { type: 'setFailure', params: eventParams } },
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
      on: { 'port.broken': { target: 'ended', actions: { type: 'setFailure', params: eventParams } } },
      initial: 'working',
      states: {
        working: {
          on: {
            'job.cancel': 'canceling',
            'batch.done': [
              {
                guard: { type: 'mayRetry', params: eventParams },
                target: '#fileJob.backingOff',
                actions: [
                  { type: 'requeue', params: eventParams },
                  { type: 'planRetry', params: eventParams },
                ],
              },
              { target: '#fileJob.deciding', actions: { type: 'count', params: eventParams } },
            ],
          },
        },
        canceling: {
          description: 'No further batch starts.',
          on: {
            'batch.done': {
              target: '#fileJob.concluding',
              actions: { type: 'requeue', params: eventParams },
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
        'job.answer': { target: 'deciding', actions: { type: 'answer', params: eventParams } },
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
