// One upload: validated, checked for name conflicts, sent whole or in parts, and resumed after interruptions.
import { assign, sendParent, setup } from 'xstate'
import { planRetry } from '../backoff.ts'
import type { Failure } from '../failure.ts'
import { withEvent } from '../with-event.ts'
import {
  checkName,
  transfer,
  type CheckNameEvent,
  type EnvironmentEvent,
  type TransferEvent,
} from '../ports.ts'
import { MAX_NAME_CONFLICTS, STALL_WARNING, type Timings } from '../timings.ts'
import {
  canRetry,
  nameTaken,
  numbered,
  shouldCheckName,
  stalledFailure,
  validationFailure,
  type ConflictAnswer,
  type UploadEvent,
  type UploadInfo,
  type UploadOutcome,
  type UploadReport,
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
  readonly answer: 'ask' | ConflictAnswer
  readonly sent: number
  /** Sent parts are kept if the connection breaks. */
  readonly resumable: boolean
  /** Attempts since the last progress. */
  readonly attempt: number
  readonly attempts: number
  readonly conflicts: number
  readonly delay: number
  readonly failure?: Failure | undefined
}

type HasFailure = { readonly failure: Failure }

const notifyPhase = (phase: 'needsInput' | 'ready') => ({ type: 'notifyPhase', params: { phase } }) as const
const hasAnswer = (answer: ConflictAnswer) => ({ type: 'hasAnswer', params: { answer } }) as const
const isAnswer = (answer: ConflictAnswer) =>
  ({
    type: 'isAnswer',
    params: ({ event }: { event: { answer: ConflictAnswer } }) => ({ expected: event.answer, answer }),
  }) as const

