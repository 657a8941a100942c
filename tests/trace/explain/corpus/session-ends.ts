// How sessions end, or do not begin.
import type { Failure } from '../../../../src/machines/failure.ts'
import {
  answers,
  refused,
  renewals,
  renewedElsewhere,
  stored,
  type World,
} from '../../../harness/timeline.ts'
import { token } from '../../../harness/scripted-ports.ts'
import {
  actor,
  both,
  client,
  request,
  requestR,
  sends,
  signedIn,
  signedOut,
  step,
  wait,
  type Situation,
} from './situation.ts'

const live = stored(3_000)
const expired = stored(-5)

/** The refresh of an expired token is refused. */
const refusedBy = (what: string, code: string, mentions: readonly string[], message = code): Situation =>
  client(
    `the refresh is refused: ${what}`,
    [expired, renewals(refused(code, message))],
    wait(2_000),
    signedOut,
    {
      mentions: ['signed out', ...mentions],
      reason: ['client/refresh/attempt', 'refresh.failed'],
      evidence: [{ kind: 'response', status: 400, code }],
      next: 'sign in',
    },
  )

const tab =
  (by: 'otherTab' | 'storage', what: 'written' | 'removed', found: World): World =>
  clock => ({
    readSession: (n, input) =>
      input?.tokenId === undefined
        ? (live(clock).readSession?.(n, input) ?? [])
        : (found(clock).readSession?.(n, input) ?? []),
    tabs: () => [[4_000, { type: 'stored.changed', by, what }]],
  })

const gone: World = () => ({ readSession: () => [[0, { type: 'stored.none' }]] })
const mate: World = clock => ({
  readSession: () => [[0, { type: 'stored.found', token: token(clock, 9, 3_600, 'mate') }]],
})

const signsIn =
  (failure: Failure): World =>
  () => ({
    authenticate: () => [[20, { type: 'auth.failed', failure }]],
  })
const signIn = both(wait(5), sends({ type: 'session.signIn', attempt: 'a' }), wait(20_000))

