// One refresh attempt: under the session's lock, after checking what other tabs have stored.
import { assign, setup } from 'xstate'
import type { Token } from './expiry.ts'
import { terminalReason, timedOut, type Failure, type SignedOutReason } from './failure.ts'
import { eventParams } from './event-params.ts'
import {
  lock,
  readSession,
  refreshToken,
  type LockEvent,
  type ReadEvent,
  type RefreshTokenEvent,
} from './ports.ts'
import type { Timings } from './timings.ts'

/** The outcome of an attempt. */
export type AttemptOutcome =
  /** The storage contained nothing new. */
  | { readonly kind: 'same' }
  | { readonly kind: 'rotated'; readonly token: Token }
  /** Another tab's rotation was adopted. */
  | { readonly kind: 'adopted'; readonly token: Token }
  /** No session or another session is stored: the session machine decides. */
  | { readonly kind: 'foreign'; readonly what: 'written' | 'removed' }
  | { readonly kind: 'failed'; readonly failure: Failure }
  | { readonly kind: 'refused'; readonly reason: SignedOutReason; readonly failure: Failure }

export interface AttemptInput {
  readonly timings: Timings
  readonly token: Token | undefined
  /** `look` only reads the storage. */
  readonly mode: 'look' | 'ask'
}

export interface AttemptContext extends AttemptInput {
  /** The lock's holder exceeded its deadline. */
  readonly steal: boolean
  readonly outcome: AttemptOutcome
}

const REFRESHING = 'Refreshing the session'

interface Given<K extends string, V> {
  readonly event: { readonly [Name in K]: V }
}

const fail = {
  target: '#attempt.done',
  actions: {
    type: 'conclude',
    params: ({ event }: Given<'failure', Failure>) => ({ kind: 'failed', failure: event.failure }) as const,
  },
} as const

const expire = {
  target: '#attempt.done',
  actions: { type: 'conclude', params: { kind: 'failed', failure: timedOut(REFRESHING) } },
} as const

/** Reads the storage, and continues at `next` if nothing relevant changed. */
const look = <Next extends string>(next: Next) =>
  ({
    invoke: {
      id: 'readSession',
      src: 'readSession',
      input: ({ context }: { context: AttemptContext }) => ({ tokenId: context.token?.id ?? '' }),
    },
    after: { storageTimeout: next },
    on: {
      'stored.found': [
        {
          guard: { type: 'isNew', params: eventParams },
          target: '#attempt.done',
          actions: { type: 'judge', params: eventParams },
        },
        next,
      ],
      'stored.none': {
        target: '#attempt.done',
        actions: { type: 'conclude', params: { kind: 'foreign', what: 'removed' } },
      },
      'stored.same': next,
      'stored.corrupt': next,
      'port.broken': next,
    },
  }) as const

export const refreshAttemptMachine = setup({
  types: {
    context: {} as AttemptContext,
    input: {} as AttemptInput,
    output: {} as AttemptOutcome,
    events: {} as ReadEvent | LockEvent | RefreshTokenEvent,
  },
  actors: { lock, readSession, refreshToken },
  delays: {
    lockTimeout: ({ context }) => context.timings.lockTimeout,
    storageTimeout: ({ context }) => context.timings.storageTimeout,
    authTimeout: ({ context }) => context.timings.authTimeout,
    spread: ({ context }) => (context.token?.spread ?? 0) * context.timings.aloneSpread,
  },
  guards: {
    isLook: ({ context }) => context.mode === 'look',
    isNew: ({ context }, { token }: { token: Token }) => token.id !== context.token?.id,
    hasStolen: ({ context }) => context.steal,
    isOvertaken: (_, params: { failure: Failure }) => params.failure.kind === 'conflict',
    isTerminal: (_, params: { failure: Failure }) => terminalReason(params.failure) !== undefined,
  },
  actions: {
    conclude: assign((_, outcome: AttemptOutcome) => ({ outcome })),
    judge: assign(({ context }, { token }: { token: Token }): { outcome: AttemptOutcome } => ({
      outcome:
        token.user.id === context.token?.user.id
          ? { kind: 'adopted', token }
          : { kind: 'foreign', what: 'written' },
    })),
    refuse: assign((_, { failure }: { failure: Failure }): { outcome: AttemptOutcome } => ({
      outcome: { kind: 'refused', reason: terminalReason(failure) ?? 'remoteRevoked', failure },
    })),
    steal: assign((_, { steal }: { steal: boolean }) => ({ steal })),
  },
}).createMachine({
  id: 'attempt',
  context: ({ input }) => ({ ...input, steal: false, outcome: { kind: 'same' } }),
  output: ({ context }) => context.outcome,
  initial: 'deciding',
  states: {
    deciding: { always: [{ guard: 'isLook', target: 'looking' }, { target: 'locked' }] },
    looking: { description: 'Has another tab stored something newer?', ...look('#attempt.done') },
    locked: {
      description: 'At most one tab uses a refresh token at a time.',
      invoke: {
        id: 'lock',
        src: 'lock',
        input: ({ context }) => ({ steal: context.steal }),
      },
      initial: 'locking',
      on: {
        'lock.lost': { target: 'lockLost', actions: { type: 'steal', params: { steal: false } } },
      },
      states: {
        locking: {
          description: 'Another tab may hold the lock; a tab that holds it too long is frozen or closed.',
          after: {
            lockTimeout: [
              { guard: 'hasStolen', ...expire },
              { target: '#attempt.lockLost', actions: { type: 'steal', params: { steal: true } } },
            ],
          },
          on: { 'lock.held': 'rereading', 'lock.unavailable': 'spreading', 'port.broken': 'spreading' },
        },
        spreading: {
          description: 'No locks in this browser: a random delay keeps tabs from refreshing at once.',
          after: { spread: 'rereading' },
        },
        rereading: look('asking'),
        asking: {
          invoke: {
            id: 'refreshToken',
            src: 'refreshToken',
            input: ({ context }) => ({ tokenId: context.token?.id ?? '' }),
          },
          after: { authTimeout: expire },
          on: {
            'refresh.succeeded': {
              target: '#attempt.done',
              actions: {
                type: 'conclude',
                params: ({ event }) => ({ kind: 'rotated', token: event.token }),
              },
            },
            'refresh.failed': [
              {
                guard: { type: 'isTerminal', params: eventParams },
                target: 'verifying',
                actions: { type: 'refuse', params: eventParams },
              },
              { guard: { type: 'isOvertaken', params: eventParams }, ...fail, target: 'verifying' },
              fail,
            ],
            'port.broken': fail,
          },
        },
        verifying: {
          description: 'The refresh was refused or overtaken: final unless another tab rotated the token.',
          ...look('#attempt.done'),
        },
      },
    },
    lockLost: {
      description: 'The lock was stolen, or its holder hangs: read the storage again first.',
      ...look('locked'),
    },
    done: { type: 'final' },
  },
})
