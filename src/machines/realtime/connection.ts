// The realtime socket: opened with a fresh token, monitored while open, and reopened with growing delays.
import {
  dueAt,
  type AuthGateEvent,
  identityOf,
  hasNewCredentials,
  isOpen,
  keyRefusalOf,
  type AuthGate,
} from '../session/gate.ts'
import { withEvent } from '../with-event.ts'
import { assign, enqueueActions, sendParent, sendTo, setup } from 'xstate'
import type { KeyReport } from '../api-key.ts'
import { planRetry } from '../backoff.ts'
import { type AccessRefusal, isKeyRefusal } from '../failure.ts'
import { OTHER_USER } from './channel-events.ts'
import { classifyStatus } from './channel-setup.ts'
import { probeSocket, socket, type EnvironmentEvent, type ProbeEvent, type SocketEvent } from '../ports.ts'
import type { Timings } from '../timings.ts'

export type ConnectionCommand =
  | { readonly type: 'connection.open' }
  /** No channel is in use. */
  | { readonly type: 'connection.release' }
  /** Closes immediately, even with channels in use. */
  | { readonly type: 'connection.close' }

export type ConnectionReport =
  | { readonly type: 'connection.opened' }
  | { readonly type: 'connection.lost'; readonly reason: string }
  /** Blocked until a fresh token arrives. */
  | { readonly type: 'token.needed' }
  | Extract<KeyReport, { type: 'key.refused' }>

export interface ConnectionContext {
  readonly timings: Timings
  readonly gate: AuthGate
  readonly online: boolean
  readonly visible: boolean
  readonly frozen: boolean
  /** Failed attempts in a row. */
  readonly attempt: number
  readonly delay: number
  readonly seed: number
  readonly reason: string | undefined
  /** The HTTP response to a probe in place of the last socket. */
  readonly probeResponse: ProbeResponse | undefined
}

export type EnvironmentState = Extract<EnvironmentEvent, { type: 'environment.changed' }>
/** An HTTP response to a probe of the socket's URL. */
export type ProbeResponse = {
  readonly status: number
  readonly retryAfter?: number
  readonly refusal?: AccessRefusal
}

/** The reason for closing a socket of a page that was hidden for long. */
const HIDDEN = 'hidden'

const isRateLimited = (response: ProbeResponse | undefined) =>
  response !== undefined && classifyStatus(response.status) === 'rateLimited'

