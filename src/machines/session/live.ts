// An active session: the token's lifetime, the assurance level, the user, a recovery, and queued jobs.
import { timedOut } from '../failure.ts'
import { eventParams } from '../event-params.ts'
import { attemptOf, noSession } from './context.ts'
import { failureParams, sessionSetup } from './setup.ts'

const token = sessionSetup.createStateConfig({
  initial: 'fresh',
  on: {
    'token.due': '.due',
    'token.refreshing': '.refreshing',
    'token.delayed': { target: '.delayed', actions: { type: 'setFailure', params: eventParams } },
    'token.expired': [
      { guard: { type: 'isOffline', params: eventParams }, target: '.offlineExpired' },
      { target: '.expired' },
    ],
    'token.rotated': [
      {
        guard: { type: 'isNewToken', params: eventParams },
        target: '.fresh',
        actions: { type: 'setToken', params: eventParams },
      },
      { actions: { type: 'setToken', params: eventParams } },
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
      on: { 'token.rotated': { guard: { type: 'isFromServer', params: eventParams }, target: 'verified' } },
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
            guard: { type: 'isSameUser', params: eventParams },
            target: 'verified',
            actions: [
              { type: 'adoptToken', params: eventParams },
              { type: 'settleVerifications', params: ({ event }) => ({ user: event.token.user }) },
            ],
          },
          { target: 'cached', actions: { type: 'settleVerifications', params: { failure: noSession } } },
        ],
        'user.failed': [
          {
            guard: { type: 'isTerminal', params: eventParams },
            target: '#session.ending',
            actions: [
              { type: 'settleVerifications', params: failureParams },
              { type: 'setTerminalReason', params: eventParams },
              'abortJobs',
            ],
          },
          { target: 'cached', actions: { type: 'settleVerifications', params: failureParams } },
        ],
        'port.broken': { target: 'cached', actions: { type: 'settleVerifications', params: failureParams } },
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
      invoke: {
        id: 'authenticate',
        src: 'authenticate',
        input: ({ context }) => ({ attempt: attemptOf(context) }),
      },
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
            { type: 'startSession', params: ({ event }) => ({ ...event, isStored: false }) },
            { type: 'settleJob', params: ({ event }) => ({ user: event.token.user }) },
            { type: 'settleVerifications', params: ({ event }) => ({ user: event.token.user }) },
          ],
        },
        'auth.unconfirmed': {
          target: 'idle',
          actions: { type: 'settleJob', params: ({ event }) => ({ user: event.user, unconfirmed: true }) },
        },
        'auth.failed': { target: 'idle', actions: { type: 'settleJob', params: failureParams } },
        'port.broken': { target: 'idle', actions: { type: 'settleJob', params: failureParams } },
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
          {
            guard: { type: 'isSameUser', params: eventParams },
            target: 'idle',
            actions: [
              { type: 'adoptToken', params: eventParams },
              { type: 'settleJob', params: ({ event }) => ({ user: event.token.user }) },
            ],
          },
          { target: 'idle', actions: { type: 'settleJob', params: { failure: noSession } } },
        ],
        'session.storeFailed': { target: 'idle', actions: { type: 'settleJob', params: failureParams } },
        'port.broken': { target: 'idle', actions: { type: 'settleJob', params: failureParams } },
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
        'revoke.succeeded': { target: 'idle', actions: { type: 'settleJob', params: {} } },
        'revoke.failed': [
          {
            guard: { type: 'isTerminal', params: eventParams },
            target: '#session.ending',
            actions: [
              { type: 'settleJob', params: failureParams },
              { type: 'setTerminalReason', params: eventParams },
              'abortJobs',
            ],
          },
          { target: 'idle', actions: { type: 'settleJob', params: failureParams } },
        ],
        'port.broken': { target: 'idle', actions: { type: 'settleJob', params: failureParams } },
      },
    },
    rereading: {
      description: 'The stored session was changed outside this tab.',
      invoke: {
        id: 'readSession',
        src: 'readSession',
        input: ({ context }) => ({ tokenId: context.token?.id ?? '' }),
      },
      after: { storageTimeout: { target: 'idle', actions: { type: 'settleJob', params: {} } } },
      on: {
        'stored.same': { target: 'idle', actions: { type: 'settleJob', params: {} } },
        'stored.corrupt': { target: 'idle', actions: { type: 'settleJob', params: {} } },
        'port.broken': { target: 'idle', actions: { type: 'settleJob', params: {} } },
        'stored.found': [
          {
            guard: { type: 'isSameUser', params: eventParams },
            target: 'idle',
            actions: [
              { type: 'adoptToken', params: ({ event }) => ({ token: event.token, adopted: true }) },
              { type: 'settleJob', params: {} },
            ],
          },
          {
            target: '#session.authenticated',
            reenter: true,
            actions: [
              { type: 'settleJob', params: {} },
              'abortJobs',
              { type: 'startSession', params: ({ event }) => ({ token: event.token, isStored: true }) },
            ],
          },
        ],
        'stored.none': {
          target: '#session.ending',
          actions: [{ type: 'setRemovalReason', params: eventParams }, 'abortJobs'],
        },
      },
    },
  },
})

export const authenticated = sessionSetup.createStateConfig({
  type: 'parallel',
  states: { token, assurance, user, recovery, work },
  on: {
    'token.refused': {
      target: 'ending',
      actions: [{ type: 'setReason', params: eventParams }, 'abortJobs'],
    },
    'session.signOut': [
      {
        guard: { type: 'isScopeOthers', params: eventParams },
        actions: { type: 'queue', params: ({ event }) => ({ kind: 'others', attempt: event.attempt }) },
      },
      { target: 'signingOut', actions: [{ type: 'setSignOut', params: eventParams }, 'abortJobs'] },
    ],
    'stored.changed': { actions: { type: 'queueReread', params: eventParams } },
  },
})
