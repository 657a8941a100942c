// The root: owns the session, refresh, requests and realtime, and routes events between them.
import { assign, emit, enqueueActions, sendTo, setup } from 'xstate'
import type {
  ClientCommand,
  ClientEmitted,
  RequestCommand,
  TopicCommand,
  UploadsCommand,
} from './client-events.ts'
import { declaredRealtime } from './declared-realtime.ts'
import { declaredUploads } from './declared-uploads.ts'
import { isExpired, type Token } from './expiry.ts'
import { closedGate, gateWithBreaker, userGate, type AuthGate, type AuthGateEvent } from './gate.ts'
import { eventParams } from './event-params.ts'
import {
  environment,
  type EnvironmentEvent,
  type SignOutScope,
  type StoredChanged,
  type TickEvent,
} from './ports.ts'
import type { RealtimeReport } from './realtime.ts'
import type { RefreshCommand } from './refresh-setup.ts'
import { refreshMachine } from './refresh.ts'
import { requestsMachine, type RequestsReport } from './requests.ts'
import type { RefreshReport, SessionCommand, SessionReport, TokenEvent } from './session-events.ts'
import { sessionMachine } from './session.ts'
import { tabMachine, type TabCommand, type TabReport } from './tab.ts'
import type { Timings } from './timings.ts'

type EnvironmentChanged = Extract<EnvironmentEvent, { type: 'environment.changed' }>

/** Events that are only forwarded. */
const toSession = {
  actions: { type: 'toSession', params: eventParams<SessionCommand | TokenEvent | StoredChanged> },
} as const
const toRequests = { actions: { type: 'toRequests', params: eventParams<RequestCommand> } } as const
const toUploads = { actions: { type: 'toUploads', params: eventParams<UploadsCommand> } } as const
const toRealtime = { actions: { type: 'toRealtime', params: eventParams<TopicCommand> } } as const
type WithToken = Extract<RefreshCommand, { type: 'session.started' | 'token.adopted' }>
const withToken = {
  actions: [
    { type: 'openGate', params: eventParams<WithToken> },
    { type: 'toRefresh', params: eventParams<WithToken> },
    { type: 'toTab', params: eventParams<WithToken> },
    'tellGate',
  ],
} as const
const withoutToken = { actions: ['closeGate', toSession.actions, 'tellGate'] } as const
const tell = { actions: { type: 'tell', params: eventParams<ClientEmitted> } } as const

const isBroken = (gate: AuthGate) => gate.kind === 'user' && gate.breaker === 'open'

export interface ClientInput {
  readonly timings: Timings
  /** Seed of the jitter generators. */
  readonly seed: number
}

export interface ClientContext extends ClientInput {
  readonly gate: AuthGate
  readonly token: Token | undefined
  readonly surroundings: EnvironmentChanged
  /** True once the first channel is joined. */
  readonly hasRealtime: boolean
  /** True once the first upload is added. */
  readonly hasUploads: boolean
}

const timed = ({ context: { timings } }: { context: ClientContext }) => ({ timings })

/** Each child has a jitter generator with a different seed. */
const seeded =
  (n: number) =>
  ({ context: { timings, seed } }: { context: ClientContext }) => ({ timings, seed: seed + n })

