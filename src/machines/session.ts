// The session's lifecycle: booting, signed out for a reason, authenticating, authenticated, signing out.
import { timedOut } from './failure.ts'
import { eventParams } from './event-params.ts'
import { booting } from './session-boot.ts'
import { attemptOf, initialSession } from './session-context.ts'
import { authenticated } from './session-live.ts'
import { sessionSetup, settleFailed } from './session-setup.ts'

const signInTimedOut = { failure: timedOut('Signing in') }
const refused = {
  target: 'signedOut',
  actions: [settleFailed, { type: 'keepFailure', params: eventParams }],
} as const

const revokeFailed = {
  target: '#session.signedOut.revokeFailed',
  actions: { ...settleFailed, type: 'settleLeaving' },
} as const

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
    'session.verify': { actions: { type: 'noteVerifying', params: eventParams } },
    'stored.changed': {
      guard: { type: 'isWritten', params: eventParams },
      description: 'Another tab stored a session: the re-read is queued.',
      actions: { type: 'queueReread', params: eventParams },
    },
    'session.signOut': {
      description: 'No session to end: the sign-out succeeds immediately.',
      actions: { type: 'settle', params: ({ event }) => ({ attempt: event.attempt }) },
    },
  },
  states: {
    booting: {
      ...booting,
      description: 'Checks the URL for a session, then storage.',
      on: {
        ...booting.on,
        'session.signOut': [
          {
            guard: { type: 'isOfOthers', params: eventParams },
            actions: { type: 'queueEarly', params: eventParams },
          },
          { target: 'signingOut', actions: [{ type: 'keepLeaving', params: eventParams }, 'giveUp'] },
        ],
      },
    },
    signedOut: {
      entry: ['forget', 'announceEnd', 'dropOthers'],
      initial: 'idle',
      always: [
        { guard: { type: 'isNext', params: { kind: 'signIn' } }, target: 'authenticating' },
        { guard: { type: 'isNext', params: { kind: 'reread' } }, target: '.looking' },
      ],
      states: {
        idle: {},
        revokeFailed: { description: 'The session ended here, but revoking it on the server failed.' },
        looking: {
          description: 'Another tab stored a session; reads the storage.',
          entry: { type: 'settleJob', params: {} },
          invoke: { id: 'readSession', src: 'readSession' },
          after: { storageTimeout: 'idle' },
          on: {
            'stored.found': {
              target: '#session.authenticated',
              actions: { type: 'begin', params: ({ event }) => ({ token: event.token, isStored: true }) },
            },
            'stored.none': 'idle',
            'stored.corrupt': 'idle',
            'port.broken': 'idle',
          },
        },
      },
      on: {
        'session.commit': { actions: { type: 'refuse', params: eventParams } },
        'session.verify': { actions: { type: 'refuse', params: eventParams } },
      },
    },
    authenticating: {
      entry: 'forgetLink',
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
            { type: 'keepFailure', params: signInTimedOut },
          ],
        },
      },
      on: {
        'auth.succeeded': {
          target: 'authenticated',
          actions: [
            { type: 'begin', params: ({ event }) => ({ ...event, isStored: false }) },
            { type: 'settleJob', params: ({ event }) => ({ user: event.token.user }) },
          ],
        },
        'auth.unconfirmed': {
          target: 'signedOut',
          actions: { type: 'settleJob', params: ({ event }) => ({ user: event.user, unconfirmed: true }) },
        },
        'auth.failed': refused,
        'port.broken': refused,
        'session.signOut': [
          {
            guard: { type: 'isOfOthers', params: eventParams },
            actions: { type: 'queueEarly', params: eventParams },
          },
          {
            target: 'signedOut',
            actions: ['giveUp', { type: 'settle', params: ({ event }) => ({ attempt: event.attempt }) }],
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
          entry: 'announceEnd',
          invoke: {
            id: 'revoke',
            src: 'revoke',
            input: ({ context }) => ({ tokenId: context.token?.id ?? '', scope: context.scope }),
          },
          after: {
            authTimeout: {
              target: '#session.signedOut.revokeFailed',
              actions: { type: 'settleLeaving', params: { failure: timedOut('Revoking the session') } },
            },
          },
          on: {
            'revoke.succeeded': {
              target: '#session.signedOut',
              actions: { type: 'settleLeaving', params: {} },
            },
            'revoke.failed': revokeFailed,
            'port.broken': revokeFailed,
          },
        },
      },
    },
  },
})
