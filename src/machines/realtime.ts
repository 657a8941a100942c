// Realtime: one connection and a channel for each topic in use, and the word between them.
import { assign, enqueueActions, sendParent, sendTo, setup } from 'xstate'
import { draw } from './backoff.ts'
import type { ChannelCommand, ChannelOptions } from './channel-events.ts'
import { channelMachine, type ChannelReport } from './channel.ts'
import type { TopicCommand } from './client-events.ts'
import { connectionMachine, type ConnectionCommand, type ConnectionReport } from './connection.ts'
import type { Gate, GateEvent } from './gate.ts'
import type { EnvironmentEvent } from './ports.ts'
import { without } from './table.ts'
import type { Timings } from './timings.ts'

export interface RealtimeContext {
  readonly timings: Timings
  readonly seed: number
  readonly gate: Gate
  readonly connected: boolean
  /** Joined topics in the order of joining, with how often they are in use. */
  readonly channels: Readonly<Record<string, number>>
}

export const realtimeMachine = setup({
  types: {
    context: {} as RealtimeContext,
    input: {} as { timings: Timings; seed: number },
    events: {} as TopicCommand | ConnectionReport | ChannelReport | GateEvent | EnvironmentEvent,
  },
  actors: { connection: connectionMachine, channel: channelMachine },
  guards: {
    isFirstUse: ({ context }, params: { topic: string }) => !Object.hasOwn(context.channels, params.topic),
    isLastUse: ({ context }, params: { topic: string }) => context.channels[params.topic] === 1,
    isJoined: ({ context }, params: { topic: string }) => Object.hasOwn(context.channels, params.topic),
  },
  actions: {
    keepGate: assign((_, params: { gate: Gate }) => ({ gate: params.gate })),
    toConnection: sendTo('connection', (_, event: ConnectionCommand | GateEvent | EnvironmentEvent) => event),
    toChannel: sendTo(
      (_, params: { topic: string; command: ChannelCommand }) => `channel.${params.topic}`,
      (_, params) => params.command,
    ),
    toChannels: enqueueActions(({ context, enqueue }, event: ConnectionReport | GateEvent) => {
      for (const topic of Object.keys(context.channels)) enqueue.sendTo(`channel.${topic}`, event)
    }),
    startChannel: assign(({ context, spawn }, params: { topic: string; options: ChannelOptions }) => {
      const { value, seed } = draw(context.seed)
      const { timings, gate, connected } = context
      const input = { ...params, timings, gate, connected, seed: value * 2 ** 32 }
      spawn('channel', { id: `channel.${params.topic}`, input })
      return { seed, channels: { ...context.channels, [params.topic]: 1 } }
    }),
    countUse: assign(({ context }, params: { topic: string; by: 1 | -1 }) => ({
      channels: { ...context.channels, [params.topic]: (context.channels[params.topic] ?? 0) + params.by },
    })),
    dropChannel: enqueueActions(({ context, enqueue }, { topic }: { topic: string }) => {
      const channels = without(context.channels, topic)
      enqueue.stopChild(`channel.${topic}`)
      enqueue.assign({ channels })
      if (Object.keys(channels).length === 0) enqueue.sendTo('connection', { type: 'connection.release' })
    }),
    keepConnected: assign((_, params: { connected: boolean }) => ({ connected: params.connected })),
    tell: sendParent((_, report: ChannelReport) => report),
  },
}).createMachine({
  id: 'realtime',
  context: ({ input }) => ({ ...input, gate: { kind: 'booting' }, connected: false, channels: {} }),
  invoke: {
    id: 'connection',
    src: 'connection',
    input: ({ context }) => ({ timings: context.timings, seed: context.seed + 1 }),
  },
  on: {
    'gate.changed': {
      actions: [
        { type: 'keepGate', params: ({ event }) => event },
        { type: 'toConnection', params: ({ event }) => event },
        { type: 'toChannels', params: ({ event }) => event },
      ],
    },
    'environment.changed': { actions: { type: 'toConnection', params: ({ event }) => event } },
    'channel.join': [
      {
        guard: { type: 'isFirstUse', params: ({ event }) => event },
        actions: [
          { type: 'startChannel', params: ({ event }) => event },
          { type: 'toConnection', params: { type: 'connection.want' } },
        ],
      },
      { actions: { type: 'countUse', params: ({ event }) => ({ topic: event.topic, by: 1 }) } },
    ],
    'channel.leave': [
      {
        guard: { type: 'isLastUse', params: ({ event }) => event },
        actions: { type: 'dropChannel', params: ({ event }) => event },
      },
      {
        guard: { type: 'isJoined', params: ({ event }) => event },
        actions: { type: 'countUse', params: ({ event }) => ({ topic: event.topic, by: -1 }) },
      },
    ],
    'channel.command': {
      guard: { type: 'isJoined', params: ({ event }) => event },
      actions: { type: 'toChannel', params: ({ event }) => event },
    },
    'channel.message': { actions: { type: 'tell', params: ({ event }) => event } },
    'channel.settled': { actions: { type: 'tell', params: ({ event }) => event } },
    'connection.opened': {
      actions: [
        { type: 'keepConnected', params: { connected: true } },
        { type: 'toChannels', params: ({ event }) => event },
      ],
    },
    'connection.lost': {
      actions: [
        { type: 'keepConnected', params: { connected: false } },
        { type: 'toChannels', params: ({ event }) => event },
      ],
    },
  },
})
