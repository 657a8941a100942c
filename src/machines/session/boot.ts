// How a session begins: from the link or provider that led to this page, otherwise from storage.
import { timedOut } from '../failure.ts'
import { withEvent } from '../with-event.ts'
import {
  authenticating,
  sessionSetup,
  setLinkFailure,
  settle,
  settleFailed,
  settleUser,
  startReceived,
  startStored,
} from './setup.ts'

const linkTimedOut = { failure: timedOut('Following the link') }

export const booting = sessionSetup.createStateConfig({
  description: 'Checks the URL for a session, then storage.',
  initial: 'detectingUrl',
  states: {
    detectingUrl: {
      description: 'Checks the page’s URL for a session, a code or an error.',
      invoke: { id: 'detectUrl', src: 'detectUrl' },
      after: { authTimeout: 'readingStorage' },
      on: {
        'url.none': 'readingStorage',
        'url.foreign': 'readingStorage',
        'url.mismatch': { target: 'readingStorage', actions: setLinkFailure },
        'url.verifierMissing': { target: 'readingStorage', actions: setLinkFailure },
        'url.failed': { target: 'readingStorage', actions: setLinkFailure },
        'url.found': {
          target: 'exchanging',
          actions: {
            type: 'queueFirst',
            params: ({ event }) => ({ kind: 'signIn', attempt: event.attempt }),
          },
        },
        'port.broken': { target: 'readingStorage', actions: setLinkFailure },
      },
    },
    exchanging: {
      description: 'Exchanges the code or tokens of the link for a session.',
      invoke: authenticating,
      after: {
        authTimeout: {
          target: 'readingStorage',
          actions: [
            { type: 'setLinkFailure', params: linkTimedOut },
            { type: 'settleJob', params: linkTimedOut },
          ],
        },
      },
      on: {
        'auth.succeeded': { target: '#session.authenticated', actions: [startReceived, settleUser] },
        'auth.unconfirmed': { target: 'readingStorage', actions: settle },
        'auth.failed': { target: 'readingStorage', actions: [setLinkFailure, settleFailed] },
        'port.broken': { target: 'readingStorage', actions: [setLinkFailure, settleFailed] },
      },
    },
    readingStorage: {
      description:
        'The URL carries no session for this app, or its link failed, which leaves the stored session unchanged.',
      invoke: { id: 'readSession', src: 'readSession' },
      after: {
        authTimeout: {
          target: '#session.signedOut',
          actions: {
            type: 'setReason',
            params: { reason: 'corrupt', failure: timedOut('Reading the stored session') },
          },
        },
      },
      on: {
        'stored.found': { target: '#session.authenticated', actions: startStored },
        'stored.none': '#session.signedOut',
        'stored.corrupt': {
          target: '#session.signedOut',
          actions: {
            type: 'setReason',
            params: ({ event }) => ({ reason: 'corrupt', failure: event.failure }),
          },
        },
        'port.broken': {
          target: '#session.signedOut',
          actions: {
            type: 'setReason',
            params: ({ event }) => ({ reason: 'corrupt', failure: event.failure }),
          },
        },
      },
    },
  },
  on: {
    'session.signOut': [
      { guard: withEvent('isScopeOthers'), actions: withEvent('queueRevokeOthers') },
      { target: 'signingOut', actions: [withEvent('setSignOut'), 'abortJobs'] },
    ],
  },
})
