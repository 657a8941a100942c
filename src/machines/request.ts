// One HTTP request: waits until it may be sent, is sent, reauthorized once, retried where safe, and settled.
import { assign, sendParent, sendTo, setup } from 'xstate'
import { planRetry } from './backoff.ts'
import { timedOut, type Failure } from './failure.ts'
import type { AuthGate, Blocker } from './gate.ts'
import { eventParams } from './event-params.ts'
import { send, type SendEvent } from './ports.ts'
import {
  aborted,
  askedToWait,
  attemptTime,
  bodySpent,
  notSignedIn,
  noToken,
  pastDeadline,
  sessionEnded,
  wholeTime,
  type Moved,
  type RequestReport,
  type RequestEvent,
} from './request-info.ts'
import {
  canRetry,
  canRetryAnswer,
  hurdleOf,
  identityFor,
  isFarOff,
  isGood,
  isStale,
  tokenFor,
  type Answered,
  type RequestContext,
  type RequestInput,
} from './request-rules.ts'

/** Transitions and actions used in several states. */
const facing = (hurdle: Blocker) => ({ type: 'faces', params: { hurdle } }) as const
const keep = (failure: Failure) => ({ type: 'keepFailure', params: { failure } }) as const
const fail = (failure: Failure) => ({ target: 'failed', actions: keep(failure) }) as const
const keepTold = { type: 'keepFailure', params: eventParams<{ failure: Failure }> } as const
const failAsTold = { target: 'failed', actions: keepTold } as const
const unauthorised = { type: 'send.answered', status: 401 } as const
const refused = { target: 'answered', actions: { type: 'keepStatus', params: unauthorised } } as const
const tooLate = timedOut('The request')
const toldAnswer = eventParams<Answered>
const keepAnswer = { type: 'keepStatus', params: toldAnswer } as const
/**
 * Its parent stops it immediately; a final state would leave a done event type with this actor's id behind
 * forever.
 */
const over = { entry: 'settle', on: { '*': {} } } as const
/** Releases its concurrency slot. */
const stepBack = [
  { type: 'keepGranted', params: { granted: false } },
  { type: 'tell', params: { type: 'request.waiting' } },
] as const

