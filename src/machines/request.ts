// One HTTP request: waits for the right to go out, is sent, re-authorised once, retried where safe, settled.
import { assign, sendParent, setup } from 'xstate'
import { backoff, pause } from './backoff.ts'
import { isRetryable, timedOut, type Failure } from './failure.ts'
import { identityOf, isOpen, tokenOf, type Gate, type GateEvent } from './gate.ts'
import { send, type SendEvent } from './ports.ts'
import type { Timings } from './timings.ts'

/** What the machines know of a call; its body and headers stay in the services under `id`. */
export interface RequestInfo {
  readonly id: string
  readonly family: 'rest' | 'storage' | 'functions' | 'other'
  readonly method: string
  /** Path and query, with secrets taken out; for people and traces, never sent. */
  readonly path: string
}

/** What a request tells the client while it runs. */
export type RequestReport =
  | { readonly type: 'request.sending' | 'request.waiting'; readonly id: string }
  /** A token that should be live was refused. */
  | { readonly type: 'token.rejected'; readonly tokenId: string }

/** How a request ended: with the status of an answer (an HTTP error is one) and the fault it names, or without any. */
export type RequestOutput =
  | { readonly id: string; readonly status: number; readonly faultId?: string }
  | { readonly id: string; readonly failure: Failure }

export interface RequestContext {
  readonly info: RequestInfo
  readonly timings: Timings
  readonly gate: Gate
  /** As whom the request goes out, fixed by the first open gate. */
  readonly identity: string | undefined
  readonly attempt: number
  readonly delay: number
  readonly seed: number
  readonly status: number | undefined
  readonly faultId: string | undefined
  /** The token of the attempt under way. */
  readonly sentWith: string | undefined
  /** The token that was refused with 401. */
  readonly rejected: string | undefined
  readonly failure: Failure | undefined
}

/** Two more tries after the first: enough for a blip, few enough not to be a load of their own. */
const MAX_ATTEMPTS = 3

const sessionEnded: Failure = {
  kind: 'auth',
  code: 'session_ended',
  message: 'The session ended before the request was sent.',
}
const aborted: Failure = { kind: 'aborted', message: 'The request was aborted.' }
const noToken: Failure = {
  kind: 'timeout',
  code: 'no_live_token',
  message: 'There was no live access token in time, and the request was not sent without one.',
}

