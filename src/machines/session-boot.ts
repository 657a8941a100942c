// How a session begins: from the link or provider that led to this page, otherwise from storage.
import { timedOut } from './failure.ts'
import { eventParams } from './event-params.ts'
import { attemptOf } from './session-context.ts'
import { sessionSetup, settleFailed } from './session-setup.ts'

const tooLong = { failure: timedOut('Following the link') }

/** Reads the storage; the result is handled by `booting`. */
const reading = {
  invoke: { id: 'readSession', src: 'readSession' },
  after: {
    authTimeout: {
      target: '#session.signedOut',
      actions: {
        type: 'keepReason',
        params: { reason: 'corrupt', failure: timedOut('Reading the stored session') },
      },
    },
  },
} as const

/** A failed link leaves the stored session unchanged. */
const failedLink = (target: 'linkFailed' | 'flowMismatch' | 'verifierMissing') =>
  ({ target, actions: { type: 'keepLinkFailure', params: eventParams } }) as const

const unlinked = {
  target: 'linkFailed',
  actions: [{ type: 'keepLinkFailure', params: eventParams }, settleFailed],
} as const

const corrupt = {
  target: 'signedOut',
  actions: {
    type: 'keepReason',
    params: ({ event }: { event: { failure: ReturnType<typeof timedOut> } }) => ({
      reason: 'corrupt' as const,
      failure: event.failure,
    }),
  },
} as const

export const booting = sessionSetup.createStateConfig({
  initial: 'urlDetecting',
  states: {
    urlDetecting: {
      description: 'Checks the page’s URL for a session, a code or an error.',
      invoke: { id: 'detectUrl', src: 'detectUrl' },
      after: { authTimeout: 'reading' },
      on: {
        'url.none': 'reading',
        'url.foreign': 'foreignIgnored',
        'url.mismatch': failedLink('flowMismatch'),
        'url.verifierMissing': failedLink('verifierMissing'),
        'url.failed': failedLink('linkFailed'),
        'url.found': {
          target: 'exchanging',
          actions: {
            type: 'queueFirst',
            params: ({ event }) => ({ kind: 'signIn', attempt: event.attempt }),
          },
        },
        'port.broken': failedLink('linkFailed'),
      },
    },
    exchanging: {
      description: 'Exchanges the code or tokens of the link for a session.',
      invoke: {
        id: 'authenticate',
        src: 'authenticate',
        input: ({ context }) => ({ attempt: attemptOf(context) }),
      },
      after: {
        authTimeout: {
          target: 'linkFailed',
          actions: [
            { type: 'keepLinkFailure', params: tooLong },
            { type: 'settleJob', params: tooLong },
          ],
        },
      },
      on: {
        'auth.succeeded': {
          target: '#session.authenticated',
          actions: [
            { type: 'begin', params: ({ event }) => ({ ...event, isStored: false }) },
            { type: 'settleJob', params: ({ event }) => ({ user: event.token.user }) },
          ],
        },
        'auth.unconfirmed': { target: 'reading', actions: { type: 'settleJob', params: {} } },
        'auth.failed': unlinked,
        'port.broken': unlinked,
      },
    },
    reading,
    foreignIgnored: { ...reading, description: 'The auth parameters in the URL belong to another app.' },
    flowMismatch: { ...reading, description: 'The URL carries tokens, but only a code is accepted.' },
    verifierMissing: {
      ...reading,
      description: 'The URL carries a code whose verifier is in another browser.',
    },
    linkFailed: { ...reading, description: 'The link was already used, has expired or was refused.' },
  },
  on: {
    'stored.found': {
      target: 'authenticated',
      actions: { type: 'begin', params: ({ event }) => ({ token: event.token, isStored: true }) },
    },
    'stored.none': 'signedOut',
    'stored.corrupt': corrupt,
    'port.broken': corrupt,
  },
})
