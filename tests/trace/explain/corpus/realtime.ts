// How channels and sockets end and wait, and why tokens are refreshed, or not.
import type { TopicEvent } from '../../../../src/machines/realtime/channel-events.ts'
import type { AccessRefusal } from '../../../../src/machines/failure.ts'
import {
  limited,
  environmentScript,
  renewals,
  stored,
  unreachable,
  type World,
} from '../../../harness/timeline.ts'
import { token } from '../../../harness/scripted-ports.ts'
import {
  actor,
  both,
  bridge,
  client,
  notRefreshed,
  refreshed,
  request,
  sends,
  step,
  wait,
  type ExpectedAnswer,
  type Play,
  type Situation,
} from './situation.ts'

const live = stored(3_000)
const join = (options = {}): Play => sends({ type: 'channel.join', topic: 'bridge', use: 'u', options })
const rows = { postgresChanges: [{ event: '*', schema: 'public', table: 'log' }] } as const
const connection = actor('client/realtime/connection')
const REFUSED = ['client/realtime/channel.bridge', 'topic.refused'] as const

const topic =
  (...events: readonly (readonly [number, TopicEvent])[]): World =>
  () => ({ topic: n => (n === 1 ? [...events] : []) })

/** The socket never opens, and a request to its URL gets this status. */
const probed =
  (status: number, refusal?: AccessRefusal): World =>
  () => ({
    socket: () => [[10, { type: 'socket.closed', code: 1006, reason: '' }]],
    probeSocket: () => [[5, { type: 'probe.answered', status, ...(refusal && { refusal }) }]],
  })

const refusal = (
  name: string,
  reason: string,
  expected: Partial<ExpectedAnswer> & { mentions: readonly string[] },
) =>
  client(
    `a channel is refused: ${name}`,
    [live, topic([5, { type: 'topic.refused', reason }])],
    both(wait(10), join(), wait(100)),
    bridge,
    { reason: REFUSED, evidence: [{ kind: 'channel', reason }], ...expected },
  )

