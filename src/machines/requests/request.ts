// One HTTP request: waits until it may be sent, is sent, reauthorized once, retried where safe, and settled.
import { assign, sendParent, sendTo, setup } from 'xstate'
import { planRetry } from '../backoff.ts'
import { timedOut, type Failure } from '../failure.ts'
import type { AuthGate, Blocker } from '../session/gate.ts'
import { eventParams } from '../event-params.ts'
import { send, type SendEvent } from '../ports.ts'
import {
  aborted,
  attemptTime,
  bodySpent,
  notSignedIn,
  noToken,
  pastDeadline,
  rateLimited,
  sessionEnded,
  wholeTime,
  type PhaseChange,
  type RequestReport,
  type RequestEvent,
} from './request-info.ts'
import {
  canRetry,
  canRetryAnswer,
  identityFor,
  isComplete,
  isRetryPastDeadline,
  isStale,
  requestBlocker,
  tokenFor,
  type Answered,
  type RequestContext,
  type RequestInput,
} from './request-rules.ts'

const attemptTimedOut = timedOut('The request')
const setFailure = (failure: Failure) => ({ type: 'setFailure', params: { failure } }) as const
const notifyPhase = (type: PhaseChange['type']) => ({ type: 'notifyPhase', params: { type } }) as const
const isBlockedBy = (blocker: Blocker) => ({ type: 'isBlockedBy', params: { blocker } }) as const

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
    retryDelay: ({ context }) => context.delay,
  },
  guards: {
    isBlockedBy: ({ context }, params: { blocker: Blocker }) => requestBlocker(context) === params.blocker,
    isGateSettled: ({ context }) => requestBlocker(context) !== 'token',
    isBlocked: ({ context }) => requestBlocker(context) !== 'none',
    canSend: ({ context }) => context.granted && requestBlocker(context) === 'none',
    isComplete: (_, answer: Answered) => isComplete(answer),
    isStale: ({ context }, answer: Answered) => isStale(context, answer),
    isStaleStream: ({ context }, answer: Answered) =>
      context.info.streamed === true && isStale(context, answer),
    isRetryPastDeadline: ({ context }, answer: Answered) =>
      canRetryAnswer(context, answer) && isRetryPastDeadline(context, answer),
    canRetryAnswer: ({ context }, answer: Answered) => canRetryAnswer(context, answer),
    canRetry: ({ context }, params: { failure: Failure }) => canRetry(context, params.failure),
    isStreaming: (_, answer: Answered) => answer.streaming === true,
    hasDeadline: ({ context }) => context.status === undefined || context.info.deadline !== undefined,
  },
  actions: {
    setGate: assign((_, params: { gate: AuthGate }) => ({ gate: params.gate })),
    setOnline: assign((_, params: { online: boolean }) => ({ online: params.online })),
    takeSlot: assign({ granted: true }),
    releaseSlot: assign({ granted: false }),
    setIdentity: assign(({ context }) => ({ identity: identityFor(context) })),
    startAttempt: assign(({ context }) => ({ attempt: context.attempt + 1, sentWith: tokenFor(context) })),
    planRetry: assign(({ context }, params: { retryAfter?: number }) => {
      const { attempt, seed, timings } = context
      const { backoffMin: min, backoffMax: max } = timings
      return planRetry({ attempt, seed, min, max, retryAfter: params.retryAfter })
    }),
    setRejected: assign(({ context }) => ({ rejected: context.sentWith })),
    setStatus: assign((_, { status, faultId }: Pick<Answered, 'status' | 'faultId'>) => ({
      status,
      faultId,
    })),
    setFailure: assign((_, params: { failure: Failure }) => ({ failure: params.failure })),
    setTimeoutFailure: assign(({ context }) => ({
      failure: requestBlocker(context) === 'token' ? noToken(context.gate, context.online) : pastDeadline,
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
    notifyTokenRejected: sendParent(({ context }) => {
      return { type: 'token.rejected', tokenId: context.sentWith ?? '' } satisfies RequestReport
    }),
    notifyPhase: sendParent(({ context }, params: { type: PhaseChange['type'] }) => {
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
  initial: 'checkingGate',
  after: { deadline: { guard: 'hasDeadline', target: '.failed', actions: 'setTimeoutFailure' } },
  on: {
    'request.abort': {
      target: '.failed',
      actions: { type: 'setFailure', params: ({ event }) => ({ failure: aborted(event.reason) }) },
    },
    'gate.changed': { actions: { type: 'setGate', params: eventParams } },
    'environment.changed': { actions: { type: 'setOnline', params: eventParams } },
  },
  states: {
    checkingGate: {
      description: 'Whether the request may be sent now, and if not, why.',
      entry: 'setIdentity',
      always: [
        // First, because this is nearly always the case and needs no other check.
        { guard: 'canSend', target: 'exchanging' },
        { guard: isBlockedBy('ended'), target: 'failed', actions: setFailure(sessionEnded) },
        { guard: isBlockedBy('signIn'), target: 'failed', actions: setFailure(notSignedIn) },
        { guard: isBlockedBy('token'), target: 'awaitingToken' },
        { target: 'queued' },
      ],
    },
    awaitingToken: {
      description:
        'Booting, or signed in without a live token. The request is never sent anonymously by accident.',
      entry: ['releaseSlot', notifyPhase('request.waiting')],
      always: { guard: 'isGateSettled', target: 'checkingGate' },
      after: { tokenTimeout: { target: 'failed', actions: 'setTimeoutFailure' } },
    },
    queued: {
      description: 'The maximum number of concurrent requests is reached.',
      entry: notifyPhase('request.queued'),
      always: { guard: 'isBlocked', target: 'checkingGate' },
      on: { 'request.granted': { target: 'checkingGate', actions: 'takeSlot' } },
    },
    exchanging: {
      entry: 'startAttempt',
      invoke: {
        id: 'send',
        src: 'send',
        input: ({ context: { info, sentWith, attempt } }) => ({ id: info.id, tokenId: sentWith, attempt }),
      },
      always: { guard: isBlockedBy('ended'), target: 'failed', actions: setFailure(aborted('signed_out')) },
      initial: 'sending',
      states: {
        sending: {
          after: {
            requestTimeout: [
              {
                guard: { type: 'canRetry', params: { failure: attemptTimedOut } },
                target: '#request.backingOff',
                actions: { type: 'planRetry', params: {} },
              },
              { target: '#request.failed', actions: setFailure(attemptTimedOut) },
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
          {
            guard: { type: 'isComplete', params: eventParams },
            target: 'answered',
            actions: { type: 'setStatus', params: eventParams },
          },
          {
            guard: { type: 'isStaleStream', params: eventParams },
            target: 'failed',
            actions: ['notifyTokenRejected', setFailure(bodySpent)],
          },
          {
            guard: { type: 'isStale', params: eventParams },
            target: 'reauthorizing',
            actions: ['setRejected', 'notifyTokenRejected'],
          },
          {
            guard: { type: 'isRetryPastDeadline', params: eventParams },
            target: 'failed',
            actions: { type: 'setFailure', params: ({ event }) => ({ failure: rateLimited(event) }) },
          },
          {
            guard: { type: 'canRetryAnswer', params: eventParams },
            target: 'backingOff',
            actions: { type: 'planRetry', params: eventParams },
          },
          {
            guard: { type: 'isStreaming', params: eventParams },
            target: '.receiving',
            actions: [{ type: 'setStatus', params: eventParams }, notifyPhase('request.receiving')],
          },
          { target: 'answered', actions: { type: 'setStatus', params: eventParams } },
        ],
        'send.failed': [
          {
            guard: { type: 'canRetry', params: eventParams },
            target: 'backingOff',
            actions: { type: 'planRetry', params: ({ event }) => event.failure },
          },
          { target: 'failed', actions: { type: 'setFailure', params: eventParams } },
        ],
        'body.ended': 'answered',
        'body.failed': { target: 'failed', actions: { type: 'setFailure', params: eventParams } },
        'port.broken': { target: 'failed', actions: { type: 'setFailure', params: eventParams } },
      },
    },
    reauthorizing: {
      description: 'The server rejected a token that should be live; a new one is requested, once.',
      entry: ['releaseSlot', notifyPhase('request.waiting')],
      always: [
        {
          guard: isBlockedBy('ended'),
          target: 'answered',
          actions: { type: 'setStatus', params: { status: 401 } },
        },
        { guard: 'isGateSettled', target: 'checkingGate' },
      ],
      after: {
        tokenTimeout: { target: 'answered', actions: { type: 'setStatus', params: { status: 401 } } },
      },
    },
    backingOff: {
      description: 'A transient failure of a call that is safe to retry; waits before the next attempt.',
      entry: ['releaseSlot', notifyPhase('request.waiting')],
      always: { guard: isBlockedBy('ended'), target: 'checkingGate' },
      after: { retryDelay: 'checkingGate' },
    },
    // The parent stops a settled request immediately. `answered` and `failed` are not final states, because
    // each would leave a done event type with this actor's id behind forever.
    answered: { entry: 'settle', on: { '*': {} } },
    failed: { entry: 'settle', on: { '*': {} } },
  },
})