const connectionSetup = setup({
  types: {
    context: {} as ConnectionContext,
    events: {} as ConnectionCommand | AuthGateEvent | EnvironmentEvent | SocketEvent | ProbeEvent,
    input: {} as { timings: Timings; seed: number },
  },
  actors: { socket, probeSocket },
  delays: {
    connectTimeout: ({ context }) => context.timings.connectTimeout,
    tokenTimeout: ({ context }) => context.timings.tokenTimeout,
    authTimeout: ({ context }) => context.timings.authTimeout,
    probeTimeout: ({ context }) => context.timings.probeTimeout,
    suspendHiddenAfter: ({ context }) => context.timings.suspendHiddenAfter,
    lingerFor: ({ context }) => context.timings.lingerFor,
    settleAfter: ({ context }) => context.timings.settleAfter,
    deniedRetry: ({ context }) => context.timings.deniedRetry,
    retryDelay: ({ context }) => context.delay,
  },
  guards: {
    mustSuspend: ({ context }) => !context.online || context.frozen,
    isOpen: ({ context }) => isOpen(context.gate),
    isHidden: ({ context }) => !context.visible,
    isVisible: ({ context }) => context.visible,
    /** A socket closed while hidden reconnects when the page becomes visible. */
    canResume: ({ context: { online, frozen, visible, reason } }) =>
      online && !frozen && (visible || reason !== HIDDEN),
    /** Regained network or visibility does not shorten `Retry-After`. */
    canRetryNow: ({ context: { probeResponse, ...before } }, { online, visible }: EnvironmentState) =>
      !isRateLimited(probeResponse) &&
      probeResponse?.retryAfter === undefined &&
      ((online && !before.online) || (visible && !before.visible)),
    isOtherUser: ({ context }, params: { gate: AuthGate }) =>
      identityOf(params.gate) !== identityOf(context.gate),
    hasNewCredentials: ({ context }, { gate }: { gate: AuthGate }) => hasNewCredentials(context.gate, gate),
    /** A refused key is not retried: the gate changes when it is accepted again. */
    isKeyAccepted: ({ context }) => keyRefusalOf(context.gate, 'realtime') === undefined,
    isDenied: (_, params: ProbeResponse) => classifyStatus(params.status) === 'denied',
  },
  actions: {
    setGate: assign((_, params: { gate: AuthGate }) => ({ gate: params.gate })),
    setEnvironment: assign((_, { online, visible, frozen = false }: EnvironmentState) => {
      return { online, visible, frozen }
    }),
    setReason: assign((_, params: { reason: string }) => ({ reason: params.reason })),
    setSuspendReason: assign(({ context: { online, frozen, reason } }) => {
      return { reason: online ? (frozen ? 'frozen' : reason) : 'offline' }
    }),
    setProbeResponse: assign((_, { status, retryAfter, refusal }: ProbeResponse) => {
      if (status < 400) return {}
      return {
        probeResponse: {
          status,
          ...(retryAfter !== undefined && { retryAfter }),
          ...(refusal && { refusal }),
        },
        reason: isKeyRefusal(refusal) ? `the API key was refused with ${status}` : `refused with ${status}`,
      }
    }),
    /** Uses a live token that could not be refreshed in time. */
    acceptDueToken: assign(({ context: { gate } }) => {
      return gate.kind === 'user' ? { gate: { ...gate, dueAt: Number.MAX_SAFE_INTEGER } } : {}
    }),
    planRetry: assign(({ context: { attempt, seed, probeResponse, timings } }) => {
      const { backoffMin, backoffMax: max } = timings
      const min = isRateLimited(probeResponse) ? max : backoffMin
      return planRetry({ attempt: attempt + 1, seed, min, max, retryAfter: probeResponse?.retryAfter })
    }),
    clearProbeResponse: assign({ probeResponse: undefined }),
    reset: assign({ attempt: 0, delay: 0, reason: undefined, probeResponse: undefined }),
    resetAttempts: assign({ attempt: 0 }),
    clearReason: assign({ reason: undefined }),
    pushToken: sendTo('socket', { type: 'token.push' }),
    probe: sendTo('socket', { type: 'socket.probe' }),
    requestToken: sendParent({ type: 'token.needed' } satisfies ConnectionReport),
    notifyKey: enqueueActions(({ context: { probeResponse }, enqueue }) => {
      const refusal = probeResponse?.refusal
      if (isKeyRefusal(refusal))
        enqueue.sendParent({ type: 'key.refused', family: 'realtime', refusal } satisfies ConnectionReport)
    }),
    notifyOpened: sendParent({ type: 'connection.opened' } satisfies ConnectionReport),
    notifyLost: sendParent(({ context }) => {
      return { type: 'connection.lost', reason: context.reason ?? 'closed' } satisfies ConnectionReport
    }),
  },
})

const setReasonTo = (reason: string) => ({ type: 'setReason', params: { reason } }) as const
const setCloseReason = {
  type: 'setReason',
  params: ({ event }: { event: { code: number; reason: string } }) => ({ reason: closeReason(event) }),
} as const
const setGate = withEvent('setGate')
const setEnvironment = withEvent('setEnvironment')

