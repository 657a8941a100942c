// The guards, actions and delays of the channel machine.
import { assign, emit, enqueueActions, raise, sendParent, setup, stateIn } from 'xstate'
import { planRetry } from './backoff.ts'
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
import { isAnotherCaller, isOpen, tokenOf, type AuthGate } from './gate.ts'
import { resync, topic } from './ports.ts'

/** Fields to reset after a success. */
export type Counters = Pick<
  ChannelContext,
  'attempt' | 'postgresAttempt' | 'resyncAttempt' | 'reason' | 'hasRejected'
>
export interface Reason {
  readonly reason: string
}

const plan = ({ seed, timings }: ChannelContext, attempt: number, isLong = false) =>
  planRetry({ attempt, seed, min: isLong ? timings.backoffMax : timings.backoffMin, max: timings.backoffMax })

const isTooOften = ({ reason = '' }: ChannelContext) => classifyRefusal(reason) === 'rateLimited'

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
    pause: ({ context }) => context.delay,
  },
  guards: {
    isJoined: stateIn({ life: { attached: 'joined' } }),
    isConnected: ({ context }) => context.connected,
    isReady: ({ context }) => context.connected && isOpen(context.gate),
    isPastToken: ({ context: { gate, joinedWith } }, { reason }: Reason) =>
      classifyRefusal(reason) === 'token' && tokenOf(gate) !== undefined && tokenOf(gate) !== joinedWith,
    isTokenRefused: ({ context }, { reason }: Reason) =>
      classifyRefusal(reason) === 'token' &&
      context.gate.kind === 'user' &&
      context.gate.breaker === undefined &&
      !context.hasRejected,
    isDenied: (_, { reason }: Reason) => classifyRefusal(reason) === 'denied',
    isTooOften: ({ context }) => isTooOften(context),
    isConfigError: (_, { reason }: Reason) => isConfigError(reason),
    isAllSettled: ({ context }) => context.sending.length === 0,
    wantsChanges: ({ context }) => wantsChanges(context.options),
    isAnotherCaller: ({ context }, { gate }: { gate: AuthGate }) => isAnotherCaller(context.gate, gate),
  },
  actions: {
    keepConnected: assign((_, params: { connected: boolean }) => params),
    keepLost: assign((_, { reason }: Reason) => ({ connected: false, reason })),
    keepGate: assign((_, params: { gate: AuthGate }) => ({ gate: params.gate })),
    keepJoining: assign(({ context }) => ({ joinedWith: tokenOf(context.gate) })),
    keepReason: assign((_, { reason }: Reason) => ({ reason })),
    keepOptions: assign((_, params: { options: ChannelOptions }) => ({ options: params.options })),
    keepMeta: assign((_, command: ChannelCommand) => {
      return command.type === 'broadcast.send'
        ? {}
        : { meta: command.type === 'presence.track' ? command.meta : undefined }
    }),
    planRetry: assign(({ context }) => {
      // Rate-limited channels wait for the longest delay from the start, with jitter.
      return plan(context, context.attempt + 1, isTooOften(context))
    }),
    plan: assign(({ context }, { counter }: { counter: 'postgresAttempt' | 'resyncAttempt' }) => {
      const { attempt, ...next } = plan(context, context[counter] + 1)
      return { ...next, [counter]: attempt }
    }),
    reset: assign((_, params: Partial<Counters>) => params),
    askForToken: sendParent({ type: 'token.needed' } satisfies ChannelReport),
    rejectToken: enqueueActions(({ context, enqueue }) => {
      const tokenId = tokenOf(context.gate)
      if (tokenId === undefined) return
      enqueue(sendParent({ type: 'token.rejected', tokenId } satisfies ChannelReport))
      enqueue.assign({ hasRejected: true })
    }),
    pass: enqueueActions(({ context, enqueue }, command: ChannelCommand) => {
      if (command.id !== undefined) enqueue.assign({ sending: [...context.sending, command.id] })
      enqueue.sendTo('topic', command)
    }),
    trackAgain: enqueueActions(({ context, enqueue }) => {
      if (context.meta) enqueue.sendTo('topic', { type: 'presence.track', meta: context.meta })
    }),
    handUp: emit(({ context }, message: ChannelMessage) => {
      return { type: 'channel.message', topic: context.topic, message } as const
    }),
    settle: enqueueActions(({ context, enqueue }, settled: PushSettled) => {
      enqueue.emit(settledOn(context, settled))
      enqueue.assign({ sending: context.sending.filter(id => id !== settled.id) })
    }),
    failSending: enqueueActions(({ context, enqueue }) => {
      const { reason = 'the channel was left' } = context
      for (const id of context.sending) enqueue.emit(settledOn(context, { type: 'push.settled', id, reason }))
      enqueue.assign({ sending: [] })
    }),
    refuse: enqueueActions(({ context, enqueue }, command: ChannelCommand) => {
      const { reason = 'the channel is not joined' } = context
      if (command.id !== undefined)
        enqueue.emit(settledOn(context, { type: 'push.settled', id: command.id, reason, isUnsent: true }))
    }),
    tellJoined: raise({ type: 'channel.joined' }),
    tellLeft: raise({ type: 'channel.left' }),
    rejoin: raise({ type: 'channel.rejoin' }),
  },
})

function settledOn({ topic }: ChannelContext, settled: PushSettled): ChannelEmitted {
  return { type: 'channel.settled', topic, settled }
}