export const requestMachine = setup({
  types: {
    context: {} as RequestContext,
    events: {} as RequestEvent | SendEvent,
    input: {} as RequestInput,
  },
  actors: { send },
  delays: {
    tokenTimeout: ({ context }) => context.timings.tokenTimeout,
    requestTimeout: ({ context }) => attemptTime(context.info, context.timings),
    deadline: ({ context }) => wholeTime(context.info, context.timings),
    bodyCheck: ({ context }) => context.timings.bodyCheck,
    pause: ({ context }) => context.delay,
  },
  guards: {
    faces: ({ context }, params: { hurdle: Blocker }) => hurdleOf(context) === params.hurdle,
    isDecided: ({ context }) => hurdleOf(context) !== 'token',
    isHindered: ({ context }) => hurdleOf(context) !== 'none',
    isFree: ({ context }) => context.granted && hurdleOf(context) === 'none',
    isGood: (_, answer: Answered) => isGood(answer),
    isStale: ({ context }, answer: Answered) => isStale(context, answer),
    isStaleStream: ({ context }, answer: Answered) =>
      context.info.streamed === true && isStale(context, answer),
    isFarOff: ({ context }, answer: Answered) => canRetryAnswer(context, answer) && isFarOff(context, answer),
    canRetryAnswer: ({ context }, answer: Answered) => canRetryAnswer(context, answer),
    canRetry: ({ context }, params: { failure: Failure }) => canRetry(context, params.failure),
    isStreaming: (_, answer: Answered) => answer.streaming === true,
    isUnderDeadline: ({ context }) => context.status === undefined || context.info.deadline !== undefined,
  },
  actions: {
    keepGate: assign((_, params: { gate: AuthGate }) => ({ gate: params.gate })),
    keepOnline: assign((_, params: { online: boolean }) => ({ online: params.online })),
    keepGranted: assign((_, params: { granted: boolean }) => params),
    fixIdentity: assign(({ context }) => ({ identity: identityFor(context) })),
    startAttempt: assign(({ context }) => ({ attempt: context.attempt + 1, sentWith: tokenFor(context) })),
    planRetry: assign(({ context }, params: { retryAfter?: number }) => {
      const { attempt, seed, timings } = context
      const { backoffMin: min, backoffMax: max } = timings
      return planRetry({ attempt, seed, min, max, retryAfter: params.retryAfter })
    }),
    keepRejected: assign(({ context }) => ({ rejected: context.sentWith })),
    keepStatus: assign((_, { status, faultId }: Answered) => ({ status, faultId })),
    keepFailure: assign((_, params: { failure: Failure }) => ({ failure: params.failure })),
    keepLate: assign(({ context }) => ({
      failure: hurdleOf(context) === 'token' ? noToken(context.gate, context.online) : pastDeadline,
    })),
    checkBody: sendTo('send', { type: 'body.check' }),
    settle: sendParent(({ context: { info, status, failure, faultId } }) => {
      const { id } = info
      const output =
        failure !== undefined || status === undefined
          ? { id, failure: failure ?? aborted() }
          : { id, status, ...(faultId && { faultId }) }
      return { type: 'request.settled', output } satisfies RequestReport
    }),
    tellRejected: sendParent(({ context }) => {
      return { type: 'token.rejected', tokenId: context.sentWith ?? '' } satisfies RequestReport
    }),
    tell: sendParent(({ context }, params: { type: Moved['type'] }) => {
      return { type: params.type, id: context.info.id } satisfies RequestReport
    }),
  },
}).createMachine({
  id: 'request',
  context: ({ input }) => ({
    ...input,
    identity: undefined,
    attempt: 0,
    delay: 0,
    status: undefined,
    faultId: undefined,
    sentWith: undefined,
    rejected: undefined,
    failure: undefined,
  }),
  initial: 'gating',
  after: { deadline: { guard: 'isUnderDeadline', target: '.failed', actions: 'keepLate' } },
  on: {
    'request.abort': {
      target: '.failed',
      actions: { type: 'keepFailure', params: ({ event }) => ({ failure: aborted(event.reason) }) },
    },
    'gate.changed': { actions: { type: 'keepGate', params: eventParams } },
    'environment.changed': { actions: { type: 'keepOnline', params: eventParams } },
  },
  states: {
    gating: {
      entry: 'fixIdentity',
      always: [
        // First, because this is nearly always the case and needs no other check.
        { guard: 'isFree', target: 'exchanging' },
        { guard: facing('ended'), ...fail(sessionEnded) },
        { guard: facing('signIn'), ...fail(notSignedIn) },
        { guard: facing('token'), target: 'awaitingToken' },
        { target: 'queued' },
      ],
    },
    awaitingToken: {
      description:
        'Booting, or signed in without a live token. The request is never sent anonymously by accident.',
      entry: stepBack,
      always: { guard: 'isDecided', target: 'gating' },
      after: { tokenTimeout: { target: 'failed', actions: 'keepLate' } },
    },
    queued: {
      description: 'The maximum number of concurrent requests is reached.',
      entry: { type: 'tell', params: { type: 'request.queued' } },
      always: { guard: 'isHindered', target: 'gating' },
      on: {
        'request.granted': { target: 'gating', actions: { type: 'keepGranted', params: { granted: true } } },
      },
    },
    exchanging: {
      entry: 'startAttempt',
      invoke: {
        id: 'send',
        src: 'send',
        input: ({ context: { info, sentWith, attempt } }) => ({ id: info.id, tokenId: sentWith, attempt }),
      },
      always: { guard: facing('ended'), ...fail(aborted('signed_out')) },
      initial: 'sending',
      states: {
        sending: {
          after: {
            requestTimeout: [
              {
                guard: { type: 'canRetry', params: { failure: tooLate } },
                target: '#request.pausing',
                actions: { type: 'planRetry', params: {} },
              },
              { target: '#request.failed', actions: keep(tooLate) },
            ],
          },
        },
        receiving: {
          description: 'The app has the response and reads its body as it arrives.',
          after: { bodyCheck: { target: 'receiving', reenter: true, actions: 'checkBody' } },
        },
      },
      on: {
        'send.answered': [
          { guard: { type: 'isGood', params: toldAnswer }, target: 'answered', actions: keepAnswer },
          {
            guard: { type: 'isStaleStream', params: toldAnswer },
            target: 'failed',
            actions: ['tellRejected', keep(bodySpent)],
          },
          {
            guard: { type: 'isStale', params: toldAnswer },
            target: 'reauthorising',
            actions: ['keepRejected', 'tellRejected'],
          },
          {
            guard: { type: 'isFarOff', params: toldAnswer },
            target: 'failed',
            actions: { type: 'keepFailure', params: ({ event }) => ({ failure: askedToWait(event) }) },
          },
          {
            guard: { type: 'canRetryAnswer', params: toldAnswer },
            target: 'pausing',
            actions: { type: 'planRetry', params: toldAnswer },
          },
          {
            guard: { type: 'isStreaming', params: toldAnswer },
            target: '.receiving',
            actions: [keepAnswer, { type: 'tell', params: { type: 'request.receiving' } }],
          },
          { target: 'answered', actions: keepAnswer },
        ],
        'send.failed': [
          {
            guard: { type: 'canRetry', params: ({ event }) => event },
            target: 'pausing',
            actions: { type: 'planRetry', params: ({ event }) => event.failure },
          },
          failAsTold,
        ],
        'body.ended': 'answered',
        'body.failed': failAsTold,
        'port.broken': failAsTold,
      },
    },
    reauthorising: {
      description: 'The server rejected a token that should be live; a new one is requested, once.',
      entry: stepBack,
      always: [
        { guard: facing('ended'), ...refused },
        { guard: 'isDecided', target: 'gating' },
      ],
      after: { tokenTimeout: refused },
    },
    pausing: {
      description: 'A transient failure of a call that is safe to retry; pauses before the next attempt.',
      entry: stepBack,
      always: { guard: facing('ended'), target: 'gating' },
      after: { pause: 'gating' },
    },
    answered: over,
    failed: over,
  },
})
