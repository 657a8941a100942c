// The session's lifecycle: booting, signed out for a reason, authenticating, authenticated, signing out.
import { timedOut } from '../failure.ts'
import { withEvent } from '../with-event.ts'
import { booting } from './boot.ts'
import {
  attemptOf,
  authenticating,
  initialSession,
  noSession,
  sessionSetup,
  setFailure,
  settle,
  settleFailed,
  settleSignOutFailed,
  settleUser,
  settleVerificationsFailed,
  startReceived,
  startStored,
} from './setup.ts'

const token = sessionSetup.createStateConfig({
  initial: 'fresh',
  on: {
    'token.due': '.due',
    'token.refreshing': '.refreshing',
    'token.delayed': { target: '.delayed', actions: setFailure },
    'token.expired': [{ guard: withEvent('isOffline'), target: '.offlineExpired' }, { target: '.expired' }],
    'token.rotated': [
      { guard: withEvent('isNewToken'), target: '.fresh', actions: withEvent('setToken') },
      { actions: withEvent('setToken') },
    ],
  },
  states: {
    fresh: {},
    due: {},
    refreshing: {},
    delayed: { description: 'The last refresh failed; the token is still live and a retry is scheduled.' },
    expired: { description: 'No live token; the session is kept, because only the server can end it.' },
    offlineExpired: { description: 'No live token while offline: the session waits for the network.' },
  },
})

const assurance = sessionSetup.createStateConfig({
  initial: 'deciding',
  states: {
    deciding: { always: [{ guard: 'isHighAssurance', target: 'aal2' }, { target: 'aal1' }] },
    aal1: {
      always: [
        { guard: 'isHighAssurance', target: 'aal2', actions: 'setAalRaised' },
        { guard: 'hasFactor', target: 'stepUp' },
      ],
    },
    stepUp: {
      description: 'A second factor is enrolled but not verified in this session.',
      always: [
        { guard: 'isHighAssurance', target: 'aal2', actions: 'setAalRaised' },
        { guard: 'hasNoFactor', target: 'aal1' },
      ],
    },
    aal2: { always: { guard: 'isLowAssurance', target: 'downgraded', actions: 'setAalLowered' } },
    downgraded: {
      description: 'The second factor is no longer valid for this session.',
      always: { guard: 'isHighAssurance', target: 'aal2', actions: 'setAalRaised' },
    },
  },
})

const user = sessionSetup.createStateConfig({
  initial: 'deciding',
  states: {
    deciding: { always: [{ guard: 'isStored', target: 'cached' }, { target: 'verified' }] },
    cached: {
      description: 'The user comes from storage.',
      always: { guard: 'isVerificationRequested', target: 'loading' },
      on: { 'token.rotated': { guard: withEvent('isFromServer'), target: 'verified' } },
    },
    loading: {
      invoke: { id: 'loadUser', src: 'loadUser' },
      after: {
        authTimeout: {
          target: 'cached',
          actions: { type: 'settleVerifications', params: { failure: timedOut('Loading the user') } },
        },
      },
      on: {
        'user.loaded': [
          {
            guard: withEvent('isSameUser'),
            target: 'verified',
            actions: [
              withEvent('adoptToken'),
              { type: 'settleVerifications', params: ({ event }) => ({ user: event.token.user }) },
            ],
          },
          { target: 'cached', actions: { type: 'settleVerifications', params: { failure: noSession } } },
        ],
        'user.failed': [
          {
            guard: withEvent('isTerminal'),
            target: '#session.ending',
            actions: [settleVerificationsFailed, withEvent('setTerminalReason'), 'abortJobs'],
          },
          { target: 'cached', actions: settleVerificationsFailed },
        ],
        'port.broken': { target: 'cached', actions: settleVerificationsFailed },
      },
    },
    verified: {
      description: 'The user was last confirmed by the server.',
      always: { guard: 'isVerificationRequested', target: 'loading' },
    },
  },
})

const recovery = sessionSetup.createStateConfig({
  initial: 'deciding',
  states: {
    deciding: { always: [{ guard: 'isRecovery', target: 'active' }, { target: 'none' }] },
    active: {
      description: 'Signed in by a password-recovery link; a new password is required.',
      on: { 'recovery.ended': { target: 'none', actions: 'endRecovery' } },
    },
    none: {},
  },
})

