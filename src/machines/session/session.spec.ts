import { specify, briefly } from '../specify.ts'
import {
  CALLS,
  hour,
  high,
  factor,
  ofUser,
  network,
  refused,
  shared,
  renew,
  awaits,
  settles,
  ignoresCalls,
} from '../samples.ts'
import { DEFAULT_TIMINGS as timings } from '../timings.ts'
import { sessionMachine } from './session.ts'

const NO_SESSION = ['booting.*', 'signedOut.*', 'authenticating', 'ending', 'signingOut.*']
const lateEvent = <Type extends string>(event: Type) => ({
  event,
  states: NO_SESSION,
  reason: "The token's session has ended or does not exist yet.",
})

export const sessionSpec = specify(sessionMachine, {
  about: 'The signed-in user, from startup to the end of the session; runs account operations one at a time.',
  ports: {
    authenticate: {
      about: 'Exchanges the credentials in the vault under `attempt` for a session and stores it.',
      sends: {
        ...shared('port.broken', ...CALLS),
        'auth.failed': [{ failure: network }],
        'auth.succeeded': [hour, high, factor].flatMap(token => [
          { token } as const,
          { token, recovery: true } as const,
        ]),
        'auth.unconfirmed': [{ user: { id: 'skipper' } }],
      },
      healthy: 'auth.succeeded',
      progress: CALLS,
    },
    detectUrl: {
      about: "Checks whether the page's URL carries auth parameters, and removes them immediately.",
      sends: {
        ...shared('port.broken'),
        'url.failed': [{ failure: network }],
        'url.foreign': [{}],
        'url.found': [{ attempt: 'u', kind: 'code', recovery: false }],
        'url.mismatch': [{ failure: network }],
        'url.none': [{}],
        'url.verifierMissing': [{ failure: network }],
      },
      healthy: 'url.none',
    },
    loadUser: {
      about: 'Loads the signed-in user from the server.',
      sends: {
        ...shared('port.broken'),
        'user.failed': [network, refused].map(failure => ({ failure })),
        'user.loaded': ofUser.map(token => ({ token })),
      },
      healthy: 'user.loaded',
    },
    readSession: {
      about:
        'Reads the stored session: from an earlier run, or what other tabs made of the one behind `tokenId`.',
      sends: { ...shared('port.broken', 'stored.corrupt', 'stored.found', 'stored.none', 'stored.same') },
      // Without a current token nothing can be the same as it.
      healthy: input => (input?.tokenId === undefined ? 'stored.none' : 'stored.same'),
    },
    removeSession: {
      about:
        'Removes the stored session. With `isOver`, the secret is removed too, and the stored session only if it is that one; otherwise the secret is kept until the session is revoked on the server.',
      sends: { ...shared('port.broken'), 'stored.removed': [{}] },
      healthy: 'stored.removed',
    },
    revoke: {
      about:
        'Revokes the session on the server, then removes the secret; with `others`, revokes the other sessions.',
      sends: {
        ...shared('port.broken', ...CALLS),
        'revoke.failed': [{ failure: network }],
        'revoke.succeeded': [{}],
      },
      healthy: 'revoke.succeeded',
      progress: CALLS,
    },
    storeSession: {
      about: 'Stores the session or user that an account call left in the vault under `attempt`.',
      sends: {
        ...shared('port.broken'),
        'session.storeFailed': [{ failure: network }],
        'session.stored': ofUser.map(token => ({ token })),
      },
      healthy: 'session.stored',
    },
  },
  events: {
    ...shared(
      'session.commit',
      'session.signIn',
      'session.signOut',
      'session.verify',
      'stored.changed',
      'token.delayed',
      'token.due',
      'token.expired',
      'token.refreshing',
      'token.refused',
      'token.rotated',
    ),
    'recovery.ended': [{}],
  },
  raised: ['recovery.ended'],
  ignored: [
    ...ignoresCalls,
    lateEvent('token.due'),
    lateEvent('token.refreshing'),
    lateEvent('token.delayed'),
    lateEvent('token.expired'),
    lateEvent('token.refused'),
    lateEvent('token.rotated'),
    {
      event: 'stored.same',
      states: ['booting.*', 'signedOut.checkingStorage'],
      reason: 'Responds to a check of a current token; here there is none.',
    },
    {
      event: 'recovery.ended',
      states: [...NO_SESSION, 'authenticated.recovery.none'],
      reason: 'There is no recovery to end.',
    },
  ],
  inputs: [{ timings }],
  situation: ({ token, jobs, verifications }) => [
    token && [token.aal, token.hasFactor],
    jobs[0]?.kind,
    briefly(verifications),
  ],
  renew,
  awaits,
  settles,
  rests: snapshot =>
    snapshot.context.jobs.length === 0 &&
    snapshot.context.verifications.length === 0 &&
    (snapshot.matches({ authenticated: { work: 'idle' } }) || snapshot.matches('signedOut')),
  goal: snapshot => snapshot.matches('authenticated'),
})
