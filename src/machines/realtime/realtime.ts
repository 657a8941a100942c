// Realtime: owns the connection and one channel per topic, and routes events between them.
import { assign, enqueueActions, raise, sendParent, sendTo, setup } from 'xstate'
import { draw } from '../backoff.ts'
import type { ChannelCommand, ChannelOptions } from './channel-events.ts'
import { mergeOptions, type TopicUse } from './topic-uses.ts'
import type { ChannelReport } from './channel-setup.ts'
import { channelMachine } from './channel.ts'
import type { TopicCommand } from '../client.ts'
import { type ConnectionCommand, type ConnectionReport, connectionMachine } from './connection.ts'
import type { AuthGate, AuthGateEvent } from '../session/gate.ts'
import { withEvent } from '../with-event.ts'
import type { EnvironmentEvent } from '../ports.ts'
import { withoutKey } from '../table.ts'
import type { Timings } from '../timings.ts'

/** Events that realtime sends to the client. */
export type RealtimeReport =
  | ChannelReport
  | Extract<ConnectionReport, { type: 'key.refused' }>
  /** Whether any topic is in use and needs a live token. */
  | { readonly type: 'realtime.wanted'; readonly wanted: boolean }

export interface RealtimeContext {
  readonly timings: Timings
  readonly seed: number
  readonly gate: AuthGate
  readonly connected: boolean
  /** Joined topics in join order, with their uses. */
  readonly channels: Readonly<Record<string, readonly TopicUse[]>>
}

type Leave = Extract<TopicCommand, { type: 'channel.leave' }>

const notifyParent = withEvent('notifyParent')
const toConnection = withEvent('toConnection')
const toChannels = withEvent('toChannels')

export const realtimeMachine = setup({
  types: {
    context: {} as RealtimeContext,
    input: {} as { timings: Timings; seed: number },
    events: {} as TopicCommand | ConnectionReport | ChannelReport | AuthGateEvent | EnvironmentEvent,
  },
  actors: { connection: connectionMachine, channel: channelMachine },
  guards: {
    isInUse: ({ context }, params: { topic: string }) => Object.hasOwn(context.channels, params.topic),
    isLastUse: ({ context }, leave: Leave) => remaining(context, leave)?.length === 0,
    hasChannels: ({ context }) => Object.keys(context.channels).length > 0,
    isUse: ({ context }, leave: Leave) => remaining(context, leave) !== undefined,
  },
  actions: {
    setGate: assign((_, params: { gate: AuthGate }) => ({ gate: params.gate })),
    toConnection: sendTo(
      'connection',
      (_, event: ConnectionCommand | AuthGateEvent | EnvironmentEvent) => event,
    ),
    toChannel: sendTo(
      (_, params: { topic: string; command: ChannelCommand }) => `channel.${params.topic}`,
      (_, params) => params.command,
    ),
    toChannels: enqueueActions(({ context, enqueue }, event: ConnectionReport | AuthGateEvent) => {
      for (const topic of Object.keys(context.channels)) enqueue.sendTo(`channel.${topic}`, event)
    }),
    startChannel: assign(
      ({ context, spawn }, { topic, use, options }: Extract<TopicCommand, { type: 'channel.join' }>) => {
        const { value, seed } = draw(context.seed)
        const { timings, gate, connected } = context
        const uses = [asUse(use, options)]
        const input = { topic, options: mergeOptions(uses), timings, gate, connected, seed: value * 2 ** 32 }
        spawn('channel', { id: `channel.${topic}`, input })
        return { seed, channels: { ...context.channels, [topic]: uses } }
      },
    ),
    changeUses: enqueueActions(({ context, enqueue }, { topic, uses }: UsesOfTopic) => {
      const options = mergeOptions(uses)
      enqueue.assign({ channels: { ...context.channels, [topic]: uses } })
      if (JSON.stringify(options) !== JSON.stringify(mergeOptions(usesOf(context, topic))))
        enqueue.sendTo(`channel.${topic}`, { type: 'channel.options', options })
    }),
    dropChannel: enqueueActions(({ context, enqueue }, { topic }: { topic: string }) => {
      const channels = withoutKey(context.channels, topic)
      const isLast = Object.keys(channels).length === 0
      enqueue.stopChild(`channel.${topic}`)
      enqueue.assign({ channels })
      if (!isLast) return
      enqueue.sendTo('connection', { type: 'connection.release' })
      enqueue(sendParent({ type: 'realtime.wanted', wanted: false } satisfies RealtimeReport))
    }),
    retryChannel: sendTo((_, { topic }: { topic: string }) => `channel.${topic}`, { type: 'channel.retry' }),
    connect: raise({ type: 'realtime.connect' }),
    setConnected: assign((_, params: { connected: boolean }) => ({ connected: params.connected })),
    notifyParent: sendParent((_, report: RealtimeReport) => report),
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
    'gate.changed': { actions: [withEvent('setGate'), toConnection, toChannels] },
    'environment.changed': { actions: toConnection },
    'environment.woke': { actions: toConnection },
    'channel.join': [
      {
        guard: withEvent('isInUse'),
        actions: [
          {
            type: 'changeUses',
            params: ({ context, event: { topic, use, options } }) => ({
              topic,
              uses: [...usesOf(context, topic), asUse(use, options)],
            }),
          },
          withEvent('retryChannel'),
          'connect',
        ],
      },
      {
        actions: [
          withEvent('startChannel'),
          'connect',
          { type: 'notifyParent', params: { type: 'realtime.wanted', wanted: true } },
        ],
      },
    ],
    'channel.leave': [
      { guard: withEvent('isLastUse'), actions: withEvent('dropChannel') },
      {
        guard: withEvent('isUse'),
        actions: {
          type: 'changeUses',
          params: ({ context, event }) => ({ topic: event.topic, uses: remaining(context, event) ?? [] }),
        },
      },
    ],
    'channel.command': { guard: withEvent('isInUse'), actions: withEvent('toChannel') },
    'realtime.connect': {
      guard: 'hasChannels',
      target: '.following',
      actions: { type: 'toConnection', params: { type: 'connection.open' } },
    },
    'realtime.disconnect': {
      target: '.disconnected',
      actions: { type: 'toConnection', params: { type: 'connection.close' } },
    },
    'token.needed': { actions: notifyParent },
    'token.rejected': { actions: notifyParent },
    'key.refused': { actions: notifyParent },
    'connection.opened': {
      actions: [{ type: 'setConnected', params: { connected: true } }, toChannels],
    },
    'connection.lost': {
      actions: [{ type: 'setConnected', params: { connected: false } }, toChannels],
    },
  },
  initial: 'following',
  states: {
    following: { description: 'The socket opens and closes with the channels.' },
    disconnected: {
      description: 'Disconnected by the app; channels wait until it reconnects or joins another topic.',
    },
  },
})

export interface UsesOfTopic {
  readonly topic: string
  readonly uses: readonly TopicUse[]
}

const asUse = (use: string | undefined, options: ChannelOptions): TopicUse => ({
  ...(use !== undefined && { use }),
  options,
})

const usesOf = ({ channels }: RealtimeContext, topic: string): readonly TopicUse[] =>
  (Object.hasOwn(channels, topic) ? channels[topic] : undefined) ?? []

/** The remaining uses after a leave, or undefined if the use is unknown. */
function remaining(context: RealtimeContext, { topic, use }: Leave): readonly TopicUse[] | undefined {
  const uses = usesOf(context, topic)
  const place = uses.findIndex(one => one.use === use)
  return place < 0 ? undefined : uses.filter((_, at) => at !== place)
}