export const connectionMachine = connectionSetup.createMachine({
  id: 'connection',
  context: ({ input }) => ({
    ...input,
    gate: { kind: 'booting' },
    online: true,
    visible: true,
    frozen: false,
    attempt: 0,
    delay: 0,
    reason: undefined,
    probeResponse: undefined,
  }),
  initial: 'idle',
  on: {
    'gate.changed': { actions: setGate },
    'environment.changed': { actions: setEnvironment },
    'connection.release': '.releasing',
    'connection.close': { target: '.releasing', actions: setReasonTo('disconnected by the app') },
  },
  states: {
    idle: {
      description: 'No channel needs the socket, or the app disconnected it.',
      on: { 'connection.open': 'preparing' },
    },
    releasing: {
      description: 'The socket is not needed anymore: notifies the channels, and resets.',
      entry: ['notifyLost', 'reset'],
      always: 'idle',
    },
    preparing: {
      always: [
        { guard: 'mustSuspend', target: 'suspended' },
        { guard: 'isOpen', target: 'attached' },
        { target: 'awaitingToken' },
      ],
    },
    awaitingToken: {
      description: 'Without a token, the socket would open but receive no data.',
      entry: 'requestToken',
      on: { 'gate.changed': { target: 'preparing', actions: setGate } },
      after: { tokenTimeout: { target: 'awaitingToken', reenter: true } },
    },
    reauthBeforeReconnect: {
      description: 'The token is due, so it is refreshed before any join.',
      entry: 'requestToken',
      on: {
        'gate.changed': {
          guard: withEvent('hasNewCredentials'),
          target: 'preparing',
          actions: setGate,
        },
      },
      after: { authTimeout: { target: 'preparing', actions: 'acceptDueToken' } },
    },
    attached: {
      description: 'One socket; exiting this state closes it.',
      initial: 'connecting',
      always: { guard: 'mustSuspend', target: 'suspended' },
      invoke: {
        id: 'socket',
        src: 'socket',
        input: ({ context: { timings, gate } }) => ({
          heartbeatEvery: timings.heartbeatEvery,
          probeTimeout: timings.probeTimeout,
          freshUntil: dueAt(gate),
        }),
      },
      states: {
        connecting: {
          entry: 'clearProbeResponse',
          after: {
            connectTimeout: { target: '#connection.backingOff', actions: setReasonTo('no response') },
          },
          on: {
            'socket.opened': { target: 'open', actions: ['clearReason', 'notifyOpened'] },
            'socket.stale': '#connection.reauthBeforeReconnect',
            'socket.closed': { target: '#connection.classifying', actions: setCloseReason },
          },
        },
        open: {
          always: { guard: 'isHidden', target: 'hidden' },
          after: { settleAfter: { actions: 'resetAttempts' } },
          on: {
            'socket.silent': 'probing',
            'environment.woke': 'probing',
            'connection.release': 'lingering',
          },
        },
        hidden: {
          description: 'Open while the page is hidden.',
          always: { guard: 'isVisible', target: 'probing' },
          after: { suspendHiddenAfter: { target: '#connection.suspended', actions: setReasonTo(HIDDEN) } },
          on: {
            'socket.silent': 'probing',
            'environment.woke': 'probing',
            'connection.release': 'lingering',
          },
        },
        lingering: {
          description: 'No channel is in use; the socket stays open briefly for the next one.',
          always: { guard: 'mustSuspend', target: '#connection.releasing' },
          after: { lingerFor: '#connection.releasing' },
          on: {
            'connection.open': 'open',
            'environment.woke': '#connection.releasing',
            'socket.silent': '#connection.releasing',
            'socket.closed': '#connection.releasing',
            'port.broken': '#connection.releasing',
            'gate.changed': {
              guard: withEvent('isOtherUser'),
              target: '#connection.releasing',
              actions: setGate,
            },
          },
        },
        probing: {
          description: 'The connection may be dead without notice; a probe checks it.',
          entry: 'probe',
          on: { 'socket.alive': 'open' },
          after: {
            probeTimeout: {
              target: '#connection.backingOff',
              actions: setReasonTo('the socket is not responding'),
            },
          },
        },
      },
      on: {
        'socket.closed': { target: 'backingOff', actions: setCloseReason },
        'port.broken': {
          target: 'backingOff',
          actions: { type: 'setReason', params: ({ event }) => ({ reason: event.failure.message }) },
        },
        'gate.changed': [
          {
            guard: withEvent('isOtherUser'),
            target: 'preparing',
            actions: [setGate, setReasonTo(OTHER_USER), 'notifyLost'],
          },
          { guard: withEvent('hasNewCredentials'), actions: [setGate, 'pushToken'] },
        ],
      },
    },
    classifying: {
      description: 'The socket never opened. Sockets give no reason, so an HTTP request asks for it.',
      invoke: { id: 'probeSocket', src: 'probeSocket' },
      on: {
        'probe.answered': [
          { guard: withEvent('isDenied'), target: 'denied', actions: withEvent('setProbeResponse') },
          { target: 'backingOff', actions: withEvent('setProbeResponse') },
        ],
        'probe.failed': 'backingOff',
        'port.broken': 'backingOff',
      },
      after: { probeTimeout: 'backingOff' },
    },
    backingOff: {
      description: 'Waits before the next attempt; the return of network or visibility ends the wait.',
      entry: ['planRetry', 'notifyLost'],
      after: { retryDelay: 'preparing' },
      on: {
        'environment.changed': {
          guard: withEvent('canRetryNow'),
          target: 'preparing',
          actions: setEnvironment,
        },
      },
    },
    denied: {
      description: 'The backend denied the socket; a new token or time may help.',
      entry: ['planRetry', 'notifyKey', 'notifyLost'],
      after: { deniedRetry: { guard: 'isKeyAccepted', target: 'preparing' } },
      on: {
        'environment.changed': {
          guard: withEvent('canRetryNow'),
          target: 'preparing',
          actions: setEnvironment,
        },
        'gate.changed': {
          guard: withEvent('hasNewCredentials'),
          target: 'preparing',
          actions: setGate,
        },
      },
    },
    suspended: {
      description: 'Offline, frozen or hidden for long: no attempts until that changes.',
      entry: ['setSuspendReason', 'notifyLost'],
      always: { guard: 'canResume', target: 'preparing' },
    },
  },
})

function closeReason({ code, reason }: { readonly code: number; readonly reason: string }): string {
  return reason === '' ? `closed with ${code}` : `closed with ${code}: ${reason}`
}