export const sessionEnds: readonly Situation[] = [
  client('no session was ever stored', [], wait(100), signedOut, {
    mentions: ['signed in', 'no session'],
    omits: ['signed out because'],
    reason: ['client/session', 'stored.none'],
    evidence: [{ kind: 'storage', content: 'nothing' }],
  }),
  client(
    'signed out by the user',
    [live],
    both(wait(10), sends({ type: 'session.signOut', attempt: 'o', scope: 'local' }), wait(1_000)),
    signedOut,
    {
      mentions: ['signed out', 'you'],
      omits: ['revoke', 'stored'],
      reason: ['client', 'session.signOut'],
      evidence: [{ kind: 'command', event: 'session.signOut' }],
    },
  ),
  client(
    'signed out everywhere by the user',
    [live],
    both(wait(10), sends({ type: 'session.signOut', attempt: 'o', scope: 'global' }), wait(1_000)),
    signedOut,
    { mentions: ['signed out', 'every'], reason: ['client', 'session.signOut'] },
  ),
  client(
    'the revocation failed after a sign-out',
    [
      live,
      () => ({
        revoke: () => [
          [5, { type: 'revoke.failed', failure: { kind: 'server', status: 503, message: 'x' } }],
        ],
      }),
    ],
    both(wait(10), sends({ type: 'session.signOut', attempt: 'o', scope: 'global' }), wait(1_000)),
    actor('client/session'),
    {
      mentions: ['503', 'revok'],
      reason: ['client/session', 'revoke.failed'],
      evidence: [{ kind: 'response', status: 503 }],
    },
  ),
  refusedBy('it was used already', 'refresh_token_already_used', ['refresh token', 'already']),
  refusedBy('it is unknown', 'refresh_token_not_found', ['refresh token', 'refresh_token_not_found']),
  refusedBy('the session was ended elsewhere', 'session_not_found', ['session', 'session_not_found']),
  refusedBy('the session has reached its longest time', 'session_expired', ['session', 'session_expired']),
  refusedBy('the user is banned', 'user_banned', ['banned']),
  refusedBy('the user was deleted', 'user_not_found', ['user', 'user_not_found']),
  client(
    'another tab had used the refresh token',
    [
      expired,
      renewals(refused('refresh_token_already_used')),
      () => ({ tabs: () => [[10, { type: 'stored.changed', by: 'otherTab', what: 'written' }]] }),
      clock => ({
        readSession: (n, input) => expired(clock).readSession?.(n, input) ?? [],
        refreshToken: () => [
          [4_010, { type: 'refresh.failed', failure: refused('refresh_token_already_used') }],
        ],
      }),
    ],
    wait(10_000),
    signedOut,
    {
      mentions: ['signed out', 'refresh_token_already_used', 'another tab', '4 s'],
      reason: ['client/refresh/attempt', 'refresh.failed'],
      evidence: [
        { kind: 'response', status: 400 },
        { kind: 'otherTab', change: 'written' },
      ],
    },
  ),
  client('another tab signed out', [tab('otherTab', 'removed', gone)], wait(10_000), signedOut, {
    mentions: ['signed out', 'another tab'],
    reason: ['client/tab', 'stored.changed', { by: 'otherTab' }],
    evidence: [{ kind: 'otherTab', change: 'removed' }],
  }),
  client('the site’s data were cleared', [tab('storage', 'removed', gone)], wait(10_000), signedOut, {
    mentions: ['signed out', 'storage', 'removed'],
    omits: ['another tab'],
    reason: ['client/tab', 'stored.changed', { by: 'storage' }],
    evidence: [{ kind: 'storage', content: 'removed' }],
  }),
  client(
    'another tab signed in as another user',
    [tab('otherTab', 'written', mate)],
    wait(10_000),
    signedIn,
    {
      mentions: ['another tab', 'session'],
      reason: ['client/tab', 'stored.changed', { what: 'written' }],
      evidence: [{ kind: 'otherTab', change: 'written' }],
    },
  ),
  client(
    'a session that was stored by another tab appears',
    [
      clock => ({
        readSession: n =>
          n === 1 ? [[1, { type: 'stored.none' }]] : [[0, { type: 'stored.found', token: token(clock, 9) }]],
        tabs: () => [[3_000, { type: 'stored.changed', by: 'otherTab', what: 'written' }]],
      }),
    ],
    wait(5_000),
    signedIn,
    {
      mentions: ['signed in', 'another tab'],
      reason: ['client/tab', 'stored.changed', { what: 'written' }],
      evidence: [{ kind: 'otherTab', change: 'written' }],
    },
  ),
  client(
    'the stored session is broken',
    [
      () => ({
        readSession: () => [[1, { type: 'stored.corrupt', failure: { kind: 'decode', message: 'x' } }]],
      }),
    ],
    wait(100),
    signedOut,
    {
      mentions: ['signed in', 'stored session', 'read'],
      reason: ['client/session', 'stored.corrupt'],
      evidence: [{ kind: 'storage', content: 'unreadable' }],
      next: 'sign in',
    },
  ),
  client('the storage never answers', [() => ({ readSession: () => [] })], wait(20_000), signedOut, {
    mentions: ['stored session', '15 s'],
    reason: ['client/session', 'xstate.after.authTimeout.session.booting.readingStorage'],
    evidence: [{ kind: 'timer', delay: 15_000 }],
  }),
  client(
    'the JWT secret was changed: a new token is refused, too',
    [live, answers(401)],
    both(wait(10), request(), wait(5_000)),
    requestR,
    {
      mentions: ['GET /rest/v1/vessels', '401', 'new token'],
      reason: ['client/requests/request.r', 'send.answered', { status: 401 }],
      evidence: [{ kind: 'response', status: 401 }],
    },
  ),
  client(
    'loading the user reports that the session is over',
    [live, () => ({ loadUser: () => [[5, { type: 'user.failed', failure: refused('session_not_found') }]] })],
    both(wait(10), sends({ type: 'session.verify', attempt: 'v' }), wait(1_000)),
    signedOut,
    {
      mentions: ['signed out', 'session_not_found'],
      reason: ['client/session', 'user.failed'],
      evidence: [{ kind: 'response', status: 400, code: 'session_not_found' }],
    },
  ),
  client(
    'a wrong password',
    [signsIn({ kind: 'auth', status: 400, code: 'invalid_credentials', message: 'x' })],
    signIn,
    signedOut,
    {
      mentions: ['sign', 'invalid_credentials'],
      reason: ['client/session', 'auth.failed'],
      evidence: [{ kind: 'response', status: 400, code: 'invalid_credentials' }],
    },
  ),
  client(
    'the auth server does not answer a sign-in',
    [() => ({ authenticate: () => [] })],
    signIn,
    signedOut,
    {
      mentions: ['sign', '15 s'],
      reason: ['client/session', 'xstate.after.authTimeout.session.authenticating'],
      evidence: [{ kind: 'timer', delay: 15_000 }],
    },
  ),
  client('a sign-in that succeeded', [], signIn, signedIn, {
    mentions: ['signed in'],
    reason: ['client', 'session.signIn'],
    evidence: [{ kind: 'command', event: 'session.signIn' }],
  }),
  client(
    'the token is delayed, not the session lost',
    [
      expired,
      renewals({ kind: 'server', status: 503, message: 'x' }, { kind: 'server', status: 503, message: 'x' }),
    ],
    wait(300),
    signedIn,
    { mentions: ['signed in', 'stored'], reason: ['client/session', 'stored.found'] },
  ),
  client('another tab had refreshed before this one signed out', [renewedElsewhere], wait(500), signedIn, {
    mentions: ['signed in', 'stored'],
    reason: ['client/session', 'stored.found'],
  }),
  client(
    'the link has expired',
    [
      () => ({
        detectUrl: () => [
          [0, { type: 'url.failed', failure: { kind: 'auth', code: 'otp_expired', message: 'x' } }],
        ],
      }),
    ],
    wait(100),
    step('client/session', 'url.failed'),
    {
      mentions: ['link', 'otp_expired'],
      reason: ['client/session', 'url.failed'],
      evidence: [{ kind: 'failure', code: 'otp_expired' }],
    },
  ),
]
