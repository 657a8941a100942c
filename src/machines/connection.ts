// The realtime socket: opened with a fresh token, watched while it is open, and reopened with growing pauses.
import type { Surroundings } from './connection-events.ts'
import { connectionSetup, HIDDEN } from './connection-setup.ts'
import { dueAt, type GateEvent } from './gate.ts'
import { given } from './given.ts'

const because = (reason: string) => ({ type: 'keepReason', params: { reason } }) as const
const keepGate = { type: 'keepGate', params: given<GateEvent> } as const
const keepSurroundings = { type: 'keepSurroundings', params: given<Surroundings> } as const
const keepClosing = {
  type: 'keepReason',
  params: ({ event }: { event: { code: number; reason: string } }) => ({ reason: closing(event) }),
} as const
/** After these, the other side may be gone without a word. */
const suspicions = { 'socket.silent': 'probing', 'environment.woke': 'probing' } as const
/** The next token, the next user, and being back are worth a try. */
const withNextToken = {
  guard: { type: 'isAnotherCaller', params: given<GateEvent> },
  target: 'preparing',
  actions: keepGate,
} as const
const withNetwork = {
  guard: { type: 'comesNearer', params: given<Surroundings> },
  target: 'preparing',
  actions: keepSurroundings,
} as const
/** Nobody waits for a socket. */
const toIdle = { target: '#connection.idle', actions: ['tellLost', 'startAfresh'] } as const
/** The next channel that comes soon needs no socket of its own. */
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
      description: 'No channel wants the socket, or the app wants none.',
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
      description: 'A socket without the token would look open and see nothing.',
      entry: 'askForToken',
      on: { 'gate.changed': { target: 'preparing', actions: keepGate } },
      after: { tokenTimeout: { target: 'awaitingToken', reenter: true } },
    },
    reauthBeforeReconnect: {
      description: 'The token is due: it is renewed before anything is joined with it.',
      entry: 'askForToken',
      on: { 'gate.changed': withNextToken },
      after: { authTimeout: { target: 'preparing', actions: 'takeTokenAsItIs' } },
    },
    attached: {
      description: 'One life of the socket; leaving this state closes it.',
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
          after: { connectTimeout: { target: '#connection.backoff', actions: because('no answer') } },
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
          description: 'Open behind a page that nobody sees.',
          always: { guard: 'isVisible', target: 'probing' },
          after: { suspendHiddenAfter: { target: '#connection.suspended', actions: because(HIDDEN) } },
          on: { ...suspicions, ...release },
        },
        lingering: {
          description: 'No channel is in use; the socket waits a little for the next, and is not worth more.',
          always: { guard: 'mustRest', ...toIdle },
          after: { lingerFor: toIdle },
          on: {
            'connection.want': 'open',
            'environment.woke': toIdle,
            'socket.silent': toIdle,
            'socket.closed': toIdle,
            'port.broken': toIdle,
            'gate.changed': {
              guard: { type: 'isSomebodyElse', params: given },
              ...toIdle,
              actions: [keepGate, ...toIdle.actions],
            },
          },
        },
        probing: {
          description: 'Half open, perhaps: a sign of life is asked for.',
          entry: 'probe',
          on: { 'socket.alive': 'open' },
          after: {
            probeTimeout: { target: '#connection.backoff', actions: because('the socket is silent') },
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
            guard: { type: 'isSomebodyElse', params: given },
            target: 'preparing',
            actions: [keepGate, because('another user'), 'tellLost'],
          },
          {
            guard: { type: 'isAnotherCaller', params: given },
            actions: [keepGate, 'pushToken'],
          },
        ],
      },
    },
    classifying: {
      description: 'It never opened, and sockets do not say why: HTTP does.',
      invoke: { id: 'probeSocket', src: 'probeSocket' },
      on: {
        'probe.answered': [
          {
            guard: { type: 'isDenied', params: given },
            target: 'denied',
            actions: { type: 'keepAnswer', params: given },
          },
          { target: 'backoff', actions: { type: 'keepAnswer', params: given } },
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
      description: 'Refused for what we are: another token may help, or time.',
      entry: ['planRetry', 'tellLost'],
      after: { deniedRetry: 'preparing' },
      on: { 'environment.changed': withNetwork, 'gate.changed': withNextToken },
    },
    suspended: {
      description: 'Offline, frozen or long hidden: nothing is tried until that is over.',
      entry: ['keepRest', 'tellLost'],
      always: { guard: 'isBack', target: 'preparing' },
    },
  },
})

function closing({ code, reason }: { readonly code: number; readonly reason: string }): string {
  return reason === '' ? `closed with ${code}` : `closed with ${code}: ${reason}`
}