const channels: readonly Situation[] = [
  client(
    'a channel’s refusal makes the session refresh its token',
    [live, topic([5, { type: 'topic.refused', reason: 'InvalidJWTToken: Token has expired 1 seconds ago' }])],
    both(wait(10), join(), wait(2_000)),
    step('client/session', 'token.refreshing'),
    {
      mentions: ['token', 'refreshed', 'bridge'],
      omits: ['session is active', 'refused it'],
      reason: REFUSED,
    },
  ),
  refusal('by a policy', 'Unauthorized: You do not have permissions to read from this topic', {
    mentions: ['bridge', 'denied', 'Unauthorized'],
    next: 'polic',
  }),
  refusal('too many joins', 'ClientJoinRateLimitReached: Too many joins per second', {
    mentions: ['bridge', 'ClientJoinRateLimitReached'],
    next: 's',
  }),
  refusal('the database is busy', 'DatabaseLackOfConnections: no connections', {
    mentions: ['bridge', 'DatabaseLackOfConnections'],
    next: 'again',
  }),
  client(
    'a join without a response',
    [live, () => ({ topic: () => [] })],
    both(wait(10), join(), wait(10_100)),
    bridge,
    {
      mentions: ['bridge', '10 s', 'join'],
      reason: [
        'client/realtime/channel.bridge',
        'xstate.after.joinTimeout.channel.membership.attached.joining',
      ],
      evidence: [{ kind: 'timer', delay: 10_000 }],
      next: 'again',
    },
  ),
  client(
    'a channel closed by the server',
    [
      live,
      topic([5, { type: 'topic.joined' }], [1_000, { type: 'topic.closed', reason: 'closed by the server' }]),
    ],
    both(wait(10), join(), wait(1_100)),
    bridge,
    {
      mentions: ['bridge', 'closed'],
      reason: ['client/realtime/channel.bridge', 'topic.closed'],
      evidence: [{ kind: 'channel' }],
      next: 'again',
    },
  ),
  client(
    'invalid row changes',
    [
      live,
      topic(
        [5, { type: 'topic.joined' }],
        [50, { type: 'postgres.failed', reason: 'column "x" does not exist' }],
      ),
    ],
    both(wait(10), join(rows), wait(200)),
    step('client/realtime/channel.bridge', 'postgres.failed'),
    {
      mentions: ['bridge', 'row changes'],
      reason: ['client/realtime/channel.bridge', 'postgres.failed'],
      evidence: [{ kind: 'channel' }],
    },
  ),
  client('a joined channel', [live], both(wait(10), join(), wait(100)), bridge, {
    mentions: ['bridge', 'joined'],
    reason: ['client', 'channel.join'],
    evidence: [{ kind: 'command', event: 'channel.join' }],
  }),
  client(
    'a channel waits for the socket of an offline device',
    [live, environmentScript([1_000, { online: false }])],
    both(wait(10), join(), wait(2_000)),
    bridge,
    {
      mentions: ['bridge', 'offline'],
      reason: ['client', 'environment.changed', { online: false }],
      evidence: [{ kind: 'device', change: 'offline' }],
      next: 'online',
    },
  ),
  client(
    'disconnected by the app',
    [live],
    both(wait(10), join(), wait(100), sends({ type: 'realtime.disconnect' }), wait(100)),
    connection,
    {
      mentions: ['connection', 'app'],
      reason: ['client', 'realtime.disconnect'],
      evidence: [{ kind: 'command', event: 'realtime.disconnect' }],
    },
  ),
  client(
    'the socket closes',
    [
      live,
      () => ({
        socket: n => [
          [10, { type: 'socket.opened' }],
          ...(n === 1 ? ([[5_000, { type: 'socket.closed', code: 1011, reason: 'x' }]] as const) : []),
        ],
      }),
    ],
    both(wait(10), join(), wait(5_010)),
    () => ({ status: 'liveLost' }),
    {
      mentions: ['connection', '1011'],
      reason: ['client/realtime/connection', 'socket.closed'],
      evidence: [{ kind: 'socket', code: 1011 }],
      next: 'again',
    },
  ),
  client(
    'the socket is silent',
    [
      live,
      () => ({
        socket: n =>
          n === 1
            ? [
                [10, { type: 'socket.opened' }],
                [30_000, { type: 'socket.silent' }],
              ]
            : [],
        probe: () => [],
      }),
    ],
    both(wait(10), join(), wait(34_100)),
    () => ({ status: 'liveLost' }),
    {
      mentions: ['connection', 'heartbeat'],
      reason: ['client/realtime/connection', 'socket.silent'],
      next: 'again',
    },
  ),
  client(
    'the realtime server rejects the key',
    [live, probed(401, 'keyRejected')],
    both(wait(10), join(), wait(1_000)),
    connection,
    {
      mentions: ['connection', 'API key', '401'],
      reason: ['client/realtime/connection', 'probe.answered'],
      evidence: [{ kind: 'response', status: 401 }],
      next: 'key',
    },
  ),
  client('too many connections', [live, probed(429)], both(wait(10), join(), wait(1_000)), connection, {
    mentions: ['connection', '429'],
    reason: ['client/realtime/connection', 'probe.answered'],
    evidence: [{ kind: 'response', status: 429 }],
    next: 'again',
  }),
  client(
    'the socket does not open',
    [live, () => ({ socket: () => [] })],
    both(wait(10), join(), wait(10_100)),
    connection,
    {
      mentions: ['connection', '10 s'],
      reason: ['client/realtime/connection', 'xstate.after.connectTimeout.connection.attached.connecting'],
      evidence: [{ kind: 'timer', delay: 10_000 }],
      next: 'again',
    },
  ),
  client(
    'another user signed in',
    [live],
    both(
      wait(10),
      join(),
      wait(100),
      sends({ type: 'session.signOut', attempt: 'o', scope: 'local' }),
      wait(3),
    ),
    connection,
    {
      mentions: ['connection', 'signed out'],
      reason: ['client', 'session.signOut'],
      evidence: [{ kind: 'command', event: 'session.signOut' }],
    },
  ),
  client(
    'a channel waits for a token that the auth server limits',
    [stored(-5), renewals(limited(30))],
    both(wait(100), join(), wait(100)),
    connection,
    {
      mentions: ['connection', 'token', '429'],
      reason: ['client/refresh/attempt', 'refresh.failed'],
      evidence: [{ kind: 'response', status: 429 }],
    },
  ),
]

const hidden = environmentScript([1_000, { visible: false }])

