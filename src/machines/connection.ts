// The realtime socket: opened with a fresh token, monitored while open, and reopened with growing delays.
import type { EnvironmentState } from './connection-events.ts'
import { connectionSetup, HIDDEN } from './connection-setup.ts'
import { dueAt, type AuthGateEvent } from './gate.ts'
import { eventParams } from './event-params.ts'

const because = (reason: string) => ({ type: 'keepReason', params: { reason } }) as const
const keepGate = { type: 'keepGate', params: eventParams<AuthGateEvent> } as const
const keepSurroundings = { type: 'keepSurroundings', params: eventParams<EnvironmentState> } as const
const keepClosing = {
  type: 'keepReason',
  params: ({ event }: { event: { code: number; reason: string } }) => ({ reason: closing(event) }),
} as const
/** After these events, the connection may be dead without notice. */
const suspicions = { 'socket.silent': 'probing', 'environment.woke': 'probing' } as const
/** A new token, another user, or the return of network or visibility triggers a retry. */
const withNextToken = {
  guard: { type: 'isAnotherCaller', params: eventParams<AuthGateEvent> },
  target: 'preparing',
  actions: keepGate,
} as const
const withNetwork = {
  guard: { type: 'comesNearer', params: eventParams<EnvironmentState> },
  target: 'preparing',
  actions: keepSurroundings,
} as const
/** No channel needs a socket. */
const toIdle = { target: '#connection.idle', actions: ['tellLost', 'startAfresh'] } as const
/** Keeps the socket for a while, so that the next channel can reuse it. */
const release = { 'connection.release': 'lingering' } as const

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
    answer: undefined,
  }),
  initial: 'idle',
  on: {
    'gate.changed': { actions: keepGate },
    'environment.changed': { actions: keepSurroundings },
    'connection.release': toIdle,
    'connection.close': {
      ...toIdle,
      actions: [because('disconnected by the app'), ...toIdle.actions],
    },
  },
  states: {
    idle: {
      description: 'No channel needs the socket, or the app disconnected it.',
      on: { 'connection.want': 'preparing' },
    },
    preparing: {
      always: [
        { guard: 'mustRest', target: 'suspended' },
        { guard: 'isOpen', target: 'attached' },
        { target: 'awaitingToken' },
      ],
    },
    awaitingToken: {
      description: 'Without a token, the socket would open but receive no data.',
      entry: 'askForToken',
      on: { 'gate.changed': { target: 'preparing', actions: keepGate } },
      after: { tokenTimeout: { target: 'awaitingToken', reenter: true } },
    },
    reauthBeforeReconnect: {
      description: 'The token is due, so it is refreshed before any join.',
      entry: 'askForToken',
      on: { 'gate.changed': withNextToken },
      after: { authTimeout: { target: 'preparing', actions: 'takeTokenAsItIs' } },
    },
    attached: {
      description: 'One socket; exiting this state closes it.',
      initial: 'connecting',
      always: { guard: 'mustRest', target: 'suspended' },
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
          entry: 'forgetAnswer',
          after: { connectTimeout: { target: '#connection.backoff', actions: because('no response') } },
          on: {
            'socket.opened': { target: 'open', actions: ['forgetReason', 'tellOpened'] },
            'socket.stale': '#connection.reauthBeforeReconnect',
            'socket.closed': { target: '#connection.classifying', actions: keepClosing },
          },
        },
        open: {
          always: { guard: 'isHidden', target: 'hidden' },
          after: { settleAfter: { actions: 'settle' } },
          on: { ...suspicions, ...release },
        },
        hidden: {
          description: 'Open while the page is hidden.',
          always: { guard: 'isVisible', target: 'probing' },
          after: { suspendHiddenAfter: { target: '#connection.suspended', actions: because(HIDDEN) } },
          on: { ...suspicions, ...release },
        },
        lingering: {
          description: 'No channel is in use; the socket stays open briefly for the next one.',
          always: { guard: 'mustRest', ...toIdle },
          after: { lingerFor: toIdle },
          on: {
            'connection.want': 'open',
            'environment.woke': toIdle,
            'socket.silent': toIdle,
            'socket.closed': toIdle,
            'port.broken': toIdle,
            'gate.changed': {
              guard: { type: 'isSomebodyElse', params: eventParams },
              ...toIdle,
              actions: [keepGate, ...toIdle.actions],
            },
          },
        },
        probing: {
          description: 'The connection may be dead; a probe checks it.',
          entry: 'probe',
          on: { 'socket.alive': 'open' },
          after: {
            probeTimeout: { target: '#connection.backoff', actions: because('the socket is not responding') },
          },
        },
      },
      on: {
        'socket.closed': { target: 'backoff', actions: keepClosing },
        'port.broken': {
          target: 'backoff',
          actions: { type: 'keepReason', params: ({ event }) => ({ reason: event.failure.message }) },
        },
        'gate.changed': [
          {
            guard: { type: 'isSomebodyElse', params: eventParams },
            target: 'preparing',
            actions: [keepGate, because('another user'), 'tellLost'],
          },
          {
            guard: { type: 'isAnotherCaller', params: eventParams },
            actions: [keepGate, 'pushToken'],
          },
        ],
      },
    },
    classifying: {
      description: 'The socket never opened. Sockets give no reason, so an HTTP request asks for it.',
      invoke: { id: 'probeSocket', src: 'probeSocket' },
      on: {
        'probe.answered': [
          {
            guard: { type: 'isDenied', params: eventParams },
            target: 'denied',
            actions: { type: 'keepAnswer', params: eventParams },
          },
          { target: 'backoff', actions: { type: 'keepAnswer', params: eventParams } },
        ],
        'probe.failed': 'backoff',
        'port.broken': 'backoff',
      },
      after: { probeTimeout: 'backoff' },
    },
    backoff: {
      entry: ['planRetry', 'tellLost'],
      after: { pause: 'preparing' },
      on: { 'environment.changed': withNetwork },
    },
    denied: {
      description: 'The backend denied the socket; a new token or time may help.',
      entry: ['planRetry', 'tellLost'],
      after: { deniedRetry: 'preparing' },
      on: { 'environment.changed': withNetwork, 'gate.changed': withNextToken },
    },
    suspended: {
      description: 'Offline, frozen or hidden for long: no attempts until that changes.',
      entry: ['keepRest', 'tellLost'],
      always: { guard: 'isBack', target: 'preparing' },
    },
  },
})

function closing({ code, reason }: { readonly code: number; readonly reason: string }): string {
  return reason === '' ? `closed with ${code}` : `closed with ${code}: ${reason}`
}
