// One upload: validated, checked for name conflicts, sent whole or in parts, and resumed after interruptions.
import { assign, sendParent, setup } from 'xstate'
import { planRetry } from './backoff.ts'
import type { Failure } from './failure.ts'
import { eventParams } from './event-params.ts'
import { lookUp, transfer, type EnvironmentEvent, type LookUpEvent, type TransferEvent } from './ports.ts'
import type { Timings } from './timings.ts'
import {
  isHopeless,
  isWorthALook,
  mayRetry,
  nameTaken,
  numbered,
  STILL_AFTER,
  stoodStill,
  unfit,
  type TakenAnswer,
  type UploadInfo,
  type UploadOutcome,
  type UploadReport,
  type UploadEvent,
} from './upload-info.ts'

type EnvironmentChanged = Extract<EnvironmentEvent, { type: 'environment.changed' }>

export interface UploadInput {
  readonly info: UploadInfo
  readonly timings: Timings
  readonly online: boolean
  readonly seed: number
}

export interface UploadContext extends UploadInput {
  /** The current target path. */
  readonly path: string
  /** A free name similar to the one that is taken. */
  readonly free?: string
  readonly answer: 'ask' | TakenAnswer
  readonly sent: number
  /** Sent parts are kept if the connection breaks. */
  readonly resumable: boolean
  /** Attempts since the last progress. */
  readonly attempt: number
  readonly attempts: number
  readonly clashes: number
  readonly delay: number
  readonly failure?: Failure | undefined
}

type Told = { readonly failure: Failure }

/**
 * Its parent stops it immediately; a final state would leave a done event type with this actor's id behind
 * forever.
 */
const over = (kind: UploadOutcome['kind']) =>
  ({ entry: { type: 'settle', params: { kind } }, on: { '*': {} } }) as const
const aside = { type: 'tell', params: { where: 'aside' } } as const
const dead: Told = { failure: stoodStill }
const failAsTold = { target: 'failed', actions: { type: 'keepFailure', params: eventParams<Told> } } as const
const isAnswered = (answer: TakenAnswer) => ({ type: 'isAnswered', params: { answer } }) as const
const answers = (answer: TakenAnswer) =>
  ({
    type: 'answers',
    params: ({ event }: { event: { answer: TakenAnswer } }) => ({ given: event.answer, answer }),
  }) as const
