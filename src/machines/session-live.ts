// An active session: the token's lifetime, the assurance level, the user, a recovery, and queued jobs.
import { timedOut } from './failure.ts'
import { eventParams } from './event-params.ts'
import { attemptOf, noSession } from './session-context.ts'
import { sessionSetup, settleFailed } from './session-setup.ts'

const token = sessionSetup.createStateConfig({
  initial: 'fresh',
  on: {
    'token.due': '.due',
    'token.refreshing': '.refreshing',
    'token.delayed': { target: '.delayed', actions: { type: 'keepFailure', params: eventParams } },
    'token.expired': [
      { guard: { type: 'isOffline', params: eventParams }, target: '.offlineExpired' },
      { target: '.expired' },
    ],
    'token.rotated': [
      {
        guard: { type: 'isNewToken', params: eventParams },
        target: '.fresh',
        actions: { type: 'keepToken', params: eventParams },
      },
      { actions: { type: 'keepToken', params: eventParams } },
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

const raised = { guard: 'isHighAssurance', target: 'aal2', actions: 'noteRaised' } as const

const assurance = sessionSetup.createStateConfig({
  initial: 'deciding',
  states: {
    deciding: { always: [{ guard: 'isHighAssurance', target: 'aal2' }, { target: 'aal1' }] },
    aal1: { always: [raised, { guard: 'hasFactor', target: 'stepUp' }] },
    stepUp: {
      description: 'A second factor is enrolled but not verified in this session.',
      always: [raised, { guard: 'hasNoFactor', target: 'aal1' }],
    },
    aal2: { always: { guard: 'isLowAssurance', target: 'downgraded', actions: 'noteLowered' } },
    downgraded: { description: 'The second factor is no longer valid for this session.', always: raised },
  },
})

const unread = [{ type: 'settleVerifying', params: { failure: timedOut('Loading the user') } }] as const
const settleVerifyingFailed = { ...settleFailed, type: 'settleVerifying' } as const
const look = { guard: 'isAwaited', target: 'loading' } as const
const told = { guard: { type: 'isFromServer', params: eventParams }, target: 'verified' } as const

const user = sessionSetup.createStateConfig({
  initial: 'deciding',
  states: {
    deciding: { always: [{ guard: 'isStored', target: 'cached' }, { target: 'verified' }] },
    cached: {
      description: 'The user comes from storage.',
      always: look,
      on: { 'token.rotated': told },
    },
    loading: {
      invoke: { id: 'loadUser', src: 'loadUser' },
      after: { authTimeout: { target: 'cached', actions: unread } },
      on: {
        'user.loaded': [
          {
            guard: { type: 'isSameUser', params: eventParams },
            target: 'verified',
            actions: [
              { type: 'adopt', params: eventParams },
              { type: 'settleVerifying', params: ({ event }) => ({ user: event.token.user }) },
            ],
          },
          { target: 'cached', actions: { type: 'settleVerifying', params: { failure: noSession } } },
        ],
        'user.failed': [
          {
            guard: { type: 'isTerminal', params: eventParams },
            target: '#session.ending',
            actions: [settleVerifyingFailed, { type: 'keepTerminal', params: eventParams }, 'giveUp'],
          },
          { target: 'cached', actions: settleVerifyingFailed },
        ],
        'port.broken': { target: 'cached', actions: settleVerifyingFailed },
      },
    },
    verified: { description: 'The user was last confirmed by the server.', always: look },
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

const failed = { target: 'steady', actions: settleFailed } as const
const done = { target: 'steady', actions: { type: 'settleJob', params: {} } } as const
const gaveUp = (what: string) =>
  ({ target: 'steady', actions: { type: 'settleJob', params: { failure: timedOut(what) } } }) as const
const attemptInput = ({ context }: { context: Parameters<typeof attemptOf>[0] }) => ({
  attempt: attemptOf(context),
})

const work = sessionSetup.createStateConfig({
  initial: 'steady',
  states: {
    steady: {
      always: [
        { guard: { type: 'isNext', params: { kind: 'signIn' } }, target: 'admitting' },
        { guard: { type: 'isNext', params: { kind: 'commit' } }, target: 'committing' },
        { guard: { type: 'isNext', params: { kind: 'others' } }, target: 'revokingOthers' },
        { guard: { type: 'isNext', params: { kind: 'reread' } }, target: 'rereading' },
      ],
    },
    admitting: {
      description: 'A sign-in during a session; the session is kept until the sign-in succeeds.',
      invoke: { id: 'authenticate', src: 'authenticate', input: attemptInput },
      after: { authTimeout: gaveUp('Signing in') },
      on: {
        'auth.succeeded': {
          target: '#session.authenticated',
          reenter: true,
          actions: [
            { type: 'begin', params: ({ event }) => ({ ...event, isStored: false }) },
            { type: 'settleJob', params: ({ event }) => ({ user: event.token.user }) },
            { type: 'settleVerifying', params: ({ event }) => ({ user: event.token.user }) },
          ],
        },
        'auth.unconfirmed': {
          target: 'steady',
          actions: { type: 'settleJob', params: ({ event }) => ({ user: event.user, unconfirmed: true }) },
        },
        'auth.failed': failed,
        'port.broken': failed,
      },
    },
    committing: {
      description: 'An account call returned another session or user.',
      invoke: { id: 'keepSession', src: 'keepSession', input: attemptInput },
      after: { authTimeout: gaveUp('Storing the session') },
      on: {
        'session.kept': [
          {
            guard: { type: 'isSameUser', params: eventParams },
            target: 'steady',
            actions: [
              { type: 'adopt', params: eventParams },
              { type: 'settleJob', params: ({ event }) => ({ user: event.token.user }) },
            ],
          },
          { target: 'steady', actions: { type: 'settleJob', params: { failure: noSession } } },
        ],
        'keep.failed': failed,
        'port.broken': failed,
      },
    },
    revokingOthers: {
      invoke: {
        id: 'revoke',
        src: 'revoke',
        input: ({ context }) => ({ tokenId: context.token?.id ?? '', scope: 'others' }),
      },
      after: { authTimeout: gaveUp('Revoking the session') },
      on: {
        'revoke.succeeded': done,
        'revoke.failed': [
          {
            guard: { type: 'isTerminal', params: eventParams },
            target: '#session.ending',
            actions: [settleFailed, { type: 'keepTerminal', params: eventParams }, 'giveUp'],
          },
          failed,
        ],
        'port.broken': failed,
      },
    },
    rereading: {
      description: 'The stored session was changed outside this tab.',
      invoke: {
        id: 'readSession',
        src: 'readSession',
        input: ({ context }) => ({ tokenId: context.token?.id ?? '' }),
      },
      after: { storageTimeout: done },
      on: {
        'stored.same': done,
        'stored.corrupt': done,
        'port.broken': done,
        'stored.found': [
          {
            guard: { type: 'isSameUser', params: eventParams },
            target: 'steady',
            actions: [
              { type: 'adopt', params: ({ event }) => ({ token: event.token, adopted: true }) },
              { type: 'settleJob', params: {} },
            ],
          },
          {
            target: '#session.authenticated',
            reenter: true,
            actions: [
              { type: 'settleJob', params: {} },
              'giveUp',
              { type: 'begin', params: ({ event }) => ({ token: event.token, isStored: true }) },
            ],
          },
        ],
        'stored.none': {
          target: '#session.ending',
          actions: [{ type: 'keepRemover', params: eventParams }, 'giveUp'],
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
      actions: [{ type: 'keepReason', params: eventParams }, 'giveUp'],
    },
    'session.signOut': [
      {
        guard: { type: 'isOfOthers', params: eventParams },
        actions: { type: 'queue', params: ({ event }) => ({ kind: 'others', attempt: event.attempt }) },
      },
      { target: 'signingOut', actions: [{ type: 'keepLeaving', params: eventParams }, 'giveUp'] },
    ],
    'stored.changed': { actions: { type: 'queueReread', params: eventParams } },
  },
})