const refreshes: readonly Situation[] = [
  client('the token was due', [stored(200)], wait(150_000), refreshed, {
    mentions: ['due', 'token'],
    reason: ['client/refresh', 'clock.tick'],
    evidence: [{ kind: 'timer' }],
  }),
  client('the stored token had expired', [stored(-5)], wait(1_000), refreshed, {
    mentions: ['stored', 'expired', 'refreshed'],
    reason: ['client/session', 'stored.found'],
    evidence: [{ kind: 'storage', content: 'session' }],
  }),
  client('not refreshed while the page is hidden', [stored(200), hidden], wait(300_000), notRefreshed, {
    mentions: ['hidden', 'token'],
    reason: ['client', 'environment.changed', { visible: false }],
    evidence: [{ kind: 'device', change: 'hidden' }],
    next: 'visible',
  }),
  client(
    'refreshed when the page is visible again',
    [stored(200), environmentScript([1_000, { visible: false }], [150_000, {}])],
    wait(151_000),
    refreshed,
    {
      mentions: ['visible', 'refreshed'],
      reason: ['client', 'environment.changed', { visible: true }],
      evidence: [{ kind: 'device', change: 'visible' }],
    },
  ),
  client(
    'refreshed after the device had slept',
    [
      stored(200),
      () => ({
        environment: () => [
          [0, { type: 'environment.changed', online: true, visible: true }],
          [10_000, { type: 'environment.woke', slept: 3_600_000, at: 3_610_000 }],
        ],
      }),
    ],
    wait(150_000),
    step('client/refresh', 'environment.woke'),
    {
      mentions: ['slept', '60 min'],
      reason: ['client', 'environment.woke'],
      evidence: [{ kind: 'device', change: 'woke' }],
    },
  ),
  client('another tab refreshes', [live, () => ({ leadership: () => [] })], wait(10_000), notRefreshed, {
    mentions: ['another tab', 'token'],
    reason: ['client/tab', 'xstate.after.electTimeout.tab.awake.competing.electing'],
    next: 'other tab',
  }),
  client(
    'automatic refreshes are turned off',
    [stored(200)],
    both(wait(10), sends({ type: 'refresh.automatic', automatic: false }), wait(150_000)),
    notRefreshed,
    {
      mentions: ['app', 'automatic'],
      reason: ['client', 'refresh.automatic'],
      evidence: [{ kind: 'command', event: 'refresh.automatic' }],
    },
  ),
  client(
    'not refreshed while offline',
    [stored(-5), environmentScript([1, { online: false }])],
    wait(5_000),
    notRefreshed,
    {
      mentions: ['offline', 'token'],
      reason: ['client', 'environment.changed', { online: false }],
      evidence: [{ kind: 'device', change: 'offline' }],
      next: 'online',
    },
  ),
  client('late: the network failed first', [stored(-5), renewals(unreachable)], wait(200), notRefreshed, {
    mentions: ['reach', 'token'],
    reason: ['client/refresh/attempt', 'refresh.failed'],
    evidence: [{ kind: 'failure', failure: 'network' }],
    next: 's',
  }),
  client(
    'the attempt itself',
    [stored(-5), renewals(unreachable)],
    wait(200),
    step('client/refresh/attempt', 'refresh.failed'),
    {
      mentions: ['reach', 'failed'],
      omits: ['again'],
      reason: ['client/refresh/attempt', 'refresh.failed'],
    },
  ),
  client(
    'late: the auth server did not answer',
    [stored(-5), () => ({ refreshToken: () => [] })],
    wait(15_200),
    notRefreshed,
    {
      mentions: ['15 s', 'token'],
      reason: ['client/refresh/attempt', 'xstate.after.authTimeout.attempt.locked.refreshing'],
      evidence: [{ kind: 'timer', delay: 15_000 }],
    },
  ),
  client(
    'the attempts are limited by the breaker',
    [
      live,
      clock => ({ refreshToken: n => [[1, { type: 'refresh.succeeded', token: token(clock, 100 + n) }]] }),
    ],
    both(wait(10), ...Array.from({ length: 11 }, () => both(sends({ type: 'refresh.request' }), wait(20)))),
    notRefreshed,
    {
      mentions: ['token', 'too many', 'refresh'],
      reason: ['client', 'refresh.request'],
      next: 'minute',
    },
  ),
  client(
    'a request made a hidden page refresh',
    [stored(200), hidden],
    both(wait(150_000), request({ method: 'POST' }), wait(100_000), request({ id: 'r3' }), wait(1_000)),
    refreshed,
    {
      mentions: ['refreshed', 'request'],
      reason: ['client', 'request.start', {}],
      evidence: [{ kind: 'command', event: 'request.start' }],
    },
  ),
  client(
    'the key is refused by the auth server',
    [stored(-5), renewals({ kind: 'apiKey', status: 401, code: 'keyRejected', message: 'x' })],
    wait(10_000),
    notRefreshed,
    {
      mentions: ['API key', '401'],
      reason: ['client/refresh/attempt', 'refresh.failed'],
      evidence: [{ kind: 'response', status: 401, code: 'keyRejected' }],
      next: 'key',
    },
  ),
]

export const realtime: readonly Situation[] = [...channels, ...refreshes]
