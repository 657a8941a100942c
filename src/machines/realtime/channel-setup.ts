// The guards, actions and delays of the channel machine.
import { assign, emit, enqueueActions, raise, sendParent, setup, stateIn } from 'xstate'
import { planRetry } from '../backoff.ts'
import type { ChannelCommand, ChannelMessage, ChannelOptions, PushSettled } from './channel-events.ts'
import { wantsChanges } from './channel-options.ts'
import { classifyRefusal, isConfigError } from './channel-refusal.ts'
import type {
  ChannelContext,
  ChannelEmitted,
  ChannelEvent,
  ChannelInput,
  ChannelReport,
} from './channel-state.ts'
import { hasNewCredentials, isOpen, tokenOf, type AuthGate } from '../session/gate.ts'
import { resync, topic } from '../ports.ts'

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
