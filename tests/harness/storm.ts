// A storm: every port of the client fails, stalls and responds at random, from a seed, on the virtual clock.
import type { ChannelCommand, TopicEvent } from '../../src/machines/realtime/channel-events.ts'
import type { ClientCommand } from '../../src/machines/client.ts'
import type { Failure } from '../../src/machines/failure.ts'
import type { SendEvent } from '../../src/machines/ports.ts'
import type { Clock } from '../../src/services/runtime/clock.ts'
import { createSeededEntropy } from '../../src/services/runtime/entropy.ts'
import { token, type Behavior, type Script } from './scripted-ports.ts'

const FAILURES: readonly Failure[] = [
  { kind: 'network', message: 'The backend cannot be reached.' },
  { kind: 'server', status: 503, message: 'The backend failed with status 503.' },
  { kind: 'rateLimit', status: 429, retryAfter: 7, message: 'Too many attempts.' },
  { kind: 'auth', status: 400, code: 'refresh_token_already_used', message: 'Already Used' },
  { kind: 'bug', message: 'Unexpected failure inside the client: planted' },
]

const TOPICS = ['bridge', 'engine', 'galley']

export function storm(seed: number) {
  const { random } = createSeededEntropy(seed)
  const below = (n: number) => Math.floor(random() * n)
  const pick = <T>(items: readonly T[]): T => items[below(items.length)] as T
  const failure = () => pick(random() < 0.8 ? FAILURES.slice(0, 3) : FAILURES)
  /** Mostly a response, sometimes a failure, sometimes none; now and then at once, inside the start. */
  const answer = <E>(good: E, bad: E): Script<E> => {
    const roll = random()
    if (roll < 0.06) return []
    return [[random() < 0.15 ? 0 : below(400), roll < 0.7 ? good : bad]]
  }

  /** The user of each token, by its unique name: a refresh never changes the user. */
  const owners = new Map<string, string>()
  const issue = (clock: Clock, life: number, user = 'skipper') => {
    const issued = token(clock, owners.size + 1, life, user)
    owners.set(issued.id, user)
    return issued
  }

  const behavior = (clock: Clock): Behavior => ({
    environment: () => [
      [0, { type: 'environment.changed', online: random() < 0.9, visible: true }],
      ...Array.from({ length: below(12) }, (_, n): Script<never>[number] | EnvironmentStep => [
        (n + 1) * (1 + below(40_000)),
        { type: 'environment.changed', online: random() < 0.6, visible: random() < 0.5 },
      ]),
    ],
    detectUrl: () =>
      random() < 0.8
        ? [[0, { type: 'url.none' }]]
        : answer(
            { type: 'url.found' as const, attempt: 'link', kind: 'code' as const, recovery: random() < 0.5 },
            { type: 'url.failed' as const, failure: failure() },
          ),
    readSession: () =>
      random() < 0.5
        ? [[below(30), { type: 'stored.found', token: issue(clock, 60 + below(400)) }]]
        : answer(
            { type: 'stored.none' as const },
            { type: 'stored.corrupt' as const, failure: { kind: 'auth' as const, message: 'unreadable' } },
          ),
    authenticate: () =>
      answer(
        { type: 'auth.succeeded', token: issue(clock, 30 + below(600), pick(['skipper', 'mate'])) },
        { type: 'auth.failed', failure: failure() },
      ),
    storeSession: () =>
      answer(
        { type: 'session.stored', token: issue(clock, 30 + below(600)) },
        { type: 'session.storeFailed', failure: failure() },
      ),
    loadUser: () =>
      answer(
        { type: 'user.loaded', token: issue(clock, 30 + below(600)) },
        { type: 'user.failed', failure: failure() },
      ),
    lock: () =>
      random() < 0.9
        ? [
            [below(50), { type: 'lock.held' }],
            ...(random() < 0.1 ? ([[below(300), { type: 'lock.lost' }]] as const) : []),
          ]
        : random() < 0.5
          ? []
          : [[0, { type: 'lock.unavailable' }]],
    leadership: () =>
      random() < 0.7
        ? [[below(2_000), { type: 'leadership.gained' }]]
        : answer({ type: 'leadership.unavailable' }, { type: 'leadership.lost' }),
    tabs: () =>
      random() < 0.8
        ? []
        : [
            [
              below(60_000),
              {
                type: 'stored.changed',
                by: pick(['otherTab', 'storage']),
                what: pick(['written', 'removed']),
              },
            ],
          ],
    refreshToken: (_, { tokenId }) =>
      answer(
        {
          type: 'refresh.succeeded',
          token: issue(clock, 30 + below(600), owners.get(tokenId)),
        },
        { type: 'refresh.failed', failure: failure() },
      ),
    removeSession: () => answer({ type: 'stored.removed' }, { type: 'port.broken', failure: failure() }),
    revoke: () => answer({ type: 'revoke.succeeded' }, { type: 'revoke.failed', failure: failure() }),
    send: () => {
      const bad = { type: 'send.failed', failure: failure() } as const
      if (random() < 0.2) {
        const end = answer<SendEvent>({ type: 'body.ended' }, { type: 'body.failed', failure: failure() })
        return [[below(300), { type: 'send.answered', status: 200, streaming: true }], ...later(end, 400)]
      }
      const status = pick([200, 201, 400, 401, 404, 429, 503])
      return answer<SendEvent>(
        {
          type: 'send.answered',
          status,
          ...(status === 400 && { refusal: 'tokenRejected' as const }),
          ...(status >= 429 && random() < 0.5 && { retryAfter: below(120), waited: below(500) }),
        },
        bad,
      )
    },
    body: () => answer<SendEvent>({ type: 'body.ended' }, { type: 'body.failed', failure: failure() }),
    socket: () => [
      ...answer(
        { type: 'socket.opened' } as const,
        { type: 'socket.closed', code: 1006, reason: '' } as const,
      ),
      ...(random() < 0.5
        ? ([
            [
              1_000 + below(90_000),
              { type: 'socket.closed', code: pick([1001, 1006, 4000]), reason: 'storm' },
            ],
          ] as const)
        : ([[30_000 + below(90_000), { type: 'socket.silent' }]] as const)),
    ],
    topic: () => [
      ...answer<TopicEvent>(
        { type: 'topic.joined' },
        { type: 'topic.refused', reason: pick(['Unauthorized: no', 'TooManyConnections']) },
      ),
      [500, { type: 'postgres.subscribed' }],
      [
        600 + below(5_000),
        { type: 'broadcast.received', event: 'hail', payload: { n: below(9), at: random() } },
      ],
      [600 + below(5_000), { type: 'presence.synced', state: { mate: [{ n: below(9) }] } }],
    ],
    command: ({ id }: ChannelCommand): Script<TopicEvent> =>
      id === undefined
        ? []
        : answer<TopicEvent>({ type: 'push.settled', id }, { type: 'push.settled', id, reason: 'timed out' }),
    probe: () => answer({ type: 'socket.alive' }, { type: 'socket.closed', code: 1006, reason: '' }),
    probeSocket: () =>
      answer(
        { type: 'probe.answered' as const, status: pick([200, 401, 404, 429, 503]) },
        { type: 'probe.failed' as const },
      ),
    resync: () => answer({ type: 'resync.done' }, { type: 'resync.failed', reason: 'storm' }),
    checkName: () => answer({ type: 'name.free' }, { type: 'name.unknown' }),
    transfer: () => answer({ type: 'transfer.done' }, { type: 'transfer.failed', failure: failure() }),
  })

  let count = 0
  /** What a restless user does next. */
  const command = (): ClientCommand => {
    const n = String(++count)
    const topic = pick(TOPICS)
    const choices: readonly ClientCommand[] = [
      { type: 'session.signIn', attempt: n },
      { type: 'session.signIn', attempt: n },
      { type: 'session.signOut', attempt: n, scope: pick(['local', 'global', 'others']) },
      { type: 'session.commit', attempt: n, recovered: random() < 0.5 },
      { type: 'session.verify', attempt: n },
      { type: 'refresh.request' },
      {
        type: 'request.start',
        info: {
          id: n,
          family: 'rest',
          method: pick(['GET', 'POST']),
          path: '/rest/v1/x',
          priority: pick(['high', 'normal', 'low']),
          ...(random() < 0.3 && { access: pick(['public', 'user'] as const) }),
          ...(random() < 0.2 && { supersede: pick(['search', 'map']) }),
          ...(random() < 0.2 && { repeatable: true }),
          ...(random() < 0.1 && { streamed: true }),
          ...(random() < 0.2 && { deadline: below(30_000) }),
        },
      },
      {
        type: 'request.start',
        info: { id: n, family: 'functions', method: 'POST', path: '/functions/v1/tide' },
      },
      { type: 'request.abort', id: String(below(count)) },
      {
        type: 'channel.join',
        topic,
        options: random() < 0.5 ? {} : { postgresChanges: [{ event: '*', schema: 'public' }] },
      },
      { type: 'channel.join', topic, options: {} },
      { type: 'channel.leave', topic },
      {
        type: 'channel.command',
        topic,
        command: { type: 'broadcast.send', id: n, event: 'hail', payload: { n } },
      },
      { type: 'channel.command', topic, command: { type: 'presence.track', meta: { n } } },
    ]
    return pick(choices)
  }
  /** Milliseconds until then: mostly soon, sometimes a long calm. */
  const idleTime = () => (random() < 0.8 ? below(600) : below(60_000))
  return { behavior, command, idleTime, below }
}

/** The same, this many milliseconds later. */
const later = <E>(script: Script<E>, ms: number): Script<E> =>
  script.map(([after, event]) => [after + ms, event] as const)

type EnvironmentStep = Script<{ type: 'environment.changed'; online: boolean; visible: boolean }>[number]
