// The root: owns the session, refresh, requests and realtime, and routes events between them.
import { assign, emit, enqueueActions, sendTo, setup } from 'xstate'
import type {
  ClientCommand,
  ClientEmitted,
  RequestCommand,
  TopicCommand,
  UploadsCommand,
} from './client-events.ts'
import { declaredRealtime } from './realtime/declared.ts'
import { declaredUploads } from './uploads/declared.ts'
import {
  isExpired,
  type Token,
  closedGate,
  gateWithBreaker,
  userGate,
  type AuthGate,
  type AuthGateEvent,
} from './session/gate.ts'
import { eventParams } from './event-params.ts'
import {
  environment,
  type EnvironmentEvent,
  type SignOutScope,
  type StoredChanged,
  type TickEvent,
} from './ports.ts'
import type { RealtimeReport } from './realtime/realtime.ts'
import type { RefreshCommand } from './refresh/setup.ts'
import { refreshMachine } from './refresh/refresh.ts'
import { requestsMachine, type RequestsReport } from './requests/requests.ts'
import type { RefreshReport, SessionCommand, SessionReport, TokenEvent } from './session/setup.ts'
import { sessionMachine } from './session/session.ts'
import { tabMachine, type TabCommand, type TabReport } from './tab.ts'
import type { Timings } from './timings.ts'

type EnvironmentChanged = Extract<EnvironmentEvent, { type: 'environment.changed' }>

const isBreakerOpen = (gate: AuthGate) => gate.kind === 'user' && gate.breaker === 'open'

export interface ClientInput {
  readonly timings: Timings
  /** Seed of the jitter generators. */
  readonly seed: number
}

export interface ClientContext extends ClientInput {
  readonly gate: AuthGate
  readonly token: Token | undefined
  readonly environment: EnvironmentChanged
  /** True once the first channel is joined. */
  readonly hasRealtime: boolean
  /** True once the first upload is added. */
  readonly hasUploads: boolean
}

const withTimings = ({ context: { timings } }: { context: ClientContext }) => ({ timings })

