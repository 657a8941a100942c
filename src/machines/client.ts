// The root: owns the session, refresh, requests and realtime, and carries word between them.
import { assign, emit, enqueueActions, sendTo, setup } from 'xstate'
import type { ClientCommand, ClientEmitted, RequestCommand, TopicCommand } from './client-events.ts'
import type { ChannelReport } from './channel.ts'
import type { Token } from './expiry.ts'
import { closedGate, userGate, type Gate, type GateEvent } from './gate.ts'
import { environment, type EnvironmentEvent } from './ports.ts'
import { realtimeMachine } from './realtime.ts'
import { refreshMachine, type RefreshCommand } from './refresh.ts'
import { requestsMachine, type RequestsReport } from './requests.ts'
import type { SessionCommand, SessionReport, TokenNews } from './session-events.ts'
import { sessionMachine } from './session.ts'
import type { Timings } from './timings.ts'

/** Events that are only handed on. */
const toSession = {
  actions: { type: 'toSession', params: ({ event }: { event: SessionCommand | TokenNews }) => event },
} as const
const toRequests = {
  actions: { type: 'toRequests', params: ({ event }: { event: RequestCommand }) => event },
} as const
const toRealtime = {
  actions: { type: 'toRealtime', params: ({ event }: { event: TopicCommand }) => event },
} as const
const tell = {
  actions: { type: 'tell', params: ({ event }: { event: ClientEmitted }) => event },
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
}

export const clientMachine = setup({
  types: {
    context: {} as ClientContext,
    input: {} as ClientInput,
    emitted: {} as ClientEmitted,
    events: {} as
      ClientCommand | SessionReport | TokenNews | RequestsReport | ChannelReport | EnvironmentEvent,
  },
  actors: {
    session: sessionMachine,
    refresh: refreshMachine,
    requests: requestsMachine,
    realtime: realtimeMachine,
    environment,
  },
  guards: {
    isCurrentToken: ({ context }, params: { tokenId: string }) => context.token?.id === params.tokenId,
  },
  actions: {
    toSession: sendTo('session', (_, event: SessionCommand | TokenNews) => event),
    toRefresh: sendTo('refresh', (_, event: RefreshCommand | EnvironmentEvent) => event),
    toRequests: sendTo('requests', (_, event: RequestCommand) => event),
    toRealtime: sendTo('realtime', (_, event: TopicCommand | EnvironmentEvent) => event),
    keepEnvironment: assign((_, params: { online: boolean }) => ({ online: params.online })),
    openGate: assign(({ context }, params: { token: Token }) => ({
      token: params.token,
      gate: userGate(params.token, context.timings),
    })),
    closeGate: assign(({ context }) => ({ gate: closedGate(context.gate) })),
    freeGate: assign({ token: undefined, gate: { kind: 'anonymous' } }),
    tellGate: enqueueActions(({ context, enqueue }) => {
      const event: GateEvent = { type: 'gate.changed', gate: context.gate }
      enqueue.sendTo('realtime', event)
      enqueue.sendTo('requests', event)
    }),
    tell: emit((_, event: ClientEmitted) => event),
  },
}).createMachine({
  id: 'client',
  context: ({ input }) => ({ ...input, gate: { kind: 'booting' }, token: undefined, online: true }),
  invoke: [
    {
      id: 'refresh',
      src: 'refresh',
      input: ({ context }) => ({ timings: context.timings, seed: context.seed + 1 }),
    },
    {
      id: 'requests',
      src: 'requests',
      input: ({ context }) => ({ timings: context.timings, seed: context.seed + 2 }),
    },
    {
      id: 'realtime',
      src: 'realtime',
      input: ({ context }) => ({ timings: context.timings, seed: context.seed + 3 }),
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
    'request.start': toRequests,
    'request.abort': toRequests,
    'request.settled': tell,
    'channel.join': toRealtime,
    'channel.leave': toRealtime,
    'channel.command': toRealtime,
    'channel.message': tell,
    'channel.settled': tell,
    'environment.woke': {
      actions: [
        { type: 'toRefresh', params: ({ event }) => event },
        { type: 'toRealtime', params: ({ event }) => event },
      ],
    },
    'environment.changed': {
      actions: [
        { type: 'keepEnvironment', params: ({ event }) => event },
        { type: 'toRefresh', params: ({ event }) => event },
        { type: 'toRealtime', params: ({ event }) => event },
      ],
    },
  },
})
