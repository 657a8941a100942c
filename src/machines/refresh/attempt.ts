// One refresh attempt: under the session's lock, after checking what other tabs have stored.
import { assign, setup } from 'xstate'
import type { Token } from '../session/gate.ts'
import { terminalReason, timedOut, type Failure, type SignedOutReason } from '../failure.ts'
import { withEvent } from '../with-event.ts'
import {
  lock,
  readSession,
  refreshToken,
  type LockEvent,
  type ReadEvent,
  type RefreshTokenEvent,
} from '../ports.ts'
import type { Timings } from '../timings.ts'

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
  /** `check` only reads the storage. */
  readonly mode: 'check' | 'refresh'
}

export interface AttemptContext extends AttemptInput {
  /** The lock's holder exceeded its deadline. */
  readonly steal: boolean
  readonly outcome: AttemptOutcome
}

/** Input of the ports: the token whose session is read or refreshed. */
const tokenInput = ({ context: { token } }: { readonly context: AttemptContext }) => ({
  tokenId: token?.id ?? '',
})

/** Reads the storage; anything but a change by another tab continues with `target`. */
const readingThen = <Target extends string>(target: Target) =>
  ({
    invoke: { id: 'readSession', src: 'readSession', input: tokenInput },
    after: { storageTimeout: target },
    on: {
      'stored.found': { guard: withEvent('isSameToken'), target },
      'stored.same': target,
      'stored.corrupt': target,
      'port.broken': target,
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
    randomDelay: ({ context }) => (context.token?.spread ?? 0) * context.timings.aloneSpread,
  },
  guards: {
    isCheckOnly: ({ context }) => context.mode === 'check',
    isSameToken: ({ context }, { token }: { token: Token }) => token.id === context.token?.id,
    hasStolen: ({ context }) => context.steal,
    isConflict: (_, params: { failure: Failure }) => params.failure.kind === 'conflict',
    isTerminal: (_, params: { failure: Failure }) => terminalReason(params.failure) !== undefined,
  },
  actions: {
    setOutcome: assign((_, outcome: AttemptOutcome) => ({ outcome })),
    setFailed: assign((_, { failure }: { failure: Failure }): { outcome: AttemptOutcome } => ({
      outcome: { kind: 'failed', failure },
    })),
    setTimedOut: assign({ outcome: { kind: 'failed', failure: timedOut('Refreshing the session') } }),
    setStoredOutcome: assign(({ context }, { token }: { token: Token }): { outcome: AttemptOutcome } => ({
      outcome:
        token.user.id === context.token?.user.id
          ? { kind: 'adopted', token }
          : { kind: 'foreign', what: 'written' },
    })),
    setRefused: assign((_, { failure }: { failure: Failure }): { outcome: AttemptOutcome } => ({
      outcome: { kind: 'refused', reason: terminalReason(failure) ?? 'remoteRevoked', failure },
    })),
    setSteal: assign((_, { steal }: { steal: boolean }) => ({ steal })),
  },
}).createMachine({
  id: 'attempt',
  context: ({ input }) => ({ ...input, steal: false, outcome: { kind: 'same' } }),
  output: ({ context }) => context.outcome,
  initial: 'deciding',
  on: {
    'stored.found': {
      description: 'Another tab stored a newer token or another session.',
      target: '.done',
      actions: withEvent('setStoredOutcome'),
    },
    'stored.none': {
      target: '.done',
      actions: { type: 'setOutcome', params: { kind: 'foreign', what: 'removed' } },
    },
  },
  states: {
    deciding: { always: [{ guard: 'isCheckOnly', target: 'checkingStorage' }, { target: 'locked' }] },
    checkingStorage: {
      description: 'Has another tab stored something newer?',
      ...readingThen('done'),
    },
    locked: {
      description: 'At most one tab uses a refresh token at a time.',
      invoke: {
        id: 'lock',
        src: 'lock',
        input: ({ context }) => ({ steal: context.steal }),
      },
      initial: 'locking',
      on: {
        'lock.lost': { target: 'lockLost', actions: { type: 'setSteal', params: { steal: false } } },
      },
      states: {
        locking: {
          description: 'Another tab may hold the lock; a tab that holds it too long is frozen or closed.',
          after: {
            lockTimeout: [
              { guard: 'hasStolen', target: '#attempt.done', actions: 'setTimedOut' },
              { target: '#attempt.lockLost', actions: { type: 'setSteal', params: { steal: true } } },
            ],
          },
          on: {
            'lock.held': 'rereading',
            'lock.unavailable': 'waitingWithoutLock',
            'port.broken': 'waitingWithoutLock',
          },
        },
        waitingWithoutLock: {
          description: 'No locks in this browser: a random delay keeps tabs from refreshing at once.',
          after: { randomDelay: 'rereading' },
        },
        rereading: {
          description: 'Another tab may have refreshed before this one got the lock.',
          ...readingThen('refreshing'),
        },
        refreshing: {
          invoke: { id: 'refreshToken', src: 'refreshToken', input: tokenInput },
          after: { authTimeout: { target: '#attempt.done', actions: 'setTimedOut' } },
          on: {
            'refresh.succeeded': {
              target: '#attempt.done',
              actions: {
                type: 'setOutcome',
                params: ({ event }) => ({ kind: 'rotated', token: event.token }),
              },
            },
            'refresh.failed': [
              { guard: withEvent('isTerminal'), target: 'verifying', actions: withEvent('setRefused') },
              { guard: withEvent('isConflict'), target: 'verifying', actions: withEvent('setFailed') },
              { target: '#attempt.done', actions: withEvent('setFailed') },
            ],
            'port.broken': { target: '#attempt.done', actions: withEvent('setFailed') },
          },
        },
        verifying: {
          description: 'The refresh was refused or overtaken: final unless another tab rotated the token.',
          ...readingThen('#attempt.done'),
        },
      },
    },
    lockLost: {
      description: 'The lock was stolen, or its holder hangs: read the storage again first.',
      ...readingThen('locked'),
    },
    done: { type: 'final' },
  },
})
