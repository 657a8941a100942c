// The context, events, guards, actions and delays of the channel machine, and what a refusal means.
import { assign, emit, enqueueActions, raise, sendParent, setup, stateIn } from 'xstate'
import { planRetry } from '../backoff.ts'
import type {
  ChannelCommand,
  ChannelMessage,
  ChannelOptions,
  PushSettled,
  TopicEvent,
} from './channel-events.ts'
import { wantsChanges } from './topic-uses.ts'
import { hasNewCredentials, isOpen, tokenOf, type AuthGate, type AuthGateEvent } from '../session/gate.ts'
import { resync, topic, type ResyncEvent } from '../ports.ts'
import type { ConnectionReport } from './connection.ts'
import type { Timings } from '../timings.ts'

/**
 * `token`: retry with another token. `denied`: retry only with another token, other options or on request.
 * `rateLimited`: retry after a long pause. `transient`: retry.
 */
export type RefusalKind = 'token' | 'denied' | 'rateLimited' | 'transient'

const TOKEN = /jwt|token has expired|signature_error|error_generating_signer/i
const DENIED =
  /unauthorized|not authorized|private[- ]?only|permission|mismatch|row-level security|TopicNameRequired|InvalidJoinPayload|Replay (params|is not allowed)/i
const RATE_LIMITED =
  /RateLimitReached|too many (messages|presence messages)|rate limit exceeded|size exceeded/i

export function classifyRefusal(reason: string): RefusalKind {
  if (TOKEN.test(reason)) return 'token'
  if (DENIED.test(reason)) return 'denied'
  return RATE_LIMITED.test(reason) ? 'rateLimited' : 'transient'
}

const CONFIGURATION =
  /subscription params|connect parameters|given parameters|does not exist|invalid|malformed|column|publication|filter/i

/** Whether row changes failed because of the requested configuration, so that a retry cannot help. */
const isConfigError = (reason: string): boolean => CONFIGURATION.test(reason)

/** Classifies the HTTP `status` of a request to the URL of a socket that never opened. */
export function classifyStatus(status: number): RefusalKind {
  if (status === 401 || status === 403) return 'denied'
  return status === 429 || status === 404 ? 'rateLimited' : 'transient'
}

/**
 * Events that a channel emits to the app directly: routing them through its parents would add two steps to
 * each message.
 */
export type ChannelEmitted =
  | { readonly type: 'channel.message'; readonly topic: string; readonly message: ChannelMessage }
  | { readonly type: 'channel.settled'; readonly topic: string; readonly settled: PushSettled }

/** Events that a channel sends to the client. */
export type ChannelReport =
  { readonly type: 'token.needed' } | { readonly type: 'token.rejected'; readonly tokenId: string }

export interface ChannelInput {
  readonly timings: Timings
  readonly topic: string
  readonly options: ChannelOptions
  readonly connected: boolean
  readonly gate: AuthGate
  readonly seed: number
}

export interface ChannelContext extends ChannelInput {
  /** Failed joins in a row. */
  readonly attempt: number
  /** Rejoins in a row to restore row changes. */
  readonly postgresAttempt: number
  /** Failed resyncs in a row. */
  readonly resyncAttempt: number
  readonly delay: number
  readonly reason: string | undefined
  /** The token in use at the last join. */
  readonly joinedWith: string | undefined
  /** The server rejected a token, and no join has succeeded since. */
  readonly hasRejected: boolean
  /** Presence state tracked by this client; sent again after each join. */
  readonly meta: Readonly<Record<string, unknown>> | undefined
  /** Ids of commands without an outcome yet. */
  readonly pending: readonly string[]
}

export type ChannelEvent =
  | ChannelCommand
  | Extract<ConnectionReport, { type: `connection.${string}` }>
  | AuthGateEvent
  | TopicEvent
  | ResyncEvent
  /** The merged options of the topic changed. */
  | { readonly type: 'channel.options'; readonly options: ChannelOptions }
  /** One more use joins the topic: a denied join is retried. */
  | { readonly type: 'channel.retry' }
  /** Sent from one region to the others. */
  | { readonly type: 'channel.joined' }
  | { readonly type: 'channel.left' }
  | { readonly type: 'channel.rejoin' }

/** Fields to reset after a success. */
export type Counters = Pick<
  ChannelContext,
  'attempt' | 'postgresAttempt' | 'resyncAttempt' | 'reason' | 'hasRejected'
>
export interface Reason {
  readonly reason: string
}
/** The counter of failures that determines the retry delay. */
export type RetryCounter = 'attempt' | 'postgresAttempt' | 'resyncAttempt'

const refusalOf = ({ reason = '' }: ChannelContext) => classifyRefusal(reason)

