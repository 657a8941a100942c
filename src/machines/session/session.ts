// The session's lifecycle: booting, signed out for a reason, authenticating, authenticated, signing out.
import { timedOut } from '../failure.ts'
import { eventParams } from '../event-params.ts'
import { booting } from './boot.ts'
import { attemptOf, initialSession } from './context.ts'
import { authenticated } from './live.ts'
import { failureParams, sessionSetup } from './setup.ts'

const signInTimedOut = { failure: timedOut('Signing in') }

export const sessionMachine = sessionSetup.createMachine({
  id: 'session',
  context: ({ input }) => initialSession(input.timings),
  initial: 'booting',
  on: {
    'session.signIn': {
      description: 'Sign-ins are queued.',
      actions: { type: 'queue', params: ({ event }) => ({ kind: 'signIn', attempt: event.attempt }) },
    },
    'session.commit': {
      actions: {
        type: 'queue',
        params: ({ event: { attempt, recovered = false } }) => ({ kind: 'commit', attempt, recovered }),
      },
    },
    'session.verify': { actions: { type: 'queueVerification', params: eventParams } },
    'stored.changed': {
      guard: { type: 'isWritten', params: eventParams },
      description: 'Another tab stored a session: the re-read is queued.',
      actions: { type: 'queueReread', params: eventParams },
    },
    'session.signOut': {
      description: 'No session to end: the sign-out succeeds immediately.',
      actions: { type: 'settleAttempt', params: ({ event }) => ({ attempt: event.attempt }) },
    },
  },
  states: {
    booting,
    signedOut: {
      entry: ['clearSession', 'notifyEnded', 'settleUnneededJobs'],
      initial: 'idle',
      always: [
        { guard: { type: 'isNext', params: { kind: 'signIn' } }, target: 'authenticating' },
        { guard: { type: 'isNext', params: { kind: 'reread' } }, target: '.checkingStorage' },
      ],
      states: {
        idle: {},
        revokeFailed: { description: 'The session ended here, but revoking it on the server failed.' },
        checkingStorage: {
          description: 'Another tab stored a session; reads the storage.',
          entry: { type: 'settleJob', params: {} },
          invoke: { id: 'readSession', src: 'readSession' },
          after: { storageTimeout: 'idle' },
          on: {
            'stored.found': {
              target: '#session.authenticated',
              actions: {
                type: 'startSession',
                params: ({ event }) => ({ token: event.token, isStored: true }),
              },
            },
            'stored.none': 'idle',
            'stored.corrupt': 'idle',
            'port.broken': 'idle',
          },
        },
      },
      on: {
        'session.commit': { actions: { type: 'rejectAttempt', params: eventParams } },
        'session.verify': { actions: { type: 'rejectAttempt', params: eventParams } },
      },
    },
    authenticating: {
      entry: 'clearFailures',
      invoke: {
        id: 'authenticate',
        src: 'authenticate',
        input: ({ context }) => ({ attempt: attemptOf(context) }),
      },
      after: {
        authTimeout: {
          target: 'signedOut',
          actions: [
            { type: 'settleJob', params: signInTimedOut },
            { type: 'setFailure', params: signInTimedOut },
          ],
        },
      },
      on: {
        'auth.succeeded': {
          target: 'authenticated',
          actions: [
            { type: 'startSession', params: ({ event }) => ({ ...event, isStored: false }) },
            { type: 'settleJob', params: ({ event }) => ({ user: event.token.user }) },
          ],
        },
        'auth.unconfirmed': {
          target: 'signedOut',
          actions: { type: 'settleJob', params: ({ event }) => ({ user: event.user, unconfirmed: true }) },
        },
        'auth.failed': {
          target: 'signedOut',
          actions: [
            { type: 'settleJob', params: failureParams },
            { type: 'setFailure', params: eventParams },
          ],
        },
        'port.broken': {
          target: 'signedOut',
          actions: [
            { type: 'settleJob', params: failureParams },
            { type: 'setFailure', params: eventParams },
          ],
        },
        'session.signOut': [
          {
            guard: { type: 'isScopeOthers', params: eventParams },
            actions: { type: 'queueRevokeOthers', params: eventParams },
          },
          {
            target: 'signedOut',
            actions: [
              'abortJobs',
              { type: 'settleAttempt', params: ({ event }) => ({ attempt: event.attempt }) },
            ],
          },
        ],
      },
    },
    authenticated,
    ending: {
      description: 'The session ended elsewhere; its stored data are removed.',
      invoke: {
        id: 'removeSession',
        src: 'removeSession',
        input: ({ context }) => ({ tokenId: context.token?.id ?? '', isOver: true }),
      },
      after: { storageTimeout: 'signedOut' },
      on: { 'stored.removed': 'signedOut', 'port.broken': 'signedOut' },
    },
    signingOut: {
      initial: 'removingLocal',
      states: {
        removingLocal: {
          invoke: {
            id: 'removeSession',
            src: 'removeSession',
            input: ({ context }) => ({ tokenId: context.token?.id ?? '', isOver: false }),
          },
          after: { storageTimeout: 'revoking' },
          on: { 'stored.removed': 'revoking', 'port.broken': 'revoking' },
        },
        revoking: {
          description: 'Signed out here; the session is revoked on the server.',
          entry: 'notifyEnded',
          invoke: {
            id: 'revoke',
            src: 'revoke',
            input: ({ context }) => ({ tokenId: context.token?.id ?? '', scope: context.scope }),
          },
          after: {
            authTimeout: {
              target: '#session.signedOut.revokeFailed',
              actions: { type: 'settleSignOut', params: { failure: timedOut('Revoking the session') } },
            },
          },
          on: {
            'revoke.succeeded': {
              target: '#session.signedOut',
              actions: { type: 'settleSignOut', params: {} },
            },
            'revoke.failed': {
              target: '#session.signedOut.revokeFailed',
              actions: { type: 'settleSignOut', params: failureParams },
            },
            'port.broken': {
              target: '#session.signedOut.revokeFailed',
              actions: { type: 'settleSignOut', params: failureParams },
            },
          },
        },
      },
    },
  },
})
