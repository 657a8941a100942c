// Row changes: promised only once the server confirms, and what was missed in a gap is read again.
import { describe, expect, test } from 'vitest'
import type { ChannelStatus } from '../../src/machines/index.ts'
import { scenario } from '../harness/scenario.ts'
import type { Behavior } from '../harness/scripted-ports.ts'

const join = {
  type: 'channel.join',
  topic: 'rows',
  options: { postgresChanges: [{ event: '*', schema: 'public', table: 'vessels' }] },
} as const
const joined = [5, { type: 'topic.joined' }] as const
const live = [10, { type: 'postgres.subscribed' }] as const
const opened = [10, { type: 'socket.opened' }] as const

/** A client on the topic `rows`, and its statuses in order. */
function watching(behavior: Partial<Behavior> = {}) {
  const all = scenario(() => behavior)
  const seen: string[] = []
  const look = () => {
    const { phase, postgres, data } = all.status().channels['rows'] as ChannelStatus
    const line = `${phase} ${postgres} ${data}`
    if (seen.at(-1) !== line) seen.push(line)
  }
  all.clock.advance(5)
  all.send(join)
  all.client.subscribe(look)
  /** Advances in steps small enough to see every state. */
  const sail = (ms: number, step = 5) => {
    for (let left = ms; left > 0; left -= step) {
      all.clock.advance(step)
      look()
    }
  }
  return { ...all, seen, sail, rows: () => all.status().channels['rows'] }
}

describe('row changes', () => {
  test('are promised only once the server confirms; then the app reads what it may have missed', () => {
    const { sail, seen, starts } = watching({ topic: () => [joined, [500, { type: 'postgres.subscribed' }]] })
    sail(600)
    expect(seen).toEqual([
      'waiting pending gap',
      'joining pending gap',
      'joined pending gap',
      'joined live resyncing',
      'joined live live',
    ])
    expect(starts('resync')).toBe(1)
  })

  test('that failed for a while are requested by another join', () => {
    const reason = 'Subscribing to PostgreSQL failed: the pool is exhausted'
    const { sail, rows, starts } = watching({
      topic: n => (n === 1 ? [joined, [8, { type: 'postgres.failed', reason }]] : [joined, live]),
    })
    sail(50)
    expect(rows()).toEqual({ phase: 'joined', postgres: 'retrying', data: 'gap', reason })
    sail(600)
    expect(rows()).toEqual({ phase: 'joined', postgres: 'live', data: 'live' })
    expect(starts('topic')).toBe(2)
  })

  test('that the server does not confirm are requested again', () => {
    const { clock, rows, starts } = watching({ topic: n => (n === 1 ? [joined] : [joined, live]) })
    clock.advance(10_100)
    const reason = 'no response about row changes'
    expect(rows()).toEqual({ phase: 'joined', postgres: 'retrying', data: 'gap', reason })
    clock.advance(600)
    expect([rows(), starts('topic')]).toEqual([{ phase: 'joined', postgres: 'live', data: 'live' }, 2])
  })

  test('that keep failing are requested with growing pauses', () => {
    const { clock, starts } = watching({
      topic: () => [joined, [8, { type: 'postgres.failed', reason: 'no connection' }]],
    })
    clock.advance(600_000)
    expect(starts('topic')).toBeGreaterThan(20)
    expect(starts('topic')).toBeLessThan(50)
  })

  test('that are unavailable are not requested again, and start when the server confirms', () => {
    const reason = 'Unable to subscribe to changes with given parameters.'
    const { clock, rows, starts } = watching({
      topic: () => [
        joined,
        [8, { type: 'postgres.failed', reason }],
        [900_000, { type: 'postgres.subscribed' }],
      ],
    })
    clock.advance(600_000)
    expect([rows(), starts('topic')]).toEqual([
      { phase: 'joined', postgres: 'configError', data: 'gap', reason },
      1,
    ])
    clock.advance(600_000)
    expect(rows()).toEqual({ phase: 'joined', postgres: 'live', data: 'live' })
  })
})

describe('a gap', () => {
  test('opens when the socket is lost and ends with the resync after the next join', () => {
    const { sail, seen, starts } = watching({
      socket: n =>
        n === 1 ? [opened, [1_000, { type: 'socket.closed', code: 1006, reason: '' }]] : [opened],
    })
    sail(900)
    seen.length = 0
    sail(1_000)
    expect(seen).toEqual([
      'joined live live',
      'waiting pending gap',
      'joining pending gap',
      'joined pending gap',
      'joined live resyncing',
      'joined live live',
    ])
    expect(starts('resync')).toBe(2)
  })

  test('opens when the server reports that row changes failed', () => {
    const { sail, seen, rows } = watching({
      topic: n =>
        n === 1
          ? [joined, live, [1_000, { type: 'postgres.failed', reason: 'replication slot lost' }]]
          : [joined, live],
    })
    sail(1_020)
    expect(seen.at(-1)).toBe('joined retrying gap')
    sail(1_000)
    expect(rows()).toEqual({ phase: 'joined', postgres: 'live', data: 'live' })
  })

  test('a resync that fails, or hangs, is retried after a pause until it succeeds', () => {
    const { clock, rows, starts } = watching({
      resync: n =>
        n === 1
          ? [[5, { type: 'resync.failed', reason: 'the backend is late' }]]
          : n === 2
            ? []
            : [[5, { type: 'resync.done' }]],
    })
    clock.advance(2_000)
    expect([rows()?.data, starts('resync')]).toEqual(['resyncing', 2])
    clock.advance(30_000)
    expect([rows(), starts('resync')]).toEqual([{ phase: 'joined', postgres: 'live', data: 'live' }, 3])
  })

  test('is not closed by a late message of an earlier join', () => {
    const { sail, rows, starts } = watching({
      topic: n =>
        n === 1
          ? [
              [0, { type: 'topic.closed', reason: 'restart' }],
              [0, { type: 'postgres.subscribed' }],
            ]
          : [joined],
    })
    sail(2_000)
    expect([rows(), starts('topic'), starts('resync')]).toEqual([
      { phase: 'joined', postgres: 'pending', data: 'gap' },
      2,
      0,
    ])
  })

  test('a second gap cancels the running resync and starts a new one', () => {
    const { clock, rows, journal } = watching({
      socket: n => (n === 1 ? [opened, [100, { type: 'socket.closed', code: 1006, reason: '' }]] : [opened]),
      resync: n => [[n === 1 ? 5_000 : 5, { type: 'resync.done' }]],
    })
    clock.advance(1_000)
    expect(journal.filter(line => line.startsWith('resync'))).toEqual([
      'resync 1',
      'resync 1 stopped',
      'resync 2',
      'resync 2 stopped',
    ])
    expect(rows()).toEqual({ phase: 'joined', postgres: 'live', data: 'live' })
  })

  test('does not concern topics without row changes', () => {
    const { clock, send, status, starts } = scenario()
    clock.advance(5)
    send({ type: 'channel.join', topic: 'bridge', options: {} })
    clock.advance(100)
    expect([status().channels['bridge'], starts('resync')]).toEqual([
      { phase: 'joined', postgres: 'none', data: 'none' },
      0,
    ])
  })
})
