// One topic: joined when the socket is open, told apart when refused, rejoined with growing pauses.
import { assign, enqueueActions, sendParent, sendTo, setup } from 'xstate'
import { backoff } from './backoff.ts'
import type {
  BroadcastSettled,
  ChannelCommand,
  ChannelMessage,
  ChannelOptions,
  TopicEvent,
} from './channel-events.ts'
import { classifyRefusal } from './channel-refusal.ts'
import type { ConnectionReport } from './connection.ts'
import { tokenOf, type Gate, type GateEvent } from './gate.ts'
import { topic } from './ports.ts'
import type { Timings } from './timings.ts'

/** What a channel tells the client, which hands it to the app. */
export type ChannelReport =
  | { readonly type: 'channel.message'; readonly topic: string; readonly message: ChannelMessage }
  | { readonly type: 'channel.settled'; readonly topic: string; readonly settled: BroadcastSettled }

export interface ChannelContext {
  readonly timings: Timings
  readonly topic: string
  readonly options: ChannelOptions
  readonly connected: boolean
  readonly gate: Gate
  readonly attempt: number
  readonly delay: number
  readonly seed: number
  readonly reason: string | undefined
  /** What we track here; sent again after each join. */
  readonly meta: Readonly<Record<string, unknown>> | undefined
  /** Ids of messages whose fate is not known. */
  readonly sending: readonly string[]
}

