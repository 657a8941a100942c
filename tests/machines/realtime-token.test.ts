// Tokens and channels: no join without a valid token, and a rejected one is replaced once before pauses grow.
import { describe, expect, test } from 'vitest'
import { scenario } from '../harness/scenario.ts'
import { token, type Behavior } from '../harness/scripted-ports.ts'

const HOUR = 3_600_000
const bridge = { type: 'channel.join', topic: 'bridge', options: {} } as const
const joined = { phase: 'joined', postgres: 'none', data: 'none' }
const expired = 'InvalidJWTToken: Token has expired 3 seconds ago'

function aboard(behavior: Partial<Behavior> = {}) {
  const all = scenario(() => behavior)
  all.signIn()
  all.send(bridge)
  return { ...all, channel: () => all.status().channels['bridge'] }
}

describe('a rejected token', () => {
  test('at the join: a new token is requested, and the topic joins with it at once', () => {
    const { clock, channel, starts } = aboard({
      topic: n =>
        n === 1 ? [[5, { type: 'topic.refused', reason: expired }]] : [[5, { type: 'topic.joined' }]],
    })
    clock.advance(20)
    expect(channel()).toEqual({ phase: 'waiting', postgres: 'none', data: 'none', reason: expired })
    clock.advance(50)
    expect([channel(), starts('refreshToken'), starts('topic')]).toEqual([joined, 1, 2])
  })

  test('on an open channel: the channel closes with its reason, and joins with a new token', () => {
    const { clock, channel, starts } = aboard({
      topic: n => [
        [5, { type: 'topic.joined' }],
        ...(n === 1
          ? ([[20_000, { type: 'topic.closed', reason: 'Token has expired 0 seconds ago' }]] as const)
          : []),
      ],
    })
    clock.advance(20_100)
    expect([channel(), starts('refreshToken'), starts('topic')]).toEqual([joined, 1, 2])
  })

  test('that was replaced in the meantime: the topic joins with the next token', () => {
    const { clock, send, channel, starts } = aboard({
      topic: n => [
        [5, { type: 'topic.joined' }],
        ...(n === 1 ? ([[20_000, { type: 'topic.closed', reason: expired }]] as const) : []),
      ],
    })
    clock.advance(10_000)
    send({ type: 'refresh.request' })
    clock.advance(10_100)
    expect([channel(), starts('refreshToken'), starts('topic')]).toEqual([joined, 1, 2])
  })

  test('repeatedly: one refresh, then growing pauses, never a storm', () => {
    const { clock, channel, starts } = aboard({
      topic: () => [[5, { type: 'topic.refused', reason: expired }]],
    })
    clock.advance(600_000)
    expect(channel()?.reason).toBe(expired)
    expect(starts('refreshToken')).toBe(1)
    expect(starts('topic')).toBeGreaterThan(20)
    expect(starts('topic')).toBeLessThan(50)
  })

  test('without a session: it cannot be replaced, so pauses grow', () => {
    const { clock, send, starts } = scenario(() => ({
      topic: () => [[5, { type: 'topic.refused', reason: expired }]],
    }))
    clock.advance(5)
    send(bridge)
    clock.advance(60_000)
    expect(starts('refreshToken')).toBe(0)
    expect(starts('topic')).toBeGreaterThan(3)
  })
})

test('a session without a valid token: the channel waits for one, and does not join anonymously', () => {
  const { clock, send, status, starts } = scenario(clock => ({
    readSession: () => [[1, { type: 'stored.found', token: token(clock, 1, 600) }]],
    refreshToken: (n, { tokenId }) =>
      n < 3
        ? [[5, { type: 'refresh.failed', failure: { kind: 'network', message: `no ${tokenId}` } }]]
        : [[5, { type: 'refresh.succeeded', token: token(clock, 100) }]],
    environment: () => [
      [0, { type: 'environment.changed', online: true, visible: true }],
      [10, { type: 'environment.changed', online: false, visible: true }],
      [HOUR, { type: 'environment.changed', online: true, visible: true }],
    ],
  }))
  clock.advance(HOUR - 10)
  send(bridge)
  clock.advance(12)
  expect([status().connection.phase, starts('socket'), starts('topic')]).toEqual(['waitingForToken', 0, 0])
  clock.advance(30_000)
  expect([status().connection.phase, status().channels['bridge']]).toEqual(['open', joined])
})

test('a rotated token is pushed over the open socket; nothing joins again', () => {
  const { clock, send, channel, starts } = aboard()
  clock.advance(50)
  send({ type: 'refresh.request' })
  clock.advance(50)
  expect([channel(), starts('refreshToken'), starts('socket'), starts('topic')]).toEqual([joined, 1, 1, 1])
})

test('denied: neither time nor a new socket helps, a new token does', () => {
  const reason = 'Unauthorized: You do not have permissions to read from this Channel topic: bridge'
  const { clock, send, channel, starts } = aboard({
    socket: n => [
      [10, { type: 'socket.opened' }],
      ...(n === 1 ? ([[60_000, { type: 'socket.closed', code: 1012, reason: 'restart' }]] as const) : []),
    ],
    topic: n => (n === 1 ? [[5, { type: 'topic.refused', reason }]] : [[5, { type: 'topic.joined' }]]),
  })
  clock.advance(600_000)
  expect([channel(), starts('topic'), starts('socket')]).toEqual([
    { phase: 'denied', postgres: 'none', data: 'none', reason },
    1,
    2,
  ])
  send({ type: 'refresh.request' })
  clock.advance(100)
  expect(channel()).toEqual(joined)
})
