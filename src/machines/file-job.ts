// Work on many files (delete, move, copy): counted, confirmed, done in portions; conflicts wait for an
// answer.
import { assign, setup } from 'xstate'
import { planRetry } from './backoff.ts'
import type { Failure } from './failure.ts'
import {
  answered,
  counted,
  isAllBegun,
  isAllDone,
  mayDelay,
  portionOf,
  putBack,
  retried,
  type FileJobContext,
  type FileJobInput,
  type FileTask,
  type PortionDone,
  type ConflictAnswer,
} from './file-job-rows.ts'
import { eventParams } from './event-params.ts'
import { port } from './port.ts'
import type { PortBroken } from './ports.ts'
import { JOB_RETRY } from './timings.ts'

export type FileJobEvent =
  | { readonly type: 'job.recount' }
  | { readonly type: 'job.begin' }
  /** Stops after the current portion. */
  | { readonly type: 'job.stop' }
  /** What to do with the first conflict, or with all current and future ones. */
  | { readonly type: 'job.answer'; readonly answer: ConflictAnswer; readonly all: boolean }
  /** Retries what was refused and what was not started. */
  | { readonly type: 'job.again' }
  /** Ends the pause early. */
  | { readonly type: 'job.resume' }

export type CountEvent =
  | { readonly type: 'files.found'; readonly found: number }
  | { readonly type: 'files.counted'; readonly total: number; readonly bytes: number }
  | { readonly type: 'files.uncounted'; readonly failure: Failure }
  | PortBroken

export type PortionEvent = PortionDone | PortBroken

/** The port: counts the files, including those in folders, and keeps their names by number. */
export const countFiles = port<CountEvent>('countFiles')
/** The port: processes each of these files once. */
export const doPortion = port<PortionEvent, { readonly tasks: readonly FileTask[] }>('doPortion')

type Told = { readonly failure: Failure }
type Answered = Extract<FileJobEvent, { type: 'job.answer' }>

const broken = { target: '#fileJob.ended', actions: { type: 'keepFailure', params: eventParams } } as const

export const fileJobMachine = setup({
  types: {
    context: {} as FileJobContext,
    events: {} as FileJobEvent | CountEvent | PortionEvent,
    input: {} as FileJobInput,
  },
  actors: { countFiles, doPortion },
  delays: { pause: ({ context }) => context.delay },
  guards: {
    isDone: ({ context }) => isAllDone(context),
    isAllBegun: ({ context }) => isAllBegun(context),
    isAsked: ({ context }) => isAllBegun(context) && context.taken.length > 0,
    isDelayed: ({ context }, portion: PortionDone) => mayDelay(context, portion),
  },
  actions: {
    keepFound: assign((_, { found }: { readonly found: number }) => ({ found })),
    keepCount: assign((_, { total, bytes }: { readonly total: number; readonly bytes: number }) => ({
      total,
      bytes,
      found: total,
    })),
    keepFailure: assign((_, { failure }: Told) => ({ failure })),
    forgetFailure: assign({ failure: undefined, attempt: 0 }),
    count: assign(({ context }, portion: PortionDone) => counted(context, portion)),
    putBack: assign(({ context }, portion: PortionDone) => putBack(context, portion)),
    planRetry: assign(({ context }, { failure }: PortionDone) => {
      const { attempt, seed } = context
      const retryAfter = failure?.retryAfter
      return { ...planRetry({ ...JOB_RETRY, attempt: attempt + 1, seed, retryAfter }), failure }
    }),
    answer: assign(({ context }, { answer, all }: Answered) => answered(context, answer, all)),
    tryAgain: assign(({ context }) => retried(context)),
  },
}).createMachine({
  id: 'fileJob',
  context: ({ input }) => ({
    ...input,
    found: 0,
    total: 0,
    bytes: 0,
    next: 0,
    again: [],
    taken: [],
    forAll: undefined,
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
      entry: 'forgetFailure',
      invoke: { id: 'countFiles', src: 'countFiles' },
      on: {
        'job.recount': { target: 'counting', reenter: true },
        'files.found': { actions: { type: 'keepFound', params: eventParams } },
        'files.counted': { target: 'ready', actions: { type: 'keepCount', params: eventParams } },
        'files.uncounted': { target: 'uncounted', actions: { type: 'keepFailure', params: eventParams } },
        'port.broken': { target: 'uncounted', actions: { type: 'keepFailure', params: eventParams } },
      },
    },
    uncounted: {
      description: 'Nothing starts before the files are counted.',
      on: { 'job.recount': 'counting' },
    },
    ready: {
      description: 'The files are counted; the user must confirm.',
      on: { 'job.begin': 'choosing' },
    },
    choosing: {
      description: 'Between two portions.',
      always: [
        { guard: 'isDone', target: 'done' },
        { guard: 'isAsked', target: 'asking' },
        { guard: 'isAllBegun', target: 'ended' },
        { target: 'busy' },
      ],
    },
    busy: {
      description: 'A portion is running; it is never aborted, because its outcome would be unknown.',
      invoke: {
        id: 'doPortion',
        src: 'doPortion',
        input: ({ context }) => ({ tasks: portionOf(context) }),
      },
      on: { 'port.broken': broken },
      initial: 'working',
      states: {
        working: {
          on: {
            'job.stop': 'stopping',
            'portion.done': [
              {
                guard: { type: 'isDelayed', params: eventParams },
                target: '#fileJob.waiting',
                actions: [
                  { type: 'putBack', params: eventParams },
                  { type: 'planRetry', params: eventParams },
                ],
              },
              { target: '#fileJob.choosing', actions: { type: 'count', params: eventParams } },
            ],
          },
        },
        stopping: {
          description: 'No further portion starts.',
          on: {
            'portion.done': { target: '#fileJob.leaving', actions: { type: 'putBack', params: eventParams } },
          },
        },
      },
    },
    leaving: { always: [{ guard: 'isDone', target: 'done' }, { target: 'ended' }] },
    waiting: {
      description: 'The backend did not respond; the same files are retried after a pause.',
      after: { pause: 'choosing' },
      on: { 'job.resume': 'choosing', 'job.stop': 'ended' },
    },
    asking: {
      description: 'Only files whose name already exists at the destination are left.',
      on: {
        'job.answer': { target: 'choosing', actions: { type: 'answer', params: eventParams } },
        'job.stop': 'ended',
      },
    },
    ended: {
      description: 'Some files were refused or not started; they stay unchanged until a retry.',
      on: { 'job.again': { target: 'choosing', actions: 'tryAgain' } },
    },
    done: { type: 'final' },
  },
})
