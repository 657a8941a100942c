// The root: owns the session, refresh and connection, spawns requests and channels, and carries word between them.
import { assign, emit, enqueueActions, sendTo, setup } from 'xstate'
import { draw } from './backoff.ts'
import type { ChannelCommand, ChannelOptions } from './channel-events.ts'
import { channelMachine, type ChannelReport } from './channel.ts'
import type { ClientCommand, ClientEmitted, RequestDone } from './client-events.ts'
import { connectionMachine, type ConnectionCommand, type ConnectionReport } from './connection.ts'
import type { Token } from './expiry.ts'
import { closedGate, userGate, type Gate, type GateEvent } from './gate.ts'
import { environment, type EnvironmentEvent } from './ports.ts'
import { refreshMachine, type RefreshCommand } from './refresh.ts'
import { requestMachine, type RequestInfo, type RequestOutput, type RequestReport } from './request.ts'
import type { SessionCommand, SessionReport, TokenNews } from './session-events.ts'
import { sessionMachine } from './session.ts'
import type { Timings } from './timings.ts'

/** Events that are only handed on. */
const toSession = {
  actions: { type: 'toSession', params: ({ event }: { event: SessionCommand | TokenNews }) => event },
} as const
const tell = {
  actions: {
    type: 'tell',
    params: ({ event }: { event: Exclude<ClientEmitted, { type: 'request.settled' }> }) => event,
  },
} as const

export interface ClientInput {
  readonly timings: Timings
  /** Start of the generator for jitter; each child draws from its own. */
  readonly seed: number
}

export interface ClientContext extends ClientInput {
  readonly gate: Gate
  readonly token: Token | undefined
  readonly online: boolean
  readonly connected: boolean
  /** Requests that are not settled, by id. */
  readonly requests: Readonly<Record<string, 'waiting' | 'sending'>>
  /** Joined topics in the order of joining, with how often they are in use. */
  readonly channels: Readonly<Record<string, number>>
}

const without = <T>(table: Readonly<Record<string, T>>, key: string): Readonly<Record<string, T>> =>
  Object.fromEntries(Object.entries(table).filter(([name]) => name !== key))

