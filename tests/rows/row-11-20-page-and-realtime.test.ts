// Rows 11 to 20 on the virtual clock: requests, the page, the socket and its channels, each with its timeline.
import { expect, test } from 'vitest'
import type { ChannelOptions, TopicEvent } from '../../src/machines/index.ts'
import { answers, renewals, stored, voyage, environmentScript } from '../harness/timeline.ts'

const row = (number: number, what: string, timeline: string, live: () => string) =>
  test(`row ${number}, ${what}: ${timeline}`, () => expect(live()).toBe(timeline))

const bridge = (options: ChannelOptions = {}, use = 'first') =>
  ({ type: 'channel.join', topic: 'bridge', use, options }) as const
const rows = { postgresChanges: [{ event: '*', schema: 'public', table: 'log_entries' }] } as const

row(
  11,
  'refused at the boundary',
  '0s send → answered 401 · 0s refreshToken → succeeded · 0s send → answered 200',
  () => {
    const { clock, request, outcome, drawn } = voyage(
      ['send', 'refreshToken'],
      stored(3_000),
      answers(401, 200),
    )
    clock.advance(10)
    const id = request('POST')
    clock.advance(1_000)
    expect(outcome(id)).toEqual({ id, status: 200 })
    return drawn()
  },
)

row(12, 'offline, then online', '1000s refreshToken → succeeded', () => {
  const { clock, status, drawn } = voyage(
    ['refreshToken'],
    stored(200),
    environmentScript([60_000, { online: false }], [1_000_000, {}]),
    renewals(),
  )
  clock.advance(1_000_100)
  expect(status().session).toMatchObject({ token: { state: 'fresh' } })
  return drawn()
})

row(13, "another provider's hash", '0s detectUrl → foreign · 0s readSession → found', () => {
  const { clock, status, drawn } = voyage(
    ['detectUrl', 'authenticate', 'readSession'],
    stored(3_000),
    () => ({
      detectUrl: () => [[0, { type: 'url.foreign' }]],
    }),
  )
  clock.advance(100)
  expect(status().session).toMatchObject({ phase: 'authenticated' })
  return drawn()
})

const spent = { kind: 'auth', code: 'otp_expired', message: 'The link was used before.' } as const
const alone = { kind: 'auth', code: 'verifier_missing', message: 'It began in another browser.' } as const
const mismatch = { kind: 'auth', code: 'flow_mismatch', message: 'Tokens instead of a code.' } as const

test.each([
  [
    'verifierMissing',
    'whose verifier is in another browser',
    { type: 'url.verifierMissing', failure: alone },
  ],
  ['mismatch', 'with tokens where a code is expected', { type: 'url.mismatch', failure: mismatch }],
  ['failed', 'that a prefetch has spent', { type: 'url.failed', failure: spent }],
] as const)('row 13: 0s detectUrl → %s · 0s readSession → found: a link %s', (_, _what, event) => {
  const { clock, status, starts } = voyage([], stored(3_000), () => ({ detectUrl: () => [[0, event]] }))
  clock.advance(100)
  expect(status().session).toMatchObject({ phase: 'authenticated', linkFailure: event.failure })
  expect([starts('readSession'), starts('authenticate'), starts('removeSession')]).toEqual([1, 0, 0])
})

row(14, 'disposed while refreshing', '0s refreshToken → succeeded', () => {
  const { clock, client, status, drawn, send } = voyage(['refreshToken'], stored(3_000))
  clock.advance(10)
  send({ type: 'refresh.request' })
  client.stop()
  clock.advance(60_000)
  expect([status().session, clock.pending()]).toEqual([{ phase: 'disposed' }, 0])
  return drawn()
})

