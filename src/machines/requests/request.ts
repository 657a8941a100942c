// One HTTP request: waits until it may be sent, is sent, reauthorized once, retried where safe, and settled.
import { assign, enqueueActions, sendParent, sendTo, setup } from 'xstate'
import type { KeyReport } from '../api-key.ts'
import { planRetry } from '../backoff.ts'
import {
  aborted,
  type AbortReason,
  type AccessRefusal,
  isKeyRefusal,
  isRetryable,
  keyFailure,
  type KeyRefusal,
  timedOut,
  type Failure,
} from '../failure.ts'
import {
  type AuthGate,
  type Blocker,
  ANONYMOUS,
  blockerOf,
  identityOf,
  keyRefusalOf,
  tokenOf,
  type Access,
  type AuthGateEvent,
} from '../session/gate.ts'
import { withEvent } from '../with-event.ts'
import { send, type SendEvent } from '../ports.ts'
import { MAX_REQUEST_ATTEMPTS, type Timings, SLOW_BYTES_PER_MS, STREAM_SENDING_TIME } from '../timings.ts'

export type Priority = 'high' | 'normal' | 'low'

/** The data of a call known to the machines; its body and headers stay in the services under `id`. */
export interface RequestInfo {
  readonly id: string
  readonly family: 'rest' | 'storage' | 'functions' | 'auth' | 'realtime' | 'other'
  readonly method: string
  /** Path and query without secrets; for display and traces, never sent. */
  readonly path: string
  /** Defaults to the identity that is signed in after booting. */
  readonly access?: Access
  readonly priority?: Priority
  /** Timeout of one attempt, in milliseconds. */
  readonly timeout?: number
  /** Timeout of the whole call, including a streamed response, in milliseconds. */
  readonly deadline?: number
  /** The response may take any time, unless `timeout` or `deadline` is set. */
  readonly unbounded?: boolean
  /** Whether it may be sent twice: true with an idempotency key, false without retries; else by its method. */
  readonly repeatable?: boolean
  /** The body is a stream and can be sent only once. */
  readonly streamed?: boolean
  /** Size of a large body. */
  readonly bytes?: number
  /** A newer request with the same key aborts this one. */
  readonly supersede?: string
}

/** The phase of a request: `receiving` when its headers have arrived and its body still streams. */
export type RequestPhase = 'queued' | 'waiting' | 'sending' | 'receiving'

/**
 * The outcome of a request: the status of a response (including HTTP errors), why it was refused and the fault it
 * names, or a failure without a response.
 */
export type RequestOutput =
  | {
      readonly id: string
      readonly status: number
      readonly refusal?: AccessRefusal
      readonly faultId?: string
    }
  | { readonly id: string; readonly failure: Failure }

/** Events that a running request sends to the client. */
export type RequestReport =
  | { readonly type: 'request.queued'; readonly id: string }
  | { readonly type: 'request.waiting'; readonly id: string }
  /** The response of an unbounded request takes long. */
  | { readonly type: 'request.slow'; readonly id: string }
  /** The headers have arrived; the body follows. */
  | { readonly type: 'request.receiving'; readonly id: string }
  /** A token that should be live was rejected. */
  | { readonly type: 'token.rejected'; readonly tokenId: string }
  | KeyReport
  | { readonly type: 'request.settled'; readonly output: RequestOutput }

/** Reports the current phase of a request. */
export type PhaseChange = Extract<RequestReport, { id: string }>

/** Events that a request receives. */
export type RequestEvent =
  | AuthGateEvent
  | { readonly type: 'environment.changed'; readonly online: boolean }
  /** It may be sent now. */
  | { readonly type: 'request.granted' }
  | { readonly type: 'request.abort'; readonly reason?: AbortReason }

const sessionEnded: Failure = {
  kind: 'auth',
  code: 'session_ended',
  message: 'The session ended before the request was sent.',
}
export const notSignedIn: Failure = {
  kind: 'auth',
  code: 'not_signed_in',
  message: 'Sign in first: this requires a session.',
}
const bodySpent: Failure = {
  kind: 'auth',
  code: 'body_spent',
  status: 401,
  message:
    'The token was refreshed, but the request body is a stream and cannot be sent twice. Send it again.',
}

const pastDeadline: Failure = { ...timedOut('The request'), code: 'deadline' }

const rateLimited = ({
  status,
  retryAfter = 0,
}: {
  readonly status: number
  readonly retryAfter?: number
}): Failure => ({
  kind: 'rateLimit',
  status,
  retryAfter,
  message: `The backend is rate limiting requests. Try again in ${Math.ceil(retryAfter)} s.`,
})

export const brokenOff: Failure = {
  kind: 'network',
  message: 'The connection broke before the response was complete.',
}