/** No file was found. After an earlier conflict, picks a new name anyway. */
const notSeen = [
  { guard: 'hasClashed', target: 'clashing', actions: 'makeUpFree' },
  { target: 'sending' },
] as const
const pausable = { 'upload.pause': 'paused' } as const
export const uploadMachine = setup({
  types: {
    context: {} as UploadContext,
    events: {} as UploadEvent | EnvironmentChanged | LookUpEvent | TransferEvent,
    input: {} as UploadInput,
  },
  actors: { lookUp, transfer },
  delays: {
    pause: ({ context }) => context.delay,
    lookTimeout: ({ context }) => context.timings.requestTimeout,
    still: () => STILL_AFTER,
    standstill: ({ context }) => Math.max(0, context.timings.requestTimeout - STILL_AFTER),
  },
  guards: {
    isTold: ({ context }) => context.info.isTold === true,
    isUnfit: ({ context }) => unfit(context.info) !== undefined,
    isWorthALook: ({ context }) => isWorthALook(context.info),
    isAnswered: ({ context }, params: { answer: TakenAnswer }) => context.answer === params.answer,
    answers: (_, params: { given: TakenAnswer; answer: TakenAnswer }) => params.given === params.answer,
    isHopeless: ({ context }) => isHopeless(context.clashes),
    hasClashed: ({ context }) => context.clashes > 0,
    isOnline: ({ context }) => context.online,
    isCutOff: ({ context }, { failure }: Told) => !context.online && mayRetry(0, failure),
    mayRetry: ({ context }, { failure }: Told) => mayRetry(context.attempt, failure),
  },
  actions: {
    keepOnline: assign((_, { online }: { online: boolean }) => ({ online })),
    keepUnfit: assign(({ context }) => ({ failure: unfit(context.info) })),
    keepFailure: assign((_, { failure }: Told) => ({ failure })),
    keepFree: assign((_, { free }: { free: string }) => ({ free })),
    makeUpFree: assign(({ context }) => ({ free: numbered(context.info.path, context.clashes + 1) })),
    takeFree: assign(({ context }) => ({ path: context.free ?? context.path })),
    keepAnswer: assign((_, { answer }: { answer: TakenAnswer }) => ({ answer })),
    countClash: assign(({ context }) => ({ clashes: context.clashes + 1, sent: 0 })),
    keepSent: assign(({ context }, { sent, resumable }: { sent: number; resumable: boolean }) => ({
      sent,
      resumable,
      attempt: resumable && sent > context.sent ? 1 : context.attempt,
    })),
    startAttempt: assign(({ context }) => ({
      attempt: context.attempt + 1,
      attempts: context.attempts + 1,
      sent: context.resumable ? context.sent : 0,
      failure: undefined,
    })),
    planRetry: assign(({ context }, { failure }: Told) => {
      const { attempt, seed, timings } = context
      const { backoffMin: min, backoffMax: max } = timings
      return { ...planRetry({ attempt, seed, min, max, retryAfter: failure.retryAfter }), failure }
    }),
    tell: sendParent(({ context }, { where }: { where: 'aside' | 'ready' }) => {
      return { type: 'upload.moved', id: context.info.id, where } satisfies UploadReport
    }),
    settle: sendParent(({ context }, { kind }: Pick<UploadOutcome, 'kind'>) => {
      const { info, path, sent, attempts, failure } = context
      const isWhole = kind === 'done'
      const outcome = {
        kind,
        path,
        sent: isWhole ? info.bytes : sent,
        attempts,
        ...(kind === 'failed' && failure && { failure }),
      }
      return { type: 'upload.ended', id: info.id, outcome } satisfies UploadReport
    }),
  },
}).createMachine({
  id: 'upload',
  context: ({ input }) => ({
    ...input,
    path: input.info.path,
    answer: input.info.onTaken,
    sent: 0,
    resumable: false,
    attempt: 0,
    attempts: 0,
    clashes: 0,
    delay: 0,
  }),
  initial: 'judging',
  on: {
    'environment.changed': { actions: { type: 'keepOnline', params: eventParams } },
    'upload.cancel': '.cancelled',
  },
  states: {
    judging: {
      description: 'Files that violate the bucket’s restrictions are not sent.',
      always: [
        { guard: 'isUnfit', target: 'failed', actions: 'keepUnfit' },
        { guard: 'isWorthALook', target: 'looking' },
        { target: 'sending' },
      ],
    },
    looking: {
      description: 'Checks whether a file of this name exists, and finds a free name.',
      invoke: {
        id: 'lookUp',
        src: 'lookUp',
        input: ({ context: { info } }) => ({ bucket: info.bucket, path: info.path }),
      },
      on: {
        ...pausable,
        'name.taken': { target: 'clashing', actions: { type: 'keepFree', params: eventParams } },
        'name.free': notSeen,
        'name.unknown': notSeen,
        'port.broken': failAsTold,
      },
      after: { lookTimeout: notSeen },
    },
    clashing: {
      description: 'A file of this name exists: an earlier answer for all files may apply.',
      always: [
        { guard: isAnswered('skip'), target: 'skipped' },
        { guard: isAnswered('keepBoth'), target: 'sending', actions: 'takeFree' },
        { guard: isAnswered('replace'), target: 'sending' },
        { target: 'asking' },
      ],
    },
    asking: {
      description: 'The user chooses: replace it, keep both, or skip this file.',
      entry: aside,
      on: {
        'upload.answer': [
          { guard: answers('skip'), target: 'skipped' },
          {
            guard: answers('keepBoth'),
            target: 'ready',
            actions: [{ type: 'keepAnswer', params: eventParams }, 'takeFree'],
          },
          { target: 'ready', actions: { type: 'keepAnswer', params: eventParams } },
        ],
      },
    },
    paused: { entry: aside, on: { 'upload.resume': 'ready' } },
    ready: {
      description: 'Waits for an upload slot.',
      entry: { type: 'tell', params: { where: 'ready' } },
      on: { ...pausable, 'upload.granted': 'sending' },
    },
    sending: {
      entry: 'startAttempt',
      invoke: {
        id: 'transfer',
        src: 'transfer',
        input: ({ context: { info, path, answer, attempts } }) => ({
          id: info.id,
          bucket: info.bucket,
          path,
          replace: answer === 'replace',
          attempt: attempts,
        }),
      },
      initial: 'moving',
      states: {
        moving: { after: { still: { guard: 'isTold', target: 'still' } } },
        still: {
          description: 'No progress for a while: reported, and aborted after a minute.',
          after: {
            standstill: [
              { guard: { type: 'isCutOff', params: dead }, target: '#upload.stranded' },
              {
                guard: { type: 'mayRetry', params: dead },
                target: '#upload.backingOff',
                actions: { type: 'planRetry', params: dead },
              },
              { target: '#upload.failed', actions: { type: 'keepFailure', params: dead } },
            ],
          },
        },
      },
      on: {
        ...pausable,
        'transfer.progressed': { target: '.moving', actions: { type: 'keepSent', params: eventParams } },
        'transfer.done': 'done',
        'transfer.taken': [
          {
            guard: 'isHopeless',
            target: 'failed',
            actions: { type: 'keepFailure', params: { failure: nameTaken } },
          },
          { target: 'looking', actions: 'countClash' },
        ],
        'transfer.failed': [
          { guard: { type: 'isCutOff', params: eventParams }, target: 'stranded' },
          {
            guard: { type: 'mayRetry', params: eventParams },
            target: 'backingOff',
            actions: { type: 'planRetry', params: eventParams },
          },
          failAsTold,
        ],
        'port.broken': failAsTold,
      },
    },
    backingOff: { after: { pause: 'sending' }, on: pausable },
    stranded: {
      description: 'The device is offline: the upload waits and does not fail.',
      always: { guard: 'isOnline', target: 'sending' },
      on: pausable,
    },
    done: over('done'),
    failed: over('failed'),
    skipped: over('skipped'),
    cancelled: over('cancelled'),
  },
})