export const channelMachine = setup({
  types: {
    context: {} as ChannelContext,
    events: {} as ChannelCommand | ConnectionReport | GateEvent | TopicEvent,
    input: {} as {
      timings: Timings
      topic: string
      options: ChannelOptions
      connected: boolean
      gate: Gate
      seed: number
    },
  },
  actors: { topic },
  delays: {
    joinTimeout: ({ context }) => context.timings.joinTimeout,
    pause: ({ context }) => context.delay,
  },
  guards: {
    isConnected: ({ context }) => context.connected,
    isDenied: (_, params: { reason: string }) => classifyRefusal(params.reason) === 'denied',
    wantsChanges: ({ context }) => (context.options.postgresChanges ?? []).length > 0,
    hasNewToken: ({ context }, params: { gate: Gate }) => tokenOf(params.gate) !== tokenOf(context.gate),
  },
  actions: {
    keepConnected: assign({ connected: true }),
    keepLost: assign((_, params: { reason: string }) => ({ connected: false, reason: params.reason })),
    keepGate: assign((_, params: { gate: Gate }) => ({ gate: params.gate })),
    keepReason: assign((_, params: { reason: string }) => ({ reason: params.reason })),
    keepMeta: assign((_, params: { meta?: Readonly<Record<string, unknown>> }) => ({ meta: params.meta })),
    planRetry: assign(({ context }) => {
      const { backoffMin, backoffMax } = context.timings
      // Who asks too often gets the longest pause at once, spread like any other.
      const isTooOften = classifyRefusal(context.reason ?? '') === 'rateLimited'
      return backoff(context.attempt + 1, context.seed, isTooOften ? backoffMax : backoffMin, backoffMax)
    }),
    startAfresh: assign({ attempt: 0, delay: 0, reason: undefined }),
    handDown: sendTo('topic', (_, command: ChannelCommand) => command),
    trackAgain: enqueueActions(({ context, enqueue }) => {
      if (context.meta) enqueue.sendTo('topic', { type: 'presence.track', meta: context.meta })
    }),
    handUp: sendParent(({ context }, message: ChannelMessage) => {
      return { type: 'channel.message', topic: context.topic, message } satisfies ChannelReport
    }),
    noteSending: assign(({ context }, params: { id: string }) => ({
      sending: [...context.sending, params.id],
    })),
    noteSettled: assign(({ context }, params: { id: string }) => ({
      sending: context.sending.filter(id => id !== params.id),
    })),
    failSending: enqueueActions(({ context, enqueue }) => {
      for (const id of context.sending) enqueue(sendParent(unsent(context, id)))
      enqueue.assign({ sending: [] })
    }),
    settle: sendParent(({ context }, settled: BroadcastSettled) => {
      return { type: 'channel.settled', topic: context.topic, settled } satisfies ChannelReport
    }),
    refuseSend: sendParent(({ context }, params: { id: string }) => unsent(context, params.id)),
  },
}).createMachine({
  id: 'channel',
  context: ({ input }) => ({
    ...input,
    attempt: 0,
    delay: 0,
    reason: undefined,
    meta: undefined,
    sending: [],
  }),
  initial: 'preparing',
  on: {
    'gate.changed': { actions: { type: 'keepGate', params: ({ event }) => event } },
    'connection.opened': { target: '.preparing', actions: 'keepConnected' },
    'connection.lost': {
      target: '.waiting',
      actions: [{ type: 'keepLost', params: ({ event }) => event }, 'failSending'],
    },
    'broadcast.send': { actions: { type: 'refuseSend', params: ({ event }) => event } },
    'presence.track': { actions: { type: 'keepMeta', params: ({ event }) => event } },
    'presence.untrack': { actions: { type: 'keepMeta', params: {} } },
  },
  states: {
    preparing: { always: [{ guard: 'isConnected', target: 'attached' }, { target: 'waiting' }] },
    waiting: { description: 'No open socket.' },
    attached: {
      description: 'One join; leaving this state leaves the topic.',
      initial: 'joining',
      invoke: {
        id: 'topic',
        src: 'topic',
        input: ({ context }) => ({
          topic: context.topic,
          options: context.options,
          timeout: context.timings.joinTimeout,
        }),
      },
      states: {
        joining: {
          after: {
            joinTimeout: {
              target: '#channel.retrying',
              actions: { type: 'keepReason', params: { reason: 'no answer to the join' } },
            },
          },
          on: { 'topic.joined': 'joined' },
        },
        joined: {
          entry: 'startAfresh',
          initial: 'deciding',
          states: {
            deciding: {
              entry: 'trackAgain',
              always: [{ guard: 'wantsChanges', target: 'subscribing' }, { target: 'live' }],
            },
            subscribing: {
              description: 'Messages and presence flow; row changes are not promised yet.',
            },
            live: {},
            changesFailed: { description: 'Messages and presence flow; row changes do not.' },
          },
          on: {
            'postgres.subscribed': '.live',
            'postgres.failed': {
              target: '.changesFailed',
              actions: { type: 'keepReason', params: ({ event }) => event },
            },
            'broadcast.send': {
              actions: [
                { type: 'noteSending', params: ({ event }) => event },
                { type: 'handDown', params: ({ event }) => event },
              ],
            },
            'presence.track': {
              actions: [
                { type: 'keepMeta', params: ({ event }) => event },
                { type: 'handDown', params: ({ event }) => event },
              ],
            },
            'presence.untrack': {
              actions: [
                { type: 'keepMeta', params: {} },
                { type: 'handDown', params: ({ event }) => event },
              ],
            },
          },
        },
      },
      on: {
        'broadcast.received': { actions: { type: 'handUp', params: ({ event }) => event } },
        'presence.synced': { actions: { type: 'handUp', params: ({ event }) => event } },
        'postgres.changed': { actions: { type: 'handUp', params: ({ event }) => event } },
        'broadcast.settled': {
          actions: [
            { type: 'noteSettled', params: ({ event }) => event },
            { type: 'settle', params: ({ event }) => event },
          ],
        },
        'topic.refused': [
          {
            guard: { type: 'isDenied', params: ({ event }) => event },
            target: 'denied',
            actions: [{ type: 'keepReason', params: ({ event }) => event }, 'failSending'],
          },
          {
            target: 'retrying',
            actions: [{ type: 'keepReason', params: ({ event }) => event }, 'failSending'],
          },
        ],
        'topic.closed': {
          target: 'retrying',
          actions: [{ type: 'keepReason', params: ({ event }) => event }, 'failSending'],
        },
        'port.broken': {
          target: 'retrying',
          actions: [
            { type: 'keepReason', params: ({ event }) => ({ reason: event.failure.message }) },
            'failSending',
          ],
        },
      },
    },
    retrying: { entry: 'planRetry', after: { pause: 'preparing' } },
    denied: {
      description: 'The server does not want us here; only another token can change that.',
      on: {
        'gate.changed': [
          {
            guard: { type: 'hasNewToken', params: ({ event }) => event },
            target: 'preparing',
            actions: { type: 'keepGate', params: ({ event }) => event },
          },
          { actions: { type: 'keepGate', params: ({ event }) => event } },
        ],
      },
    },
  },
})

function unsent({ topic, reason = 'the channel is not joined' }: ChannelContext, id: string): ChannelReport {
  return { type: 'channel.settled', topic, settled: { type: 'broadcast.settled', id, reason } }
}