/** Why there was no live token in time. */
function noToken(gate: AuthGate, isOnline: boolean): Failure {
  if (gate.kind === 'booting') {
    return { kind: 'timeout', code: 'not_ready', message: 'The stored session could not be read in time.' }
  }
  return isOnline
    ? {
        kind: 'timeout',
        code: 'no_live_token',
        message: 'No live access token was available in time, so the request was not sent.',
      }
    : {
        kind: 'network',
        code: 'blocked_offline',
        message:
          'You are offline and the session must be refreshed first. Nothing was sent. Try again when online.',
      }
}

const sendingTime = ({ bytes = 0, streamed }: RequestInfo) =>
  streamed ? STREAM_SENDING_TIME : bytes / SLOW_BYTES_PER_MS

const attemptTime = (info: RequestInfo, timings: Timings): number =>
  info.timeout ?? timings.requestTimeout + sendingTime(info)

const wholeTime = (info: RequestInfo, timings: Timings): number =>
  info.deadline ?? timings.requestDeadline + sendingTime(info)

/** Methods of requests that change nothing. */
export const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Whether the request may be sent twice. PUT and DELETE may not, although HTTP defines them as idempotent: if
 * the first response was lost, the second attempt reports that there is nothing to delete, or overwrites what
 * another user wrote in between.
 */
export const isRepeatable = ({ method, repeatable, streamed }: RequestInfo): boolean =>
  !streamed && (repeatable ?? SAFE_METHODS.has(method))

export interface RequestInput {
  readonly info: RequestInfo
  readonly timings: Timings
  readonly gate: AuthGate
  readonly online: boolean
  /** The request holds a concurrency slot. */
  readonly granted: boolean
  readonly seed: number
}

export interface RequestContext extends RequestInput {
  /** The identity of the request, fixed by the first open gate. */
  readonly identity: string | undefined
  readonly attempt: number
  readonly delay: number
  readonly status: number | undefined
  readonly refusal: AccessRefusal | undefined
  readonly faultId: string | undefined
  /** The token of the current attempt. */
  readonly sentWith: string | undefined
  /** The token that was rejected with 401. */
  readonly rejected: string | undefined
  readonly failure: Failure | undefined
}

export type Answered = Extract<SendEvent, { type: 'send.answered' }>

const requestBlocker = ({ gate, info: { access }, identity, rejected }: RequestContext): Blocker =>
  blockerOf(gate, { access, identity, rejected })

const identityFor = ({ gate, info, identity }: RequestContext): string | undefined =>
  identity ?? (info.access === 'public' ? ANONYMOUS : identityOf(gate))

/** A request that began anonymously stays anonymous, even if a user has signed in since. */
const tokenFor = ({ gate, identity }: RequestContext): string | undefined =>
  identity === ANONYMOUS ? undefined : tokenOf(gate)

const canRetry = ({ attempt, info }: RequestContext, failure: Failure): boolean =>
  attempt < MAX_REQUEST_ATTEMPTS && isRepeatable(info) && isRetryable(failure)

const canRetryAnswer = (context: RequestContext, { status }: Answered): boolean =>
  canRetry(context, { kind: status === 429 ? 'rateLimit' : 'server', status, message: '' })

/** A complete response that needs no retry. */
const isComplete = ({ status, streaming }: Answered): boolean => status < 400 && streaming !== true

/** The server's `Retry-After` would end after the deadline. */
const isRetryPastDeadline = (
  { info, timings }: RequestContext,
  { retryAfter = 0, waited = 0 }: Answered,
): boolean => retryAfter * 1000 > wholeTime(info, timings) - waited

/** Our token was rejected for the first time, and a new one can be requested. */
export function isStale({ gate, info, sentWith, rejected }: RequestContext, answer: Answered): boolean {
  // A response without a word (to a HEAD request, for example) may be about our token, unless it is a function's.
  const isRefused =
    answer.refusal === undefined
      ? answer.status === 401 && info.family !== 'functions'
      : answer.refusal === 'tokenExpired' || answer.refusal === 'tokenRejected'
  const isBroken = gate.kind === 'user' && gate.breaker === 'open'
  return isRefused && sentWith !== undefined && rejected === undefined && !isBroken
}