export const clientMachine = setup({
  types: {
    context: {} as ClientContext,
    input: {} as ClientInput,
    emitted: {} as ClientEmitted,
    events: {} as
      | ClientCommand
      | SessionReport
      | TokenNews
      | RequestReport
      | RequestDone
      | ConnectionReport
      | ChannelReport
      | EnvironmentEvent,
  },
  actors: {
    session: sessionMachine,
    refresh: refreshMachine,
    connection: connectionMachine,
    request: requestMachine,
    channel: channelMachine,
    environment,
  },
  guards: {
    isFirstUse: ({ context }, params: { topic: string }) => !Object.hasOwn(context.channels, params.topic),
    isLastUse: ({ context }, params: { topic: string }) => context.channels[params.topic] === 1,
    isJoined: ({ context }, params: { topic: string }) => Object.hasOwn(context.channels, params.topic),
    isUnsettled: ({ context }, params: { id: string }) => Object.hasOwn(context.requests, params.id),
    isCurrentToken: ({ context }, params: { tokenId: string }) => context.token?.id === params.tokenId,
  },
  actions: {
    toSession: sendTo('session', (_, event: SessionCommand | TokenNews) => event),
    toRefresh: sendTo('refresh', (_, event: RefreshCommand | EnvironmentEvent) => event),
    toConnection: sendTo('connection', (_, event: ConnectionCommand | EnvironmentEvent) => event),
    toChannel: sendTo(
      (_, params: { topic: string; command: ChannelCommand }) => `channel.${params.topic}`,
      (_, params) => params.command,
    ),
    keepEnvironment: assign((_, params: { online: boolean }) => ({ online: params.online })),
    openGate: assign((_, params: { token: Token }) => ({
      token: params.token,
      gate: userGate(params.token),
    })),
    closeGate: assign(({ context }) => ({ gate: closedGate(context.gate) })),
    freeGate: assign({ token: undefined, gate: { kind: 'anonymous' } }),
    tellGate: enqueueActions(({ context, enqueue }) => {
      const event: GateEvent = { type: 'gate.changed', gate: context.gate }
      enqueue.sendTo('connection', event)
      for (const id of Object.keys(context.requests)) enqueue.sendTo(`request.${id}`, event)
      for (const topic of Object.keys(context.channels)) enqueue.sendTo(`channel.${topic}`, event)
    }),
    startRequest: assign(({ context, spawn }, { info }: { info: RequestInfo }) => {
      const { value, seed } = draw(context.seed)
      const { timings, gate } = context
      spawn('request', { id: `request.${info.id}`, input: { info, timings, gate, seed: value * 2 ** 32 } })
      return { seed, requests: { ...context.requests, [info.id]: 'waiting' as const } }
    }),
    markRequest: assign(({ context }, params: { id: string; as: 'waiting' | 'sending' }) => ({
      requests: { ...context.requests, [params.id]: params.as },
    })),
    abortRequest: sendTo((_, params: { id: string }) => `request.${params.id}`, { type: 'request.abort' }),
    dropRequest: enqueueActions(({ context, enqueue }, { output }: { output: RequestOutput }) => {
      enqueue.stopChild(`request.${output.id}`)
      enqueue.assign({ requests: without(context.requests, output.id) })
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
    toChannels: enqueueActions(({ context, enqueue }, event: ConnectionReport) => {
      for (const topic of Object.keys(context.channels)) enqueue.sendTo(`channel.${topic}`, event)
    }),
    tell: emit((_, event: ClientEmitted) => event),
  },
}).createMachine({
  id: 'client',
  context: ({ input }) => ({
    ...input,
    gate: { kind: 'booting' },
    token: undefined,
    online: true,
    connected: false,
    requests: {},
    channels: {},
  }),
  invoke: [
    {
      id: 'refresh',
      src: 'refresh',
      input: ({ context }) => ({ timings: context.timings, seed: context.seed + 1 }),
    },
    {
      id: 'connection',
      src: 'connection',
      input: ({ context }) => ({ timings: context.timings, seed: context.seed + 2 }),
    },
    { id: 'environment', src: 'environment' },
    { id: 'session', src: 'session', input: ({ context }) => ({ timings: context.timings }) },
  ],
  on: {
    'session.signIn': toSession,
    'session.signOut': {
      description: 'A refresh under way is stopped first: it would write the session back.',
      actions: [
        { type: 'toRefresh', params: { type: 'session.ended' } },
        { type: 'toSession', params: ({ event }) => event },
      ],
    },
    'auth.settled': tell,
    'session.started': {
      actions: [
        { type: 'openGate', params: ({ event }) => event },
        { type: 'toRefresh', params: ({ event }) => event },
        'tellGate',
      ],
    },
    'session.ended': {
      actions: ['freeGate', { type: 'toRefresh', params: { type: 'session.ended' } }, 'tellGate'],
    },
    'refresh.request': { actions: { type: 'toRefresh', params: { type: 'refresh.request' } } },
    'token.due': toSession,
    'token.refreshing': toSession,
    'token.delayed': toSession,
    'token.rotated': {
      actions: [
        { type: 'openGate', params: ({ event }) => event },
        { type: 'toSession', params: ({ event }) => event },
        'tellGate',
      ],
    },
    'token.expired': {
      actions: ['closeGate', { type: 'toSession', params: ({ event }) => event }, 'tellGate'],
    },
    'token.refused': {
      actions: ['closeGate', { type: 'toSession', params: ({ event }) => event }, 'tellGate'],
    },
    'token.rejected': {
      guard: { type: 'isCurrentToken', params: ({ event }) => event },
      actions: ['closeGate', { type: 'toRefresh', params: { type: 'refresh.request' } }, 'tellGate'],
    },
    'request.start': { actions: { type: 'startRequest', params: ({ event }) => event } },
    'request.waiting': {
      actions: { type: 'markRequest', params: ({ event }) => ({ id: event.id, as: 'waiting' }) },
    },
    'request.sending': {
      actions: { type: 'markRequest', params: ({ event }) => ({ id: event.id, as: 'sending' }) },
    },
    'request.abort': {
      guard: { type: 'isUnsettled', params: ({ event }) => event },
      actions: { type: 'abortRequest', params: ({ event }) => event },
    },
    'xstate.done.actor.request.*': {
      actions: [
        { type: 'dropRequest', params: ({ event }) => event },
        { type: 'tell', params: ({ event }) => ({ type: 'request.settled', output: event.output }) },
      ],
    },
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
    'channel.message': tell,
    'channel.settled': tell,
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
    'environment.changed': {
      actions: [
        { type: 'keepEnvironment', params: ({ event }) => event },
        { type: 'toRefresh', params: ({ event }) => event },
        { type: 'toConnection', params: ({ event }) => event },
      ],
    },
  },
})
