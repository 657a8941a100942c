// The realtime socket: opened with a fresh token, watched while it is open, and reopened with growing pauses.
import { assign, sendParent, sendTo, setup } from 'xstate'
import { backoff, pause } from './backoff.ts'
import { classifyStatus } from './channel-refusal.ts'
import type {
  Answer,
  ConnectionContext,
  ConnectionCommand,
  ConnectionReport,
  Surroundings,
} from './connection-events.ts'
import { dueAt, identityOf, isAnotherCaller, isOpen, type Gate, type GateEvent } from './gate.ts'
import { given } from './given.ts'
import { probeSocket, socket, type EnvironmentEvent, type ProbeEvent, type SocketEvent } from './ports.ts'
import type { Timings } from './timings.ts'

const HIDDEN = 'hidden'
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

export const connectionMachine = setup({
  types: {
    context: {} as ConnectionContext,
    events: {} as ConnectionCommand | GateEvent | EnvironmentEvent | SocketEvent | ProbeEvent,
    input: {} as { timings: Timings; seed: number },
  },
  actors: { socket, probeSocket },
  delays: {
    connectTimeout: ({ context }) => context.timings.connectTimeout,
    tokenTimeout: ({ context }) => context.timings.tokenTimeout,
    authTimeout: ({ context }) => context.timings.authTimeout,
    probeTimeout: ({ context }) => context.timings.probeTimeout,
    suspendHiddenAfter: ({ context }) => context.timings.suspendHiddenAfter,
    settleAfter: ({ context }) => context.timings.settleAfter,
    deniedRetry: ({ context }) => context.timings.deniedRetry,
    pause: ({ context }) => context.delay,
  },
  guards: {
    mustRest: ({ context }) => !context.online || context.frozen,
    isOpen: ({ context }) => isOpen(context.gate),
    isHidden: ({ context }) => !context.visible,
    isVisible: ({ context }) => context.visible,
    /** Whom nobody sees comes back when somebody does. */
    isBack: ({ context: { online, frozen, visible, reason } }) =>
      online && !frozen && (visible || reason !== HIDDEN),
    comesNearer: ({ context }, { online, visible }: Surroundings) =>
      (online && !context.online) || (visible && !context.visible),
    isSomebodyElse: ({ context }, params: { gate: Gate }) =>
      identityOf(params.gate) !== identityOf(context.gate),
    isAnotherCaller: ({ context }, { gate }: { gate: Gate }) => isAnotherCaller(context.gate, gate),
    isDenied: (_, params: Answer) => classifyStatus(params.status) === 'denied',
  },
  actions: {
    keepGate: assign((_, params: { gate: Gate }) => ({ gate: params.gate })),
    keepSurroundings: assign((_, { online, visible, frozen = false }: Surroundings) => {
      return { online, visible, frozen }
    }),
    keepReason: assign((_, params: { reason: string }) => ({ reason: params.reason })),
    keepRest: assign(({ context: { online, frozen, reason } }) => {
      return { reason: online ? (frozen ? 'frozen' : reason) : 'offline' }
    }),
    keepAnswer: assign((_, { status, retryAfter }: Answer) => {
      if (status < 400) return {}
      return {
        answer: { status, ...(retryAfter !== undefined && { retryAfter }) },
        reason: `refused with ${status}`,
      }
    }),
    /** A live token that could not be renewed in time is better than none. */
    takeTokenAsItIs: assign(({ context: { gate } }) => {
      return gate.kind === 'user' ? { gate: { ...gate, dueAt: Number.MAX_SAFE_INTEGER } } : {}
    }),
    planRetry: assign(({ context: { attempt, seed, answer, timings } }) => {
      const { backoffMin, backoffMax } = timings
      const isTooOften = answer !== undefined && classifyStatus(answer.status) === 'rateLimited'
      const wanted = backoff(attempt + 1, seed, isTooOften ? backoffMax : backoffMin, backoffMax)
      return { ...pause(wanted, answer?.retryAfter), answer: undefined }
    }),
    startAfresh: assign({ attempt: 0, delay: 0, reason: undefined, answer: undefined }),
    settle: assign({ attempt: 0 }),
    forgetReason: assign({ reason: undefined }),
    pushToken: sendTo('socket', { type: 'token.push' }),
    probe: sendTo('socket', { type: 'socket.probe' }),
    askForToken: sendParent({ type: 'token.needed' } satisfies ConnectionReport),
    tellOpened: sendParent({ type: 'connection.opened' } satisfies ConnectionReport),
    tellLost: sendParent(({ context }) => {
      return { type: 'connection.lost', reason: context.reason ?? 'closed' } satisfies ConnectionReport
    }),
  },
}).createMachine({
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
    'connection.release': { target: '.idle', actions: 'startAfresh' },
  },
  states: {
    idle: {
      description: 'No channel wants the socket.',
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
          on: suspicions,
        },
        hidden: {
          description: 'Open behind a page that nobody sees.',
          always: { guard: 'isVisible', target: 'probing' },
          after: { suspendHiddenAfter: { target: '#connection.suspended', actions: because(HIDDEN) } },
          on: suspicions,
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