/** Why no token can be had: the auth server refuses the API key. */
const tokenKeyRefusal = (context: RequestContext): KeyRefusal | undefined =>
  requestBlocker(context) === 'token' ? keyRefusalOf(context.gate, 'auth') : undefined

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
    isTokenOutOfReach: ({ context }) => tokenKeyRefusal(context) !== undefined,
    isKeyRefused: (_, { refusal }: Answered) => isKeyRefusal(refusal),
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
    isUnbounded: ({ context: { info } }) => info.unbounded === true && info.timeout === undefined,
    /** While an unbounded request is being sent, only a deadline of the app ends it. */
    hasDeadline: ({ context: { info, status, granted } }) =>
      info.deadline !== undefined || (status === undefined && !(granted && info.unbounded === true)),
  },
  actions: {
    setGate: assign(({ context }, { gate }: { gate: AuthGate }) => ({
      gate,
      identity: identityFor({ ...context, gate }),
    })),
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
    setStatus: assign(
      (_, { status, refusal, faultId }: Pick<Answered, 'status' | 'refusal' | 'faultId'>) => ({
        status,
        refusal,
        faultId,
      }),
    ),
    setKeyFailure: assign(({ context }) => ({
      failure: keyFailure(tokenKeyRefusal(context) ?? 'keyRejected'),
    })),
    setFailure: assign((_, params: { failure: Failure }) => ({ failure: params.failure })),
    setTimeoutFailure: assign(({ context }) => ({
      failure: requestBlocker(context) === 'token' ? noToken(context.gate, context.online) : pastDeadline,
    })),
    checkBody: sendTo('send', { type: 'body.check' }),
    settle: sendParent(({ context: { info, status, refusal, failure, faultId } }) => {
      const { id } = info
      const output =
        failure !== undefined || status === undefined
          ? { id, failure: failure ?? aborted() }
          : { id, status, ...(refusal && { refusal }), ...(faultId && { faultId }) }
      return { type: 'request.settled', output } satisfies RequestReport
    }),
    /** Reports a refused key, and one that a service accepts again. */
    notifyKey: enqueueActions(({ context: { info, gate, refusal }, enqueue }) => {
      const { family } = info
      if (family === 'other') return
      if (isKeyRefusal(refusal))
        enqueue.sendParent({ type: 'key.refused', family, refusal } satisfies RequestReport)
      else if (keyRefusalOf(gate, family))
        enqueue.sendParent({ type: 'key.accepted', family } satisfies RequestReport)
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
    refusal: undefined,
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
    'gate.changed': { actions: withEvent('setGate') },
    'environment.changed': { actions: withEvent('setOnline') },
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
        { guard: 'isTokenOutOfReach', target: 'failed', actions: 'setKeyFailure' },
        { guard: isBlockedBy('token'), target: 'awaitingToken' },
        { target: 'queued' },
      ],
    },
    awaitingToken: {
      description:
        'Booting, or signed in without a live token. The request is never sent anonymously by accident.',
      entry: ['releaseSlot', notifyPhase('request.waiting')],
      always: [
        { guard: 'isGateSettled', target: 'checkingGate' },
        { guard: 'isTokenOutOfReach', target: 'failed', actions: 'setKeyFailure' },
      ],
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
              { guard: 'isUnbounded', target: 'slow', actions: notifyPhase('request.slow') },
              {
                guard: { type: 'canRetry', params: { failure: attemptTimedOut } },
                target: '#request.backingOff',
                actions: { type: 'planRetry', params: {} },
              },
              { target: '#request.failed', actions: setFailure(attemptTimedOut) },
            ],
          },
        },
        slow: {
          description: 'The response takes long, which is usual for functions and procedures. Holds no slot.',
        },
        receiving: {
          description: 'The app has the response and reads its body as it arrives.',
          after: { bodyCheck: { target: 'receiving', reenter: true, actions: 'checkBody' } },
        },
      },
      on: {
        'send.answered': [
          { guard: withEvent('isComplete'), target: 'answered', actions: withEvent('setStatus') },
          { guard: withEvent('isKeyRefused'), target: 'answered', actions: withEvent('setStatus') },
          {
            guard: withEvent('isStaleStream'),
            target: 'failed',
            actions: ['notifyTokenRejected', setFailure(bodySpent)],
          },
          {
            guard: withEvent('isStale'),
            target: 'reauthorizing',
            actions: ['setRejected', 'notifyTokenRejected'],
          },
          {
            guard: withEvent('isRetryPastDeadline'),
            target: 'failed',
            actions: { type: 'setFailure', params: ({ event }) => ({ failure: rateLimited(event) }) },
          },
          { guard: withEvent('canRetryAnswer'), target: 'backingOff', actions: withEvent('planRetry') },
          {
            guard: withEvent('isStreaming'),
            target: '.receiving',
            actions: [withEvent('setStatus'), notifyPhase('request.receiving')],
          },
          { target: 'answered', actions: withEvent('setStatus') },
        ],
        'send.failed': [
          {
            guard: withEvent('canRetry'),
            target: 'backingOff',
            actions: { type: 'planRetry', params: ({ event }) => event.failure },
          },
          { target: 'failed', actions: withEvent('setFailure') },
        ],
        'body.ended': 'answered',
        'body.failed': { target: 'failed', actions: withEvent('setFailure') },
        'port.broken': { target: 'failed', actions: withEvent('setFailure') },
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
        {
          guard: 'isTokenOutOfReach',
          target: 'answered',
          actions: { type: 'setStatus', params: { status: 401 } },
        },
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
    answered: { entry: ['notifyKey', 'settle'], on: { '*': {} } },
    failed: { entry: 'settle', on: { '*': {} } },
  },
})
