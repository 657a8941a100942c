// The realtime socket: opened with a fresh token, monitored while open, and reopened with growing delays.
import type { EnvironmentState } from './connection-events.ts'
import { connectionSetup, HIDDEN } from './connection-setup.ts'
import { dueAt, type AuthGateEvent } from '../session/gate.ts'
import { eventParams } from '../event-params.ts'

const setReasonTo = (reason: string) => ({ type: 'setReason', params: { reason } }) as const
const setCloseReason = {
  type: 'setReason',
  params: ({ event }: { event: { code: number; reason: string } }) => ({ reason: closeReason(event) }),
} as const
const setGate = { type: 'setGate', params: eventParams<AuthGateEvent> } as const
const setEnvironment = { type: 'setEnvironment', params: eventParams<EnvironmentState> } as const

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
          guard: { type: 'hasNewCredentials', params: eventParams<AuthGateEvent> },
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
              guard: { type: 'isOtherUser', params: eventParams },
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
            guard: { type: 'isOtherUser', params: eventParams },
            target: 'preparing',
            actions: [setGate, setReasonTo('another user'), 'notifyLost'],
          },
          {
            guard: { type: 'hasNewCredentials', params: eventParams },
            actions: [setGate, 'pushToken'],
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
            actions: { type: 'setProbeResponse', params: eventParams },
          },
          { target: 'backingOff', actions: { type: 'setProbeResponse', params: eventParams } },
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
          guard: { type: 'canRetryNow', params: eventParams<EnvironmentState> },
          target: 'preparing',
          actions: setEnvironment,
        },
      },
    },
    denied: {
      description: 'The backend denied the socket; a new token or time may help.',
      entry: ['planRetry', 'notifyLost'],
      after: { deniedRetry: 'preparing' },
      on: {
        'environment.changed': {
          guard: { type: 'canRetryNow', params: eventParams<EnvironmentState> },
          target: 'preparing',
          actions: setEnvironment,
        },
        'gate.changed': {
          guard: { type: 'hasNewCredentials', params: eventParams<AuthGateEvent> },
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