/** Each child has a jitter generator with a different seed. */
const withSeed =
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
      token?.id === params.tokenId && !isBreakerOpen(gate),
    isTokenExpired: ({ context: { token } }, { at }: { at?: number }) =>
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
      enqueue.spawnChild('realtime', { id: 'realtime', input: withSeed(3)({ context }) })
      enqueue.sendTo('realtime', { type: 'gate.changed', gate: context.gate })
      enqueue.sendTo('realtime', context.environment)
    }),
    toRealtime: enqueueActions(({ context, enqueue }, event: TopicCommand | EnvironmentEvent) => {
      if (context.hasRealtime) enqueue.sendTo('realtime', event)
    }),
    /** The uploads machine starts with the first upload. */
    toUploads: enqueueActions(({ context, enqueue }, event: UploadsCommand | EnvironmentChanged) => {
      if (!context.hasUploads) {
        if (event.type !== 'uploads.add') return
        enqueue.assign({ hasUploads: true })
        enqueue.spawnChild('uploads', { id: 'uploads', input: withSeed(4)({ context }) })
        enqueue.sendTo('uploads', context.environment)
      }
      enqueue.sendTo('uploads', event)
    }),
    setEnvironment: assign((_, environment: EnvironmentChanged) => ({ environment })),
    openGate: assign(({ context }, params: { token: Token }) => ({
      token: params.token,
      gate: gateWithBreaker(userGate(params.token, context.timings), isBreakerOpen(context.gate)),
    })),
    openBreaker: assign(({ context: { gate, token, timings } }, params: { live: boolean }) => ({
      gate: gateWithBreaker(params.live && token ? userGate(token, timings) : gate, true),
    })),
    closeBreaker: assign(({ context }) => ({ gate: gateWithBreaker(context.gate, false) })),
    closeGate: assign(({ context }) => ({ gate: closedGate(context.gate) })),
    resetGate: assign({ token: undefined, gate: { kind: 'anonymous' } }),
    notifyGate: enqueueActions(({ context, enqueue }) => {
      const event: AuthGateEvent = { type: 'gate.changed', gate: context.gate }
      if (context.hasRealtime) enqueue.sendTo('realtime', event)
      enqueue.sendTo('requests', event)
    }),
    emitEvent: emit((_, event: ClientEmitted) => event),
  },
}).createMachine({
  id: 'client',
  context: ({ input }) => ({
    ...input,
    gate: { kind: 'booting' },
    token: undefined,
    environment: { type: 'environment.changed', online: true, visible: true },
    hasRealtime: false,
    hasUploads: false,
  }),
  invoke: [
    { id: 'refresh', src: 'refresh', input: withSeed(1) },
    { id: 'requests', src: 'requests', input: withSeed(2) },
    { id: 'tab', src: 'tab', input: withTimings },
    { id: 'environment', src: 'environment' },
    { id: 'session', src: 'session', input: withTimings },
  ],
  on: {
    // Forwarded without further effects.
    'session.signIn': { actions: { type: 'toSession', params: eventParams } },
    'session.commit': { actions: { type: 'toSession', params: eventParams } },
    'session.verify': { actions: { type: 'toSession', params: eventParams } },
    'stored.changed': { actions: { type: 'toSession', params: eventParams } },
    'token.due': { actions: { type: 'toSession', params: eventParams } },
    'token.refreshing': { actions: { type: 'toSession', params: eventParams } },
    'token.delayed': { actions: { type: 'toSession', params: eventParams } },
    'refresh.request': { actions: { type: 'toRefresh', params: eventParams } },
    'token.needed': { actions: { type: 'toRefresh', params: eventParams } },
    'tab.role': { actions: { type: 'toRefresh', params: eventParams } },
    'request.abort': { actions: { type: 'toRequests', params: eventParams } },
    'channel.leave': { actions: { type: 'toRealtime', params: eventParams } },
    'channel.command': { actions: { type: 'toRealtime', params: eventParams } },
    'realtime.connect': { actions: { type: 'toRealtime', params: eventParams } },
    'realtime.disconnect': { actions: { type: 'toRealtime', params: eventParams } },
    'uploads.add': { actions: { type: 'toUploads', params: eventParams } },
    'uploads.clear': { actions: { type: 'toUploads', params: eventParams } },
    'upload.command': { actions: { type: 'toUploads', params: eventParams } },
    'auth.settled': { actions: { type: 'emitEvent', params: eventParams } },
    'request.receiving': { actions: { type: 'emitEvent', params: eventParams } },
    'request.settled': { actions: { type: 'emitEvent', params: eventParams } },

    // Forwarded to several children, or with an effect on the gate.
    'realtime.wanted': {
      actions: [
        { type: 'toRefresh', params: eventParams },
        { type: 'toTab', params: eventParams },
      ],
    },
    'environment.woke': {
      actions: [
        { type: 'toRefresh', params: eventParams },
        { type: 'toRealtime', params: eventParams },
      ],
    },
    'environment.changed': {
      actions: [
        { type: 'setEnvironment', params: eventParams },
        { type: 'toTab', params: eventParams },
        { type: 'toRefresh', params: eventParams },
        { type: 'toRealtime', params: eventParams },
        { type: 'toUploads', params: eventParams },
        { type: 'toRequests', params: eventParams },
      ],
    },
    'session.signOut': [
      {
        guard: { type: 'isScopeOthers', params: eventParams },
        actions: { type: 'toSession', params: eventParams },
      },
      {
        description: 'First stops a running refresh, which would store the session again.',
        actions: [
          { type: 'toRefresh', params: { type: 'session.ended' } },
          { type: 'toSession', params: eventParams },
        ],
      },
    ],
    'session.started': {
      actions: [
        { type: 'openGate', params: eventParams },
        { type: 'toRefresh', params: eventParams },
        { type: 'toTab', params: eventParams },
        'notifyGate',
      ],
    },
    'session.ended': {
      actions: [
        'resetGate',
        { type: 'toRefresh', params: { type: 'session.ended' } },
        { type: 'toTab', params: eventParams },
        'notifyGate',
      ],
    },
    'token.adopted': {
      description: 'The session adopted a token that another tab rotated.',
      actions: [
        { type: 'openGate', params: eventParams },
        { type: 'toRefresh', params: eventParams },
        { type: 'toTab', params: eventParams },
        'notifyGate',
      ],
    },
    'token.rotated': {
      actions: [
        { type: 'openGate', params: eventParams },
        { type: 'toSession', params: eventParams },
        { type: 'toTab', params: eventParams },
        'notifyGate',
      ],
    },
    'token.expired': { actions: ['closeGate', { type: 'toSession', params: eventParams }, 'notifyGate'] },
    'token.refused': { actions: ['closeGate', { type: 'toSession', params: eventParams }, 'notifyGate'] },
    'token.rejected': {
      guard: { type: 'isCurrentToken', params: eventParams },
      actions: ['closeGate', { type: 'toRefresh', params: { type: 'refresh.request' } }, 'notifyGate'],
    },
    'breaker.opened': {
      description:
        'Waiting requests continue with a token that is still live instead of hanging until the breaker closes.',
      actions: [{ type: 'openBreaker', params: eventParams }, 'notifyGate'],
    },
    'breaker.closed': { actions: ['closeBreaker', 'notifyGate'] },
    'request.start': [
      {
        guard: { type: 'isTokenExpired', params: eventParams },
        description: 'After the device slept, this request is the first to notice the expired token.',
        actions: [
          'closeGate',
          'notifyGate',
          { type: 'toRefresh', params: ({ event }) => ({ type: 'clock.tick', at: event.at ?? 0 }) },
          { type: 'toRequests', params: eventParams },
        ],
      },
      { actions: { type: 'toRequests', params: eventParams } },
    ],
    'channel.join': { actions: ['startRealtime', { type: 'toRealtime', params: eventParams }] },
  },
})