export const uploadMachine = setup({
  types: {
    context: {} as UploadContext,
    events: {} as UploadEvent | EnvironmentChanged | CheckNameEvent | TransferEvent,
    input: {} as UploadInput,
  },
  actors: { checkName, transfer },
  delays: {
    retryDelay: ({ context }) => context.delay,
    checkNameTimeout: ({ context }) => context.timings.requestTimeout,
    stallWarning: STALL_WARNING,
    stallTimeout: ({ context }) => Math.max(0, context.timings.requestTimeout - STALL_WARNING),
  },
  guards: {
    reportsProgress: ({ context }) => context.info.reportsProgress === true,
    isInvalid: ({ context }) => validationFailure(context.info) !== undefined,
    shouldCheckName: ({ context }) => shouldCheckName(context.info),
    hasAnswer: ({ context }, params: { answer: ConflictAnswer }) => context.answer === params.answer,
    isAnswer: (_, params: { expected: ConflictAnswer; answer: ConflictAnswer }) =>
      params.expected === params.answer,
    hasTooManyConflicts: ({ context }) => context.conflicts >= MAX_NAME_CONFLICTS,
    hasConflicts: ({ context }) => context.conflicts > 0,
    isOnline: ({ context }) => context.online,
    mustWaitForNetwork: ({ context }, { failure }: HasFailure) => !context.online && canRetry(0, failure),
    canRetry: ({ context }, { failure }: HasFailure) => canRetry(context.attempt, failure),
  },
  actions: {
    setOnline: assign((_, { online }: { online: boolean }) => ({ online })),
    setValidationFailure: assign(({ context }) => ({ failure: validationFailure(context.info) })),
    setFailure: assign((_, { failure }: HasFailure) => ({ failure })),
    setFreeName: assign((_, { free }: { free: string }) => ({ free })),
    inventFreeName: assign(({ context }) => ({ free: numbered(context.info.path, context.conflicts + 1) })),
    useFreeName: assign(({ context }) => ({ path: context.free ?? context.path })),
    setAnswer: assign((_, { answer }: { answer: ConflictAnswer }) => ({ answer })),
    countConflict: assign(({ context }) => ({ conflicts: context.conflicts + 1, sent: 0 })),
    setProgress: assign(({ context }, { sent, resumable }: { sent: number; resumable: boolean }) => ({
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
    planRetry: assign(({ context }, { failure }: HasFailure) => {
      const { attempt, seed, timings } = context
      const { backoffMin: min, backoffMax: max } = timings
      return { ...planRetry({ attempt, seed, min, max, retryAfter: failure.retryAfter }), failure }
    }),
    notifyPhase: sendParent(({ context }, { phase }: { phase: 'needsInput' | 'ready' }) => {
      return { type: 'upload.phaseChanged', id: context.info.id, phase } satisfies UploadReport
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
    answer: input.info.onConflict,
    sent: 0,
    resumable: false,
    attempt: 0,
    attempts: 0,
    conflicts: 0,
    delay: 0,
  }),
  initial: 'validating',
  on: {
    'environment.changed': { actions: withEvent('setOnline') },
    'upload.cancel': '.canceled',
  },
  states: {
    validating: {
      description: 'Files that violate the bucket’s restrictions are not sent.',
      always: [
        { guard: 'isInvalid', target: 'failed', actions: 'setValidationFailure' },
        { guard: 'shouldCheckName', target: 'checkingName' },
        { target: 'sending' },
      ],
    },
    checkingName: {
      description: 'Checks whether a file of this name exists, and finds a free name.',
      invoke: {
        id: 'checkName',
        src: 'checkName',
        input: ({ context: { info } }) => ({ bucket: info.bucket, path: info.path }),
      },
      on: {
        'name.taken': { target: 'resolvingConflict', actions: withEvent('setFreeName') },
        'name.free': 'nameNotFound',
        'name.unknown': 'nameNotFound',
        'upload.pause': 'paused',
        'port.broken': { target: 'failed', actions: withEvent('setFailure') },
      },
      after: { checkNameTimeout: 'nameNotFound' },
    },
    nameNotFound: {
      description: 'No file of this name was found. After an earlier conflict, picks a new name anyway.',
      always: [
        { guard: 'hasConflicts', target: 'resolvingConflict', actions: 'inventFreeName' },
        { target: 'sending' },
      ],
    },
    resolvingConflict: {
      description: 'A file of this name exists: an earlier answer for all files may apply.',
      always: [
        { guard: hasAnswer('skip'), target: 'skipped' },
        { guard: hasAnswer('keepBoth'), target: 'sending', actions: 'useFreeName' },
        { guard: hasAnswer('replace'), target: 'sending' },
        { target: 'asking' },
      ],
    },
    asking: {
      description: 'The user chooses: replace it, keep both, or skip this file.',
      entry: notifyPhase('needsInput'),
      on: {
        'upload.answer': [
          { guard: isAnswer('skip'), target: 'skipped' },
          { guard: isAnswer('keepBoth'), target: 'ready', actions: [withEvent('setAnswer'), 'useFreeName'] },
          { target: 'ready', actions: withEvent('setAnswer') },
        ],
      },
    },
    paused: {
      description: 'Paused by the user; uses no slot.',
      entry: notifyPhase('needsInput'),
      on: { 'upload.resume': 'ready' },
    },
    ready: {
      description: 'Waits for an upload slot.',
      entry: notifyPhase('ready'),
      on: { 'upload.granted': 'sending', 'upload.pause': 'paused' },
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
      initial: 'progressing',
      states: {
        progressing: { after: { stallWarning: { guard: 'reportsProgress', target: 'stalled' } } },
        stalled: {
          description: 'No progress for a while: reported, and aborted after a minute.',
          after: {
            stallTimeout: [
              {
                guard: { type: 'mustWaitForNetwork', params: { failure: stalledFailure } },
                target: '#upload.waitingForNetwork',
              },
              {
                guard: { type: 'canRetry', params: { failure: stalledFailure } },
                target: '#upload.backingOff',
                actions: { type: 'planRetry', params: { failure: stalledFailure } },
              },
              {
                target: '#upload.failed',
                actions: { type: 'setFailure', params: { failure: stalledFailure } },
              },
            ],
          },
        },
      },
      on: {
        'transfer.progressed': { target: '.progressing', actions: withEvent('setProgress') },
        'transfer.done': 'done',
        'transfer.conflicted': [
          {
            guard: 'hasTooManyConflicts',
            target: 'failed',
            actions: { type: 'setFailure', params: { failure: nameTaken } },
          },
          { target: 'checkingName', actions: 'countConflict' },
        ],
        'transfer.failed': [
          { guard: withEvent('mustWaitForNetwork'), target: 'waitingForNetwork' },
          { guard: withEvent('canRetry'), target: 'backingOff', actions: withEvent('planRetry') },
          { target: 'failed', actions: withEvent('setFailure') },
        ],
        'upload.pause': 'paused',
        'port.broken': { target: 'failed', actions: withEvent('setFailure') },
      },
    },
    backingOff: {
      description: 'A transient failure; waits before the next attempt.',
      after: { retryDelay: 'sending' },
      on: { 'upload.pause': 'paused' },
    },
    waitingForNetwork: {
      description: 'The device is offline: the upload waits and does not fail.',
      always: { guard: 'isOnline', target: 'sending' },
      on: { 'upload.pause': 'paused' },
    },
    // The parent stops a settled upload immediately. These four are not final states, because each would leave
    // a done event type with this actor's id behind forever.
    done: { entry: { type: 'settle', params: { kind: 'done' } }, on: { '*': {} } },
    failed: { entry: { type: 'settle', params: { kind: 'failed' } }, on: { '*': {} } },
    skipped: { entry: { type: 'settle', params: { kind: 'skipped' } }, on: { '*': {} } },
    canceled: { entry: { type: 'settle', params: { kind: 'canceled' } }, on: { '*': {} } },
  },
})