const work = sessionSetup.createStateConfig({
  initial: 'idle',
  states: {
    idle: {
      always: [
        { guard: { type: 'isNext', params: { kind: 'signIn' } }, target: 'replacingSession' },
        { guard: { type: 'isNext', params: { kind: 'commit' } }, target: 'committing' },
        { guard: { type: 'isNext', params: { kind: 'others' } }, target: 'revokingOthers' },
        { guard: { type: 'isNext', params: { kind: 'reread' } }, target: 'rereading' },
      ],
    },
    replacingSession: {
      description: 'A sign-in during a session; the session is kept until the sign-in succeeds.',
      invoke: authenticating,
      after: {
        authTimeout: {
          target: 'idle',
          actions: { type: 'settleJob', params: { failure: timedOut('Signing in') } },
        },
      },
      on: {
        'auth.succeeded': {
          target: '#session.authenticated',
          reenter: true,
          actions: [
            startReceived,
            settleUser,
            { type: 'settleVerifications', params: ({ event }) => ({ user: event.token.user }) },
          ],
        },
        'auth.unconfirmed': {
          target: 'idle',
          actions: { type: 'settleJob', params: ({ event }) => ({ user: event.user, unconfirmed: true }) },
        },
        'auth.failed': { target: 'idle', actions: settleFailed },
        'port.broken': { target: 'idle', actions: settleFailed },
      },
    },
    committing: {
      description: 'Stores the session or user that an account call returned.',
      invoke: {
        id: 'storeSession',
        src: 'storeSession',
        input: ({ context }) => ({ attempt: attemptOf(context) }),
      },
      after: {
        authTimeout: {
          target: 'idle',
          actions: { type: 'settleJob', params: { failure: timedOut('Storing the session') } },
        },
      },
      on: {
        'session.stored': [
          { guard: withEvent('isSameUser'), target: 'idle', actions: [withEvent('adoptToken'), settleUser] },
          { target: 'idle', actions: { type: 'settleJob', params: { failure: noSession } } },
        ],
        'session.storeFailed': { target: 'idle', actions: settleFailed },
        'port.broken': { target: 'idle', actions: settleFailed },
      },
    },
    revokingOthers: {
      invoke: {
        id: 'revoke',
        src: 'revoke',
        input: ({ context }) => ({ tokenId: context.token?.id ?? '', scope: 'others' }),
      },
      after: {
        authTimeout: {
          target: 'idle',
          actions: { type: 'settleJob', params: { failure: timedOut('Revoking the session') } },
        },
      },
      on: {
        'revoke.succeeded': { target: 'idle', actions: settle },
        'revoke.failed': [
          {
            guard: withEvent('isTerminal'),
            target: '#session.ending',
            actions: [settleFailed, withEvent('setTerminalReason'), 'abortJobs'],
          },
          { target: 'idle', actions: settleFailed },
        ],
        'port.broken': { target: 'idle', actions: settleFailed },
      },
    },
    rereading: {
      description: 'The stored session was changed outside this tab.',
      invoke: {
        id: 'readSession',
        src: 'readSession',
        input: ({ context }) => ({ tokenId: context.token?.id ?? '' }),
      },
      after: { storageTimeout: { target: 'idle', actions: settle } },
      on: {
        'stored.same': { target: 'idle', actions: settle },
        'stored.corrupt': { target: 'idle', actions: settle },
        'port.broken': { target: 'idle', actions: settle },
        'stored.found': [
          {
            guard: withEvent('isSameUser'),
            target: 'idle',
            actions: [
              { type: 'adoptToken', params: ({ event }) => ({ token: event.token, adopted: true }) },
              settle,
            ],
          },
          {
            target: '#session.authenticated',
            reenter: true,
            actions: [settle, 'abortJobs', startStored],
          },
        ],
        'stored.none': { target: '#session.ending', actions: [withEvent('setRemovalReason'), 'abortJobs'] },
      },
    },
  },
})

const authenticated = sessionSetup.createStateConfig({
  type: 'parallel',
  states: { token, assurance, user, recovery, work },
  on: {
    'token.refused': { target: 'ending', actions: [withEvent('setReason'), 'abortJobs'] },
    'session.signOut': [
      {
        guard: withEvent('isScopeOthers'),
        actions: { type: 'queue', params: ({ event }) => ({ kind: 'others', attempt: event.attempt }) },
      },
      { target: 'signingOut', actions: [withEvent('setSignOut'), 'abortJobs'] },
    ],
    'stored.changed': { actions: withEvent('queueReread') },
  },
})

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
    'session.verify': { actions: withEvent('queueVerification') },
    'stored.changed': {
      guard: withEvent('isWritten'),
      description: 'Another tab stored a session: the re-read is queued.',
      actions: withEvent('queueReread'),
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
          entry: settle,
          invoke: { id: 'readSession', src: 'readSession' },
          after: { storageTimeout: 'idle' },
          on: {
            'stored.found': { target: '#session.authenticated', actions: startStored },
            'stored.none': 'idle',
            'stored.corrupt': 'idle',
            'port.broken': 'idle',
          },
        },
      },
      on: {
        'session.commit': { actions: withEvent('rejectAttempt') },
        'session.verify': { actions: withEvent('rejectAttempt') },
      },
    },
    authenticating: {
      entry: 'clearFailures',
      invoke: authenticating,
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
        'auth.succeeded': { target: 'authenticated', actions: [startReceived, settleUser] },
        'auth.unconfirmed': {
          target: 'signedOut',
          actions: { type: 'settleJob', params: ({ event }) => ({ user: event.user, unconfirmed: true }) },
        },
        'auth.failed': { target: 'signedOut', actions: [settleFailed, setFailure] },
        'port.broken': { target: 'signedOut', actions: [settleFailed, setFailure] },
        'session.signOut': [
          { guard: withEvent('isScopeOthers'), actions: withEvent('queueRevokeOthers') },
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
            'revoke.failed': { target: '#session.signedOut.revokeFailed', actions: settleSignOutFailed },
            'port.broken': { target: '#session.signedOut.revokeFailed', actions: settleSignOutFailed },
          },
        },
      },
    },
  },
})