export const channelSetup = setup({
  types: {
    context: {} as ChannelContext,
    events: {} as ChannelEvent,
    emitted: {} as ChannelEmitted,
    input: {} as ChannelInput,
  },
  actors: { topic, resync },
  delays: {
    joinTimeout: ({ context }) => context.timings.joinTimeout,
    settleAfter: ({ context }) => context.timings.settleAfter,
    tokenTimeout: ({ context }) => context.timings.tokenTimeout,
    resyncTimeout: ({ context }) => context.timings.resyncTimeout,
    retryDelay: ({ context }) => context.delay,
  },
  guards: {
    isJoined: stateIn({ membership: { attached: 'joined' } }),
    isConnected: ({ context }) => context.connected,
    isReady: ({ context }) => context.connected && isOpen(context.gate),
    isReplacedToken: ({ context }) =>
      refusalOf(context) === 'token' &&
      tokenOf(context.gate) !== undefined &&
      tokenOf(context.gate) !== context.joinedWith,
    isTokenRefused: ({ context }) =>
      refusalOf(context) === 'token' &&
      context.gate.kind === 'user' &&
      context.gate.breaker === undefined &&
      !context.hasRejected,
    isDenied: ({ context }) => refusalOf(context) === 'denied',
    isRateLimited: ({ context }) => refusalOf(context) === 'rateLimited',
    isConfigError: (_, { reason }: Reason) => isConfigError(reason),
    isAllSettled: ({ context }) => context.pending.length === 0,
    wantsChanges: ({ context }) => wantsChanges(context.options),
    hasNewCredentials: ({ context }, { gate }: { gate: AuthGate }) => hasNewCredentials(context.gate, gate),
  },
  actions: {
    setConnected: assign((_, params: { connected: boolean }) => params),
    setConnectionLost: assign((_, { reason }: Reason) => ({ connected: false, reason })),
    setGate: assign((_, params: { gate: AuthGate }) => ({ gate: params.gate })),
    setJoinToken: assign(({ context }) => ({ joinedWith: tokenOf(context.gate) })),
    setReason: assign((_, { reason }: Reason) => ({ reason })),
    setOptions: assign((_, params: { options: ChannelOptions }) => ({ options: params.options })),
    setPresenceMeta: assign((_, command: ChannelCommand) => {
      return command.type === 'broadcast.send'
        ? {}
        : { meta: command.type === 'presence.track' ? command.meta : undefined }
    }),
    planRetry: assign(({ context }, { counter }: { counter: RetryCounter }) => {
      const { backoffMin, backoffMax: max } = context.timings
      // Rate-limited joins wait for the longest delay from the start, with jitter.
      const min = counter === 'attempt' && refusalOf(context) === 'rateLimited' ? max : backoffMin
      const { attempt, delay, seed } = planRetry({
        attempt: context[counter] + 1,
        seed: context.seed,
        min,
        max,
      })
      return { [counter]: attempt, delay, seed }
    }),
    reset: assign((_, params: Partial<Counters>) => params),
    requestToken: sendParent({ type: 'token.needed' } satisfies ChannelReport),
    rejectToken: enqueueActions(({ context, enqueue }) => {
      const tokenId = tokenOf(context.gate)
      if (tokenId === undefined) return
      enqueue(sendParent({ type: 'token.rejected', tokenId } satisfies ChannelReport))
      enqueue.assign({ hasRejected: true })
    }),
    sendCommand: enqueueActions(({ context, enqueue }, command: ChannelCommand) => {
      if (command.id !== undefined) enqueue.assign({ pending: [...context.pending, command.id] })
      enqueue.sendTo('topic', command)
    }),
    resendPresence: enqueueActions(({ context, enqueue }) => {
      if (context.meta) enqueue.sendTo('topic', { type: 'presence.track', meta: context.meta })
    }),
    emitMessage: emit(({ context }, message: ChannelMessage) => {
      return { type: 'channel.message', topic: context.topic, message } as const
    }),
    settleCommand: enqueueActions(({ context, enqueue }, settled: PushSettled) => {
      enqueue.emit(settledOn(context, settled))
      enqueue.assign({ pending: context.pending.filter(id => id !== settled.id) })
    }),
    failPending: enqueueActions(({ context, enqueue }) => {
      const { reason = 'the channel was left' } = context
      for (const id of context.pending) enqueue.emit(settledOn(context, { type: 'push.settled', id, reason }))
      enqueue.assign({ pending: [] })
    }),
    rejectCommand: enqueueActions(({ context, enqueue }, command: ChannelCommand) => {
      const { reason = 'the channel is not joined' } = context
      if (command.id !== undefined)
        enqueue.emit(settledOn(context, { type: 'push.settled', id: command.id, reason, isUnsent: true }))
    }),
    raiseJoined: raise({ type: 'channel.joined' }),
    raiseLeft: raise({ type: 'channel.left' }),
    raiseRejoin: raise({ type: 'channel.rejoin' }),
  },
})

function settledOn({ topic }: ChannelContext, settled: PushSettled): ChannelEmitted {
  return { type: 'channel.settled', topic, settled }
}
