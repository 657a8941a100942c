// How a session begins: with the link or provider that led to this page, else with what was stored.
import { timedOut } from './failure.ts'
import { given } from './given.ts'
import { attemptOf } from './session-context.ts'
import { sessionSetup, settleFailed } from './session-setup.ts'

const tooLong = { failure: timedOut('Following the link') }

/** A look at the storage; what it finds is handled by `booting`. */
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

/** A link that signs nobody in leaves the stored session as it is. */
const failedLink = (target: 'linkFailed' | 'flowMismatch' | 'verifierMissing') =>
  ({ target, actions: { type: 'keepLinkFailure', params: given } }) as const

const unlinked = {
  target: 'linkFailed',
  actions: [{ type: 'keepLinkFailure', params: given }, settleFailed],
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
      description: 'Does the address of the page carry a session, a code or an error for us?',
      invoke: { id: 'detectUrl', src: 'detectUrl' },
      after: { storageTimeout: 'reading' },
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
      description: 'The code or the tokens of the link become a session.',
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
    foreignIgnored: { ...reading, description: 'What the address carries is for somebody else.' },
    flowMismatch: { ...reading, description: 'Tokens in the address, where only a code is taken.' },
    verifierMissing: { ...reading, description: 'A code whose other half lies in another browser.' },
    linkFailed: { ...reading, description: 'The link was used before, has expired or was refused.' },
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
