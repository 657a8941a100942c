// The root: owns the session, refresh, requests and realtime, and routes events between them. Commands from the app
// arrive here, and events for the app leave from here.
import {
  apiKeyMachine,
  type KeyChanged,
  type KeyCommand,
  type KeyReport,
  type RefusedKeys,
} from './api-key.ts'
import { assign, emit, enqueueActions, sendTo, setup } from 'xstate'
import {
  isExpired,
  type Token,
  closedGate,
  gateWithKey,
  gateWithBreaker,
  userGate,
  type AuthGate,
  type AuthGateEvent,
} from './session/gate.ts'
import { withEvent } from './with-event.ts'
import {
  environment,
  type EnvironmentEvent,
  type SignOutScope,
  type StoredChanged,
  type TickEvent,
} from './ports.ts'
import type { RealtimeReport, realtimeMachine } from './realtime/realtime.ts'
import type { RefreshCommand } from './refresh/setup.ts'
import { refreshMachine } from './refresh/refresh.ts'
import { requestsMachine, type RequestsReport } from './requests/requests.ts'
import type { RefreshReport, SessionCommand, SessionReport, TokenEvent } from './session/setup.ts'
import { sessionMachine } from './session/session.ts'
import { tabMachine, type TabCommand, type TabReport } from './tab.ts'
import type { Timings } from './timings.ts'
import { port } from './port.ts'
import type { uploadsMachine } from './uploads/uploads.ts'
import type { ChannelCommand, ChannelOptions } from './realtime/channel-events.ts'
import type { AbortReason } from './failure.ts'
import type { RequestInfo } from './requests/request.ts'
import type { UploadCommand, UploadInfo } from './uploads/upload-info.ts'

export type RequestCommand =
  | {
      readonly type: 'request.start'
      readonly info: RequestInfo
      /**
       * Monotonic milliseconds. After the device slept, no timer may have reported the token's expiry yet.
       */
      readonly at?: number
    }
  | { readonly type: 'request.abort'; readonly id: string; readonly reason?: AbortReason }

export type TopicCommand =
  /** `use` distinguishes the uses of one topic; the options of all uses are merged. */
  | {
      readonly type: 'channel.join'
      readonly topic: string
      readonly use?: string
      readonly options: ChannelOptions
    }
  | { readonly type: 'channel.leave'; readonly topic: string; readonly use?: string }
  | { readonly type: 'channel.command'; readonly topic: string; readonly command: ChannelCommand }
  /** Closes the socket until `realtime.connect` or another channel join. */
  | { readonly type: 'realtime.disconnect' }
  | { readonly type: 'realtime.connect' }

export type UploadsCommand =
  | { readonly type: 'uploads.add'; readonly uploads: readonly UploadInfo[] }
  | { readonly type: 'upload.command'; readonly id: string; readonly command: UploadCommand }
  /** Removes finished uploads from the list. */
  | { readonly type: 'uploads.clear' }

/** Every command an app can send to the client. */
export type ClientCommand =
  | SessionCommand
  | { readonly type: 'refresh.request' }
  | Extract<RefreshCommand, { type: 'refresh.automatic' }>
  | KeyCommand
  | RequestCommand
  | TopicCommand
  | UploadsCommand

/** Events emitted to the app, after the step that caused them. Channels emit their own events directly. */
export type ClientEmitted =
  | Extract<SessionReport, { type: 'auth.settled' }>
  | Extract<RequestsReport, { type: 'request.settled' | 'request.receiving' }>

const declaredUploads = port('uploads') as unknown as typeof uploadsMachine

const declaredRealtime = port('realtime') as unknown as typeof realtimeMachine

type EnvironmentChanged = Extract<EnvironmentEvent, { type: 'environment.changed' }>

const isBreakerOpen = (gate: AuthGate) => gate.kind === 'user' && gate.breaker === 'open'

export interface ClientInput {
  readonly timings: Timings
  /** Seed of the jitter generators. */
  readonly seed: number
}

export interface ClientContext extends ClientInput {
  /** Without the state of the API key. */
  readonly gate: AuthGate
  /** The services that refuse the API key. */
  readonly refused: RefusedKeys
  readonly token: Token | undefined
  readonly environment: EnvironmentChanged
  /** True once the first channel is joined. */
  readonly hasRealtime: boolean
  /** True once the first upload is added. */
  readonly hasUploads: boolean
}

