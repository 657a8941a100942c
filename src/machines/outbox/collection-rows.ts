// The rows of one table as its collection shows them: read as the signed-in user, and read again after gaps.
import { assign, setup } from 'xstate'
import { planRetry } from '../backoff.ts'
import { type Failure, isRetryable } from '../failure.ts'
import { withEvent } from '../with-event.ts'
import {
  SIGNED_OUT,
  readRows,
  type ReadRowsEvent,
  type RowsCommand,
  watchClient,
  type WatchClientEvent,
  watchRows,
  type WatchRowsEvent,
} from './outbox-info.ts'

/** Milliseconds between attempts while the rows cannot be read. */
const RETRY = { min: 1_000, max: 60_000 } as const

export interface CollectionRowsInput {
  /** The rows are read with the API key alone, for any user. */
  readonly isPublic: boolean
  /** Seed of the jitter generator. */
  readonly seed: number
}

export interface CollectionRowsContext extends CollectionRowsInput {
  /** A user's id, `SIGNED_OUT` while signed out; undefined until the session is known. */
  readonly identity: string | undefined
  readonly online: boolean
  /** Changes may have been missed since the rows were requested. */
  readonly isOutdated: boolean
  readonly attempt: number
  readonly delay: number
  readonly failure?: Failure | undefined
}

/** Failures after which the same request can succeed: the session and the key may recover, too. */
const canRecover = (failure: Failure): boolean =>
  isRetryable(failure) || ['auth', 'apiKey', 'aborted'].includes(failure.kind)

export const collectionRowsMachine = setup({
  types: {
    context: {} as CollectionRowsContext,
    input: {} as CollectionRowsInput,
    events: {} as RowsCommand | WatchClientEvent | WatchRowsEvent | ReadRowsEvent,
  },
  actors: { watchClient, watchRows, readRows },
  delays: { retryDelay: ({ context }) => context.delay },
  guards: {
    isPublic: ({ context }) => context.isPublic,
    isSessionUnknown: ({ context }) => context.identity === undefined,
    isSignedOut: ({ context }) => context.identity === SIGNED_OUT,
    isOtherIdentity: ({ context }, { identity }: WatchClientEvent) =>
      !context.isPublic && identity !== context.identity,
    isBackOnline: ({ context }, { online }: WatchClientEvent) => online && !context.online,
    isOutdated: ({ context }) => context.isOutdated,
    canRecover: (_, { failure }: { readonly failure: Failure }) => canRecover(failure),
  },
  actions: {
    setClient: assign((_, { identity, online }: WatchClientEvent) => ({ identity, online })),
    setOutdated: assign({ isOutdated: true }),
    setRequested: assign({ isOutdated: false }),
    setFailure: assign((_, { failure }: { readonly failure: Failure }) => ({ failure })),
    resetAttempts: assign({ attempt: 0, delay: 0, failure: undefined }),
    planRetry: assign(({ context: { attempt, seed, failure } }) =>
      planRetry({ attempt: attempt + 1, seed, ...RETRY, retryAfter: failure?.retryAfter }),
    ),
  },
}).createMachine({
  id: 'collectionRows',
  context: ({ input }) => ({
    ...input,
    identity: undefined,
    online: true,
    isOutdated: false,
    attempt: 0,
    delay: 0,
  }),
  invoke: { id: 'watchClient', src: 'watchClient' },
  on: {
    'client.changed': [
      { guard: withEvent('isOtherIdentity'), target: '.choosing', actions: withEvent('setClient') },
      { actions: withEvent('setClient') },
    ],
  },
  initial: 'choosing',
  states: {
    choosing: {
      description: 'Whether the rows can be requested.',
      entry: 'resetAttempts',
      always: [
        { guard: 'isPublic', target: 'following' },
        { guard: 'isSessionUnknown', target: 'waitingForSession' },
        { guard: 'isSignedOut', target: 'signedOut' },
        { target: 'following' },
      ],
    },
    waitingForSession: { description: 'The session is not known yet; nothing is sent.' },
    signedOut: { description: 'No user is signed in: there are no rows.' },
    following: {
      description: 'Receives the changes of the table.',
      invoke: { id: 'watchRows', src: 'watchRows' },
      initial: 'reading',
      on: {
        'rows.outdated': '.reading',
        'rows.reload': '.reading',
        // The topic itself reports what is wrong with it.
        'port.broken': { target: '.failed', actions: withEvent('setFailure') },
      },
      states: {
        reading: {
          description: 'Reads all rows.',
          entry: 'setRequested',
          invoke: { id: 'readRows', src: 'readRows' },
          on: {
            'rows.read': [
              { guard: 'isOutdated', target: 'reading', reenter: true, actions: 'resetAttempts' },
              { target: 'current', actions: 'resetAttempts' },
            ],
            'rows.failed': [
              {
                guard: withEvent('canRecover'),
                target: 'pausing',
                actions: [withEvent('setFailure'), 'planRetry'],
              },
              { target: 'failed', actions: withEvent('setFailure') },
            ],
            // Not at once, so that a table that changes often is shown at all.
            'rows.outdated': { actions: 'setOutdated' },
            'rows.reload': { actions: 'setOutdated' },
          },
        },
        current: { description: 'Shows all rows, and follows their changes.' },
        pausing: {
          description: 'The rows could not be read; those that are known stay, and it is tried again.',
          on: {
            'client.changed': [
              {
                guard: withEvent('isOtherIdentity'),
                target: '#collectionRows.choosing',
                actions: withEvent('setClient'),
              },
              { guard: withEvent('isBackOnline'), target: 'reading', actions: withEvent('setClient') },
              { actions: withEvent('setClient') },
            ],
          },
          after: { retryDelay: 'reading' },
        },
        failed: { description: 'The backend refuses the rows; waits for a reload or another user.' },
      },
    },
  },
})