row(
  15,
  'subscribed before the session is read',
  '0s readSession → found · 5s socket → opened · 5s topic → joined',
  () => {
    const { clock, status, send, drawn } = voyage(['readSession', 'socket', 'topic'], clock => ({
      readSession: () =>
        stored(3_000)(clock)
          .readSession?.(1, undefined)
          ?.map(([, event]) => [5_000, event]) ?? [],
    }))
    send(bridge())
    clock.advance(4_000)
    expect(status().connection).toMatchObject({ phase: 'waitingForToken' })
    clock.advance(2_000)
    expect(status().channels['bridge']).toMatchObject({ phase: 'joined' })
    return drawn()
  },
)

row(
  16,
  'a dead socket, detected on return',
  '0s socket → opened · 60s probe → silence · 64.4s socket → opened',
  () => {
    const { clock, status, send, drawn } = voyage(
      ['socket', 'probe'],
      stored(3_000),
      environmentScript([10_000, { visible: false }], [60_000, {}]),
      () => ({ probe: () => [] }),
    )
    clock.advance(10)
    send(bridge())
    clock.advance(70_000)
    expect(status().connection).toMatchObject({ phase: 'open' })
    return drawn()
  },
)

row(
  17,
  'an expired channel is closed',
  '0s topic → joined, closed Token has expired 1 seconds ago · 10s refreshToken → succeeded · 10s topic → joined',
  () => {
    const { clock, status, send, drawn } = voyage(['topic', 'refreshToken'], stored(3_000), () => ({
      topic: n => [
        [5, { type: 'topic.joined' }],
        ...(n === 1
          ? ([[10_000, { type: 'topic.closed', reason: 'Token has expired 1 seconds ago' }]] as const)
          : []),
      ],
    }))
    clock.advance(10)
    send(bridge())
    clock.advance(20_000)
    expect(status().channels['bridge']).toMatchObject({ phase: 'joined' })
    return drawn()
  },
)

row(18, 'refused for good', '0s topic → refused Unauthorized: no', () => {
  const refused: TopicEvent = { type: 'topic.refused', reason: 'Unauthorized: no' }
  const { clock, status, send, drawn } = voyage(['topic'], stored(3_000), () => ({
    topic: () => [[5, refused]],
  }))
  clock.advance(10)
  send(bridge({ private: true }))
  clock.advance(60_000)
  expect(status().channels['bridge']).toMatchObject({ phase: 'denied', reason: 'Unauthorized: no' })
  return drawn()
})

row(
  19,
  'live only when rows arrive, and a gap is reported',
  '0s socket → opened, closed · 0s topic → joined, subscribed · 2s resync → done · 10.4s socket → opened · 10.4s topic → joined, subscribed · 12.4s resync → done',
  () => {
    const { clock, status, send, drawn } = voyage(['socket', 'topic', 'resync'], stored(3_000), () => ({
      socket: n => [
        [10, { type: 'socket.opened' }],
        ...(n === 1 ? ([[10_000, { type: 'socket.closed', code: 1006, reason: '' }]] as const) : []),
      ],
      topic: () => [
        [5, { type: 'topic.joined' }],
        [2_000, { type: 'postgres.subscribed' }],
      ],
    }))
    clock.advance(10)
    send(bridge(rows))
    clock.advance(1_000)
    expect(status().channels['bridge']).toMatchObject({ phase: 'joined', postgres: 'pending' })
    clock.advance(2_000)
    expect(status().channels['bridge']).toMatchObject({ phase: 'joined', postgres: 'live', data: 'live' })
    clock.advance(12_000)
    expect(status().channels['bridge']).toMatchObject({ phase: 'joined', postgres: 'live', data: 'live' })
    return drawn()
  },
)

row(20, 'two parts of an app on one topic', '0s topic → joined', () => {
  const { clock, status, send, drawn } = voyage(['topic'], stored(3_000))
  clock.advance(10)
  send(bridge())
  clock.advance(100)
  send(bridge({}, 'second'))
  clock.advance(100)
  send({ type: 'channel.leave', topic: 'bridge', use: 'first' })
  clock.advance(100)
  expect(status().channels['bridge']).toMatchObject({ phase: 'joined' })
  return drawn()
})
