// The realtime socket: opened when a channel wants it and a token is at hand, reopened with growing pauses.
import { assign, sendParent, sendTo, setup } from 'xstate'
import { backoff } from './backoff.ts'
import { identityOf, isOpen, tokenOf, type Gate, type GateEvent } from './gate.ts'
import { socket, type EnvironmentEvent, type SocketEvent } from './ports.ts'
import type { Timings } from './timings.ts'

export type ConnectionCommand = { readonly type: 'connection.want' } | { readonly type: 'connection.release' }

export type ConnectionReport =
  { readonly type: 'connection.opened' } | { readonly type: 'connection.lost'; readonly reason: string }

export interface ConnectionContext {
  readonly timings: Timings
  readonly gate: Gate
  readonly online: boolean
  /** Failed attempts in a row. */
  readonly attempt: number
  readonly delay: number
  readonly seed: number
  readonly reason: string | undefined
}

export const connectionMachine = setup({
  types: {
    context: {} as ConnectionContext,
    events: {} as ConnectionCommand | GateEvent | EnvironmentEvent | SocketEvent,
    input: {} as { timings: Timings; seed: number },
  },
  actors: { socket },
  delays: {
    connectTimeout: ({ context }) => context.timings.connectTimeout,
    pause: ({ context }) => context.delay,
  },
  guards: {
    isOffline: ({ context }) => !context.online,
    isOpen: ({ context }) => isOpen(context.gate),
    isSomebodyElse: ({ context }, params: { gate: Gate }) =>
      identityOf(params.gate) !== identityOf(context.gate),
    hasNewToken: ({ context }, params: { gate: Gate }) =>
      tokenOf(params.gate) !== undefined && tokenOf(params.gate) !== tokenOf(context.gate),
    goesOffline: (_, params: { online: boolean }) => !params.online,
  },
  actions: {
    keepGate: assign((_, params: { gate: Gate }) => ({ gate: params.gate })),
    keepOnline: assign((_, params: { online: boolean }) => ({ online: params.online })),
    keepReason: assign((_, params: { reason: string }) => ({ reason: params.reason })),
    planRetry: assign(({ context }) => {
      const { backoffMin, backoffMax } = context.timings
      return backoff(context.attempt + 1, context.seed, backoffMin, backoffMax)
    }),
    startAfresh: assign({ attempt: 0, delay: 0, reason: undefined }),
    pushToken: sendTo('socket', { type: 'token.push' }),
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
    attempt: 0,
    delay: 0,
    reason: undefined,
  }),
  initial: 'idle',
  on: {
    'gate.changed': { actions: { type: 'keepGate', params: ({ event }) => event } },
    'environment.changed': { actions: { type: 'keepOnline', params: ({ event }) => event } },
    'connection.release': { target: '.idle', actions: 'startAfresh' },
  },
  states: {
    idle: {
      description: 'No channel wants the socket.',
      on: { 'connection.want': 'preparing' },
    },
    preparing: {
      always: [
        { guard: 'isOffline', target: 'suspended' },
        { guard: 'isOpen', target: 'attached' },
        { target: 'awaitingToken' },
      ],
    },
    awaitingToken: {
      description: 'A socket without the token would look open and see nothing.',
      on: {
        'gate.changed': { target: 'preparing', actions: { type: 'keepGate', params: ({ event }) => event } },
      },
    },
    attached: {
      description: 'One life of the socket; leaving this state closes it.',
      initial: 'connecting',
      invoke: {
        id: 'socket',
        src: 'socket',
        input: ({ context }) => ({ heartbeatEvery: context.timings.heartbeatEvery }),
      },
      states: {
        connecting: {
          after: {
            connectTimeout: {
              target: '#connection.backoff',
              actions: [{ type: 'keepReason', params: { reason: 'no answer' } }, 'tellLost'],
            },
          },
          on: { 'socket.opened': 'open' },
        },
        open: { entry: ['startAfresh', 'tellOpened'] },
      },
      on: {
        'socket.closed': {
          target: 'backoff',
          actions: [{ type: 'keepReason', params: ({ event }) => ({ reason: closing(event) }) }, 'tellLost'],
        },
        'socket.silent': {
          target: 'backoff',
          actions: [{ type: 'keepReason', params: { reason: 'heartbeat unanswered' } }, 'tellLost'],
        },
        'port.broken': {
          target: 'backoff',
          actions: [
            { type: 'keepReason', params: ({ event }) => ({ reason: event.failure.message }) },
            'tellLost',
          ],
        },
        'environment.changed': [
          {
            guard: { type: 'goesOffline', params: ({ event }) => event },
            target: 'suspended',
            actions: [
              { type: 'keepOnline', params: ({ event }) => event },
              { type: 'keepReason', params: { reason: 'offline' } },
              'tellLost',
            ],
          },
          { actions: { type: 'keepOnline', params: ({ event }) => event } },
        ],
        'gate.changed': [
          {
            guard: { type: 'isSomebodyElse', params: ({ event }) => event },
            target: 'preparing',
            actions: [
              { type: 'keepGate', params: ({ event }) => event },
              { type: 'keepReason', params: { reason: 'another user' } },
              'tellLost',
            ],
          },
          {
            guard: { type: 'hasNewToken', params: ({ event }) => event },
            actions: [{ type: 'keepGate', params: ({ event }) => event }, 'pushToken'],
          },
        ],
      },
    },
    backoff: {
      entry: 'planRetry',
      after: { pause: 'preparing' },
      on: {
        'environment.changed': {
          target: 'preparing',
          actions: { type: 'keepOnline', params: ({ event }) => event },
        },
      },
    },
    suspended: {
      description: 'Offline: nothing is tried until the device is back.',
      on: {
        'environment.changed': {
          target: 'preparing',
          actions: { type: 'keepOnline', params: ({ event }) => event },
        },
      },
    },
  },
})

function closing({ code, reason }: { readonly code: number; readonly reason: string }): string {
  return reason === '' ? `closed with ${code}` : `closed with ${code}: ${reason}`
}