export const clientMachine = setup({
  types: {
    context: {} as ClientContext,
    input: {} as ClientInput,
    emitted: {} as ClientEmitted,
    children: {} as {
      session: 'session'
      refresh: 'refresh'
      requests: 'requests'
      realtime: 'realtime'
      uploads: 'uploads'
      tab: 'tab'
      environment: 'environment'
    },
    events: {} as
      | ClientCommand
      | SessionReport
      | TokenEvent
      | RefreshReport
      | TabReport
      | RequestsReport
      | RealtimeReport
      | EnvironmentEvent
      | Extract<RefreshCommand, { type: 'token.needed' | 'realtime.wanted' }>,
  },
  actors: {
    session: sessionMachine,
    refresh: refreshMachine,
    requests: requestsMachine,
    realtime: declaredRealtime,
    uploads: declaredUploads,
    tab: tabMachine,
    environment,
  },
  guards: {
    isScopeOthers: (_, params: { scope: SignOutScope }) => params.scope === 'others',
    isCurrentToken: ({ context: { token, gate } }, params: { tokenId: string }) =>
      token?.id === params.tokenId && !isBroken(gate),
    isPastToken: ({ context: { token } }, { at }: { at?: number }) =>
      token !== undefined && at !== undefined && isExpired(token, at),
  },
  actions: {
    toSession: sendTo('session', (_, event: SessionCommand | TokenEvent | StoredChanged) => event),
    toRefresh: sendTo('refresh', (_, event: RefreshCommand | EnvironmentEvent | TickEvent) => event),
    toTab: sendTo('tab', (_, event: TabCommand | EnvironmentEvent) => event),
    toRequests: sendTo('requests', (_, event: RequestCommand | EnvironmentChanged) => event),
    /** Realtime starts with the first channel and receives the current gate and environment. */
    startRealtime: enqueueActions(({ context, enqueue }) => {
      if (context.hasRealtime) return
      enqueue.assign({ hasRealtime: true })
      enqueue.spawnChild('realtime', { id: 'realtime', input: seeded(3)({ context }) })
      enqueue.sendTo('realtime', { type: 'gate.changed', gate: context.gate })
      enqueue.sendTo('realtime', context.surroundings)
    }),
    toRealtime: enqueueActions(({ context, enqueue }, event: TopicCommand | EnvironmentEvent) => {
      if (context.hasRealtime) enqueue.sendTo('realtime', event)
    }),
    /** The uploads machine starts with the first upload. */
    toUploads: enqueueActions(({ context, enqueue }, event: UploadsCommand | EnvironmentChanged) => {
      if (!context.hasUploads) {
        if (event.type !== 'uploads.add') return
        enqueue.assign({ hasUploads: true })
        enqueue.spawnChild('uploads', { id: 'uploads', input: seeded(4)({ context }) })
        enqueue.sendTo('uploads', context.surroundings)
      }
      enqueue.sendTo('uploads', event)
    }),
    keepEnvironment: assign((_, surroundings: EnvironmentChanged) => ({ surroundings })),
    openGate: assign(({ context }, params: { token: Token }) => ({
      token: params.token,
      gate: gateWithBreaker(userGate(params.token, context.timings), isBroken(context.gate)),
    })),
    breakGate: assign(({ context: { gate, token, timings } }, params: { live: boolean }) => ({
      gate: gateWithBreaker(params.live && token ? userGate(token, timings) : gate, true),
    })),
    mendGate: assign(({ context }) => ({ gate: gateWithBreaker(context.gate, false) })),
    closeGate: assign(({ context }) => ({ gate: closedGate(context.gate) })),
    freeGate: assign({ token: undefined, gate: { kind: 'anonymous' } }),
    tellGate: enqueueActions(({ context, enqueue }) => {
      const event: AuthGateEvent = { type: 'gate.changed', gate: context.gate }
      if (context.hasRealtime) enqueue.sendTo('realtime', event)
      enqueue.sendTo('requests', event)
    }),
    tell: emit((_, event: ClientEmitted) => event),
  },
}).createMachine({
  id: 'client',
  context: ({ input }) => ({
    ...input,
    gate: { kind: 'booting' },
    token: undefined,
    surroundings: { type: 'environment.changed', online: true, visible: true },
    hasRealtime: false,
    hasUploads: false,
  }),
  invoke: [
    { id: 'refresh', src: 'refresh', input: seeded(1) },
    { id: 'requests', src: 'requests', input: seeded(2) },
    { id: 'tab', src: 'tab', input: timed },
    { id: 'environment', src: 'environment' },
    { id: 'session', src: 'session', input: timed },
  ],
  on: {
    'session.signIn': toSession,
    'session.signOut': [
      { guard: { type: 'isScopeOthers', params: eventParams }, ...toSession },
      {
        description: 'First stops a running refresh, which would store the session again.',
        actions: [
          { type: 'toRefresh', params: { type: 'session.ended' } },
          { type: 'toSession', params: eventParams },
        ],
      },
    ],
    'session.commit': toSession,
    'session.verify': toSession,
    'auth.settled': tell,
    'session.started': withToken,
    'session.ended': {
      actions: [
        'freeGate',
        { type: 'toRefresh', params: { type: 'session.ended' } },
        { type: 'toTab', params: eventParams },
        'tellGate',
      ],
    },
    'stored.changed': toSession,
    'tab.role': { actions: { type: 'toRefresh', params: eventParams } },
    'token.adopted': {
      description: 'The session adopted a token that another tab rotated.',
      ...withToken,
    },
    'token.needed': { actions: { type: 'toRefresh', params: eventParams } },
    'realtime.wanted': {
      actions: [
        { type: 'toRefresh', params: eventParams },
        { type: 'toTab', params: eventParams },
      ],
    },
    'breaker.opened': {
      description:
        'Waiting requests continue with a token that is still live instead of hanging until the breaker closes.',
      actions: [{ type: 'breakGate', params: eventParams }, 'tellGate'],
    },
    'breaker.closed': { actions: ['mendGate', 'tellGate'] },
    'refresh.request': { actions: { type: 'toRefresh', params: { type: 'refresh.request' } } },
    'token.due': toSession,
    'token.refreshing': toSession,
    'token.delayed': toSession,
    'token.rotated': {
      actions: [
        { type: 'openGate', params: eventParams },
        { type: 'toSession', params: eventParams },
        { type: 'toTab', params: eventParams },
        'tellGate',
      ],
    },
    'token.expired': withoutToken,
    'token.refused': withoutToken,
    'token.rejected': {
      guard: { type: 'isCurrentToken', params: eventParams },
      actions: ['closeGate', { type: 'toRefresh', params: { type: 'refresh.request' } }, 'tellGate'],
    },
    'request.start': [
      {
        guard: { type: 'isPastToken', params: eventParams },
        description: 'After the device slept, this request is the first to notice the expired token.',
        actions: [
          'closeGate',
          'tellGate',
          { type: 'toRefresh', params: ({ event }) => ({ type: 'clock.tick', at: event.at ?? 0 }) },
          toRequests.actions,
        ],
      },
      toRequests,
    ],
    'request.abort': toRequests,
    'request.receiving': tell,
    'request.settled': tell,
    'channel.join': { actions: ['startRealtime', toRealtime.actions] },
    'channel.leave': toRealtime,
    'channel.command': toRealtime,
    'realtime.connect': toRealtime,
    'realtime.disconnect': toRealtime,
    'uploads.add': toUploads,
    'uploads.clear': toUploads,
    'upload.command': toUploads,
    'environment.woke': {
      actions: [
        { type: 'toRefresh', params: eventParams },
        { type: 'toRealtime', params: eventParams },
      ],
    },
    'environment.changed': {
      actions: [
        { type: 'keepEnvironment', params: eventParams },
        { type: 'toTab', params: eventParams },
        { type: 'toRefresh', params: eventParams },
        { type: 'toRealtime', params: eventParams },
        { type: 'toUploads', params: eventParams },
        { type: 'toRequests', params: eventParams },
      ],
    },
  },
})
