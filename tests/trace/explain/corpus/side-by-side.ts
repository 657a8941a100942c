// The lines of docs/side-by-side.md: what users hit, and why.
import {
  answers,
  blocked,
  environmentScript,
  limited,
  refused,
  renewals,
  renewedElsewhere,
  stored,
  unreachable,
  type World,
} from '../../../harness/timeline.ts'
import {
  actor,
  both,
  bridge,
  client,
  notRefreshed,
  refreshed,
  request,
  requestR,
  sends,
  signedIn,
  signedOut,
  step,
  wait,
  type Play,
  type Situation,
} from './situation.ts'

const live = stored(3_000)
const expired = stored(-5)
const join = (options = {}, use = 'first'): Play =>
  sends({ type: 'channel.join', topic: 'bridge', use, options })

/** The lock is free only for a tab that takes it from its holder. */
const orphanedLock: World = () => ({ lock: (_, { steal }) => (steal ? [[0, { type: 'lock.held' }]] : []) })

export const sideBySide: readonly Situation[] = [
  client(
    '1: a listener asked for a new token',
    [live],
    both(wait(10), sends({ type: 'refresh.request' }), wait(100)),
    refreshed,
    {
      mentions: ['token', 'refreshed', 'app'],
      reason: ['client', 'refresh.request'],
      evidence: [{ kind: 'command', event: 'refresh.request' }],
    },
  ),
  client(
    '2: a crashed tab held the lock',
    [stored(60), orphanedLock],
    wait(40_000),
    step('client/refresh/attempt', 'xstate.after.lockTimeout.attempt.locked.locking'),
    {
      mentions: ['lock', 'another tab', '17 s'],
      reason: ['client/refresh/attempt', 'xstate.after.lockTimeout.attempt.locked.locking'],
      evidence: [{ kind: 'timer', delay: 17_000 }],
    },
  ),
  client('3: another tab was first', [renewedElsewhere], wait(1_000), refreshed, {
    mentions: ['another tab', 'token'],
    reason: ['client/refresh/attempt', 'stored.found'],
    evidence: [{ kind: 'storage', content: 'session' }],
  }),
  client('4: a 429 while the token has expired', [expired, renewals(limited(7))], wait(1_000), notRefreshed, {
    mentions: ['429', 'token', 'limit'],
    omits: ['signed out'],
    reason: ['client/refresh/attempt', 'refresh.failed'],
    evidence: [{ kind: 'response', status: 429, retryAfter: 7 }],
    next: '7 s',
  }),
  client(
    '5: a read while offline with an expired token',
    [expired, environmentScript([1, { online: false }])],
    both(wait(10), request(), wait(60_000)),
    requestR,
    {
      mentions: ['GET /rest/v1/vessels', 'offline', 'token'],
      reason: ['client', 'environment.changed', { online: false }],
      evidence: [{ kind: 'device', change: 'offline' }],
      next: 'online',
    },
  ),
  client(
    '6: a clock that is an hour fast',
    [stored(3_600, { skew: -3_600_000 })],
    wait(60_000),
    notRefreshed,
    {
      mentions: ['token', 'still'],
      reason: ['client/session', 'stored.found'],
      next: 'min',
    },
  ),
  client(
    '7: back to the tab without a new sign-in',
    [live, environmentScript([1_000, { visible: false }], [2_000, {}])],
    wait(5_000),
    signedIn,
    {
      mentions: ['signed in', 'stored'],
      reason: ['client/session', 'stored.found'],
      evidence: [{ kind: 'storage', content: 'session' }],
    },
  ),
  client(
    '8: a proxy refuses the refresh',
    [expired, renewals(blocked, unreachable, unreachable)],
    wait(100),
    notRefreshed,
    {
      mentions: ['403', 'token'],
      omits: ['signed out'],
      reason: ['client/refresh/attempt', 'refresh.failed'],
      evidence: [{ kind: 'response', status: 403 }],
    },
  ),
  client(
    '9: the refresh token was used elsewhere',
    [expired, renewals(refused('refresh_token_already_used'))],
    wait(2_000),
    signedOut,
    {
      mentions: ['signed out', 'refresh token', 'refresh_token_already_used'],
      reason: ['client/refresh/attempt', 'refresh.failed'],
      evidence: [{ kind: 'response', status: 400, code: 'refresh_token_already_used' }],
      next: 'sign in',
    },
  ),
  client(
    '10: signing out while the backend is unreachable',
    [live, () => ({ revoke: () => [[50, { type: 'revoke.failed', failure: unreachable }]] })],
    both(wait(10), sends({ type: 'session.signOut', attempt: 'out', scope: 'global' }), wait(20_000)),
    signedOut,
    {
      mentions: ['signed out', 'you'],
      reason: ['client', 'session.signOut'],
      evidence: [{ kind: 'command', event: 'session.signOut' }],
    },
  ),
  client(
    '11: a token refused at the boundary',
    [live, answers(401, 200)],
    both(wait(10), request(), wait(1_000)),
    refreshed,
    {
      mentions: ['401', 'GET /rest/v1/vessels', 'refreshed'],
      reason: ['client/requests/request.r', 'send.answered', { status: 401 }],
      evidence: [{ kind: 'response', status: 401, method: 'GET', path: '/rest/v1/vessels' }],
    },
  ),
  client(
    '12: online again',
    [stored(200), environmentScript([60_000, { online: false }], [1_000_000, {}])],
    wait(1_000_100),
    refreshed,
    {
      mentions: ['online', 'refreshed'],
      reason: ['client', 'environment.changed', { online: true }],
      evidence: [{ kind: 'device', change: 'online' }],
    },
  ),
  client(
    '13: another provider’s hash in the address',
    [live, () => ({ detectUrl: () => [[0, { type: 'url.foreign' }]] })],
    wait(100),
    step('client/session', 'url.foreign'),
    { mentions: ['address', 'not'], reason: ['client/session', 'url.foreign'] },
  ),
  client(
    '13: a code whose verifier is in another browser',
    [
      live,
      () => ({
        detectUrl: () => [
          [
            0,
            {
              type: 'url.verifierMissing',
              failure: { kind: 'auth', code: 'verifier_missing', message: 'It began in another browser.' },
            },
          ],
        ],
      }),
    ],
    wait(100),
    step('client/session', 'url.verifierMissing'),
    { mentions: ['link', 'another browser'], reason: ['client/session', 'url.verifierMissing'] },
  ),
  client('14: one of two clients refreshes', [stored(200)], wait(150_000), refreshed, {
    mentions: ['token', 'due', 'refreshed'],
    reason: ['client/refresh', 'clock.tick'],
    evidence: [{ kind: 'timer' }],
  }),
  client(
    '14: disposed during a refresh',
    [live],
    both(wait(10), sends({ type: 'refresh.request' }), run => run.stop()),
    actor('client/session'),
    { mentions: ['stopped', 'app'], reason: ['client', 'xstate.stop'], evidence: [{ kind: 'command' }] },
  ),
  client(
    '15: subscribed before the session is read',
    [
      clock => ({
        readSession: () =>
          live(clock)
            .readSession?.(1, undefined)
            ?.map(([, event]) => [5_000, event]) ?? [],
      }),
    ],
    both(join(), wait(4_000)),
    actor('client/realtime/connection'),
    {
      mentions: ['connection', 'session', 'stor'],
      reason: ['client/session', 'url.none'],
      next: 'read',
    },
  ),
  client(
    '16: a dead socket after waking up',
    [
      live,
      environmentScript([10_000, { visible: false }], [60_000, {}]),
      () => ({ probe: () => [], socket: n => (n === 1 ? [[10, { type: 'socket.opened' }]] : []) }),
    ],
    both(wait(10), join(), wait(64_100)),
    () => ({ status: 'liveLost' }),
    {
      mentions: ['connection', '4 s', 'visible'],
      reason: ['client', 'environment.changed', { visible: true }],
      evidence: [
        { kind: 'timer', delay: 4_000 },
        { kind: 'device', change: 'visible' },
      ],
    },
  ),
  client(
    '17: an expired channel is closed',
    [
      live,
      () => ({
        topic: n => [
          [5, { type: 'topic.joined' }],
          ...(n === 1
            ? ([[10_000, { type: 'topic.closed', reason: 'Token has expired 1 seconds ago' }]] as const)
            : []),
        ],
      }),
    ],
    both(wait(10), join(), wait(20_000)),
    refreshed,
    {
      mentions: ['bridge', 'token', 'refreshed'],
      reason: ['client/realtime/channel.bridge', 'topic.closed'],
      evidence: [{ kind: 'channel' }],
    },
  ),
  client(
    '18: a refused channel is not retried',
    [live, () => ({ topic: () => [[5, { type: 'topic.refused', reason: 'Unauthorized: no' }]] })],
    both(wait(10), join({ private: true }), wait(60_000)),
    bridge,
    {
      mentions: ['bridge', 'denied', 'Unauthorized'],
      reason: ['client/realtime/channel.bridge', 'topic.refused'],
      evidence: [{ kind: 'channel', reason: 'Unauthorized: no' }],
      next: 'polic',
    },
  ),
  client(
    '19: changes were missed in a gap',
    [
      live,
      () => ({
        socket: n => [
          [10, { type: 'socket.opened' }],
          ...(n === 1 ? ([[10_000, { type: 'socket.closed', code: 1006, reason: '' }]] as const) : []),
        ],
      }),
    ],
    both(wait(10), join({ postgresChanges: [{ event: '*', schema: 'public', table: 'log' }] }), wait(10_015)),
    bridge,
    {
      mentions: ['bridge', 'connection', '1006'],
      reason: ['client/realtime/connection', 'socket.closed'],
      evidence: [{ kind: 'socket', code: 1006 }],
    },
  ),
  client(
    '20: a second subscribe to a topic in use',
    [live],
    both(wait(10), join(), wait(100), join({}, 'second'), wait(100)),
    step('client/realtime', 'channel.join', { use: 'second' }),
    {
      mentions: ['bridge', 'app'],
      reason: ['client', 'channel.join', { use: 'second' }],
      evidence: [{ kind: 'command', event: 'channel.join' }],
    },
  ),
]