export const requestMachine = setup({
  types: {
    context: {} as RequestContext,
    events: {} as GateEvent | SendEvent | { type: 'request.abort' },
    output: {} as RequestOutput,
    input: {} as { info: RequestInfo; timings: Timings; gate: Gate; seed: number },
  },
  actors: { send },
  delays: {
    tokenTimeout: ({ context }) => context.timings.tokenTimeout,
    requestTimeout: ({ context }) => context.timings.requestTimeout,
    pause: ({ context }) => context.delay,
  },
  guards: {
    isOpen: ({ context: { gate, rejected } }) =>
      isOpen(gate) && (rejected === undefined || tokenOf(gate) !== rejected),
    isSomebodyElse: ({ context }) => {
      const identity = identityOf(context.gate)
      return context.identity !== undefined && identity !== undefined && identity !== context.identity
    },
    isStaleToken: ({ context }, params: { status: number }) =>
      params.status === 401 &&
      context.rejected === undefined &&
      context.info.family !== 'functions' &&
      context.sentWith !== undefined,
    isRetryableAnswer: ({ context }, params: { status: number }) =>
      canRepeat(context) && isRetryable({ kind: 'server', status: params.status, message: '' }),
    isRetryableFailure: ({ context }, params: { failure: Failure }) =>
      canRepeat(context) && isRetryable(params.failure),
  },
  actions: {
    keepGate: assign((_, params: { gate: Gate }) => ({ gate: params.gate })),
    fixIdentity: assign(({ context }) => ({ identity: context.identity ?? identityOf(context.gate) })),
    startAttempt: assign(({ context }) => ({
      attempt: context.attempt + 1,
      sentWith: tokenOf(context.gate),
    })),
    planRetry: assign(({ context }, params: { retryAfter?: number }) => {
      const { backoffMin, backoffMax } = context.timings
      const { delay, seed } = pause(
        backoff(context.attempt, context.seed, backoffMin, backoffMax),
        params.retryAfter,
      )
      return { delay, seed }
    }),
    keepRejected: assign(({ context }) => ({ rejected: context.sentWith })),
    keepStatus: assign((_, { status, faultId }: { status: number; faultId?: string }) => ({
      status,
      faultId,
    })),
    keepFailure: assign((_, params: { failure: Failure }) => params),
    tellRejected: sendParent(({ context }) => {
      return { type: 'token.rejected', tokenId: context.sentWith ?? '' } satisfies RequestReport
    }),
    tellWaiting: sendParent(({ context }) => {
      return { type: 'request.waiting', id: context.info.id } satisfies RequestReport
    }),
    tellSending: sendParent(({ context }) => {
      return { type: 'request.sending', id: context.info.id } satisfies RequestReport
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
  output: ({ context }) =>
    context.status === undefined
      ? { id: context.info.id, failure: context.failure ?? aborted }
      : { id: context.info.id, status: context.status, ...(context.faultId && { faultId: context.faultId }) },
  initial: 'gating',
  on: {
    'request.abort': { target: '.failed', actions: { type: 'keepFailure', params: { failure: aborted } } },
    'gate.changed': { actions: { type: 'keepGate', params: ({ event }) => event } },
  },
  states: {
    gating: {
      entry: 'fixIdentity',
      always: [
        {
          guard: 'isSomebodyElse',
          target: 'failed',
          actions: { type: 'keepFailure', params: { failure: sessionEnded } },
        },
        { guard: 'isOpen', target: 'sending' },
        { target: 'awaitingToken' },
      ],
    },
    awaitingToken: {
      description: 'Booting, or signed in without a live token: never sent anonymously by accident.',
      entry: 'tellWaiting',
      after: {
        tokenTimeout: { target: 'failed', actions: { type: 'keepFailure', params: { failure: noToken } } },
      },
      on: {
        'gate.changed': { target: 'gating', actions: { type: 'keepGate', params: ({ event }) => event } },
      },
    },
    sending: {
      entry: ['startAttempt', 'tellSending'],
      invoke: {
        id: 'send',
        src: 'send',
        input: ({ context }) => ({
          id: context.info.id,
          tokenId: context.sentWith,
          attempt: context.attempt,
        }),
      },
      after: {
        requestTimeout: {
          target: 'failed',
          actions: { type: 'keepFailure', params: { failure: timedOut('The request') } },
        },
      },
      on: {
        'send.answered': [
          {
            guard: { type: 'isStaleToken', params: ({ event }) => event },
            target: 'reopening',
            actions: ['keepRejected', 'tellRejected'],
          },
          {
            guard: { type: 'isRetryableAnswer', params: ({ event }) => event },
            target: 'pausing',
            actions: { type: 'planRetry', params: ({ event }) => event },
          },
          { target: 'answered', actions: { type: 'keepStatus', params: ({ event }) => event } },
        ],
        'send.failed': [
          {
            guard: { type: 'isRetryableFailure', params: ({ event }) => event },
            target: 'pausing',
            actions: { type: 'planRetry', params: ({ event }) => event.failure },
          },
          { target: 'failed', actions: { type: 'keepFailure', params: ({ event }) => event } },
        ],
        'port.broken': { target: 'failed', actions: { type: 'keepFailure', params: ({ event }) => event } },
      },
    },
    reauthorising: {
      description: 'The server refused a token that should be live: once, a new one is asked for.',
      entry: 'tellWaiting',
      after: {
        tokenTimeout: { target: 'answered', actions: { type: 'keepStatus', params: { status: 401 } } },
      },
      on: {
        'gate.changed': { target: 'reopening', actions: { type: 'keepGate', params: ({ event }) => event } },
      },
    },
    reopening: {
      always: [
        {
          guard: 'isSomebodyElse',
          target: 'answered',
          actions: { type: 'keepStatus', params: { status: 401 } },
        },
        { guard: 'isOpen', target: 'sending' },
        { target: 'reauthorising' },
      ],
    },
    pausing: {
      description: 'A failure that may pass, of a call that is safe to repeat.',
      entry: 'tellWaiting',
      after: { pause: 'gating' },
    },
    answered: { type: 'final' },
    failed: { type: 'final' },
  },
})

/** Only calls that change nothing are repeated without the caller's word. */
function canRepeat({ attempt, info }: RequestContext): boolean {
  return attempt < MAX_ATTEMPTS && (info.method === 'GET' || info.method === 'HEAD')
}
