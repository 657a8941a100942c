// An access review: does step after step until all resources are reviewed, and resumes after interruptions.
import { assign, setup } from 'xstate'
import { planRetry } from '../backoff.ts'
import { isRetryable, type Failure } from '../failure.ts'
import { withEvent } from '../with-event.ts'
import { port } from '../port.ts'
import type { PortBroken } from '../ports.ts'
import { JOB_RETRY } from '../timings.ts'

export interface AccessReviewInput {
  readonly seed: number
}

export interface AccessReviewContext extends AccessReviewInput {
  readonly done: number
  /** Undefined until the backend is described. */
  readonly total: number | undefined
  readonly attempt: number
  readonly delay: number
  readonly failure: Failure | undefined
}

export type AccessReviewEvent =
  | { readonly type: 'review.cancel' }
  /** Does the failed step again. */
  | { readonly type: 'review.retry' }

export type StepEvent =
  | { readonly type: 'step.done'; readonly done: number; readonly total: number }
  | { readonly type: 'step.failed'; readonly failure: Failure }
  | PortBroken

/** The port: does the next step. Writes of a step are rolled back by the backend, so that it can be repeated. */
const reviewStep = port<StepEvent, { readonly attempt: number }>('reviewStep')

/** Attempts of a step. */
const ATTEMPTS = 5

type WithFailure = { readonly failure: Failure }
type Done = Extract<StepEvent, { type: 'step.done' }>

export const accessReviewMachine = setup({
  types: {
    context: {} as AccessReviewContext,
    events: {} as AccessReviewEvent | StepEvent,
    input: {} as AccessReviewInput,
  },
  actors: { reviewStep },
  delays: { retryDelay: ({ context }) => context.delay },
  guards: {
    isLast: (_, { done, total }: Done) => done >= total,
    mayRetry: ({ context }, { failure }: WithFailure) =>
      isRetryable(failure) && context.attempt + 1 < ATTEMPTS,
  },
  actions: {
    setProgress: assign((_, { done, total }: Done) => ({ done, total, attempt: 0, failure: undefined })),
    setFailure: assign((_, { failure }: WithFailure) => ({ failure, attempt: 0 })),
    planRetry: assign(({ context: { attempt, seed } }, { failure }: WithFailure) => ({
      ...planRetry({ ...JOB_RETRY, attempt: attempt + 1, seed, retryAfter: failure.retryAfter }),
      failure,
    })),
  },
}).createMachine({
  id: 'accessReview',
  context: ({ input }) => ({
    ...input,
    done: 0,
    total: undefined,
    attempt: 0,
    delay: 0,
    failure: undefined,
  }),
  initial: 'reviewing',
  on: { 'review.cancel': '.canceled' },
  states: {
    reviewing: {
      invoke: {
        id: 'reviewStep',
        src: 'reviewStep',
        input: ({ context }) => ({ attempt: context.attempt }),
      },
      on: {
        'step.done': [
          {
            guard: withEvent('isLast'),
            target: 'done',
            actions: withEvent('setProgress'),
          },
          { target: 'reviewing', reenter: true, actions: withEvent('setProgress') },
        ],
        'step.failed': [
          {
            guard: withEvent('mayRetry'),
            target: 'backingOff',
            actions: withEvent('planRetry'),
          },
          { target: 'failed', actions: withEvent('setFailure') },
        ],
        'port.broken': { target: 'failed', actions: withEvent('setFailure') },
      },
    },
    backingOff: {
      after: { retryDelay: 'reviewing' },
      on: { 'review.retry': 'reviewing' },
    },
    failed: {
      description: 'What was reviewed is kept.',
      on: { 'review.retry': 'reviewing' },
    },
    canceled: { type: 'final' },
    done: { type: 'final' },
  },
})