const gateOf = ({ gate, refused }: ClientContext): AuthGate => gateWithKey(gate, refused)

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
      apiKey: 'apiKey'
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
      | KeyReport
      | KeyChanged
      | Extract<RefreshCommand, { type: 'token.needed' | 'realtime.wanted' }>,
  },
  actors: {
    session: sessionMachine,
    refresh: refreshMachine,
    requests: requestsMachine,
    realtime: declaredRealtime,
    uploads: declaredUploads,
    tab: tabMachine,
    apiKey: apiKeyMachine,
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
    toApiKey: sendTo('apiKey', (_, event: KeyCommand | KeyReport | EnvironmentEvent) => event),
    toTab: sendTo('tab', (_, event: TabCommand | EnvironmentEvent) => event),
    toRequests: sendTo('requests', (_, event: RequestCommand | EnvironmentChanged) => event),
    /** Realtime starts with the first channel and receives the current gate and environment. */
    startRealtime: enqueueActions(({ context, enqueue }) => {
      if (context.hasRealtime) return
      enqueue.assign({ hasRealtime: true })
      enqueue.spawnChild('realtime', { id: 'realtime', input: withSeed(3)({ context }) })
      enqueue.sendTo('realtime', { type: 'gate.changed', gate: gateOf(context) })
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
    setRefused: assign((_, { refused }: Pick<KeyChanged, 'refused'>) => ({ refused })),
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
      const event: AuthGateEvent = { type: 'gate.changed', gate: gateOf(context) }
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
    refused: {},
    token: undefined,
    environment: { type: 'environment.changed', online: true, visible: true },
    hasRealtime: false,
    hasUploads: false,
  }),
  invoke: [
    { id: 'refresh', src: 'refresh', input: withSeed(1) },
    { id: 'requests', src: 'requests', input: withSeed(2) },
    { id: 'tab', src: 'tab', input: withTimings },
    { id: 'apiKey', src: 'apiKey', input: withTimings },
    { id: 'environment', src: 'environment' },
    { id: 'session', src: 'session', input: withTimings },
  ],
  on: {
    // Forwarded without further effects.
    'session.signIn': { actions: withEvent('toSession') },
    'session.commit': { actions: withEvent('toSession') },
    'session.verify': { actions: withEvent('toSession') },
    'stored.changed': { actions: withEvent('toSession') },
    'token.due': { actions: withEvent('toSession') },
    'token.refreshing': { actions: withEvent('toSession') },
    'token.delayed': { actions: withEvent('toSession') },
    'refresh.request': { actions: withEvent('toRefresh') },
    'refresh.automatic': { actions: withEvent('toRefresh') },
    'token.needed': { actions: withEvent('toRefresh') },
    'tab.role': { actions: withEvent('toRefresh') },
    'key.refused': { actions: withEvent('toApiKey') },
    'key.accepted': { actions: withEvent('toApiKey') },
    'key.check': { actions: withEvent('toApiKey') },
    'key.replaced': { actions: withEvent('toApiKey') },
    'request.abort': { actions: withEvent('toRequests') },
    'channel.leave': { actions: withEvent('toRealtime') },
    'channel.command': { actions: withEvent('toRealtime') },
    'realtime.connect': { actions: withEvent('toRealtime') },
    'realtime.disconnect': { actions: withEvent('toRealtime') },
    'uploads.add': { actions: withEvent('toUploads') },
    'uploads.clear': { actions: withEvent('toUploads') },
    'upload.command': { actions: withEvent('toUploads') },
    'auth.settled': { actions: withEvent('emitEvent') },
    'request.receiving': { actions: withEvent('emitEvent') },
    'request.settled': { actions: withEvent('emitEvent') },

    // Forwarded to several children, or with an effect on the gate.
    'realtime.wanted': { actions: [withEvent('toRefresh'), withEvent('toTab')] },
    'environment.woke': {
      actions: [withEvent('toRefresh'), withEvent('toRealtime'), withEvent('toApiKey')],
    },
    'key.changed': { actions: [withEvent('setRefused'), withEvent('toRefresh'), 'notifyGate'] },
    'environment.changed': {
      actions: [
        withEvent('setEnvironment'),
        withEvent('toTab'),
        withEvent('toRefresh'),
        withEvent('toRealtime'),
        withEvent('toUploads'),
        withEvent('toRequests'),
        withEvent('toApiKey'),
      ],
    },
    'session.signOut': [
      { guard: withEvent('isScopeOthers'), actions: withEvent('toSession') },
      {
        description: 'First stops a running refresh, which would store the session again.',
        actions: [{ type: 'toRefresh', params: { type: 'session.ended' } }, withEvent('toSession')],
      },
    ],
    'session.started': {
      actions: [withEvent('openGate'), withEvent('toRefresh'), withEvent('toTab'), 'notifyGate'],
    },
    'session.ended': {
      actions: [
        'resetGate',
        { type: 'toRefresh', params: { type: 'session.ended' } },
        withEvent('toTab'),
        'notifyGate',
      ],
    },
    'token.adopted': {
      description: 'The session adopted a token that another tab rotated.',
      actions: [withEvent('openGate'), withEvent('toRefresh'), withEvent('toTab'), 'notifyGate'],
    },
    'token.rotated': {
      actions: [withEvent('openGate'), withEvent('toSession'), withEvent('toTab'), 'notifyGate'],
    },
    'token.expired': { actions: ['closeGate', withEvent('toSession'), 'notifyGate'] },
    'token.refused': { actions: ['closeGate', withEvent('toSession'), 'notifyGate'] },
    'token.rejected': {
      guard: withEvent('isCurrentToken'),
      actions: ['closeGate', { type: 'toRefresh', params: { type: 'refresh.request' } }, 'notifyGate'],
    },
    'breaker.opened': {
      description:
        'Waiting requests continue with a token that is still live instead of hanging until the breaker closes.',
      actions: [withEvent('openBreaker'), 'notifyGate'],
    },
    'breaker.closed': { actions: ['closeBreaker', 'notifyGate'] },
    'request.start': [
      {
        guard: withEvent('isTokenExpired'),
        description: 'After the device slept, this request is the first to notice the expired token.',
        actions: [
          'closeGate',
          'notifyGate',
          { type: 'toRefresh', params: ({ event }) => ({ type: 'clock.tick', at: event.at ?? 0 }) },
          withEvent('toRequests'),
        ],
      },
      { actions: withEvent('toRequests') },
    ],
    'channel.join': { actions: ['startRealtime', withEvent('toRealtime')] },
  },
})
