// What makes a socket doubtful (sleep, hidden pages, a due token, a rejection) and what follows.
import { describe, expect, test } from 'vitest'
import type { EnvironmentEvent } from '../../src/machines/ports.ts'
import { scenario } from '../harness/scenario.ts'
import { token, type Behavior, type Script } from '../harness/scripted-ports.ts'

const HOUR = 3_600_000
const bridge = { type: 'channel.join', topic: 'bridge', options: {} } as const
const opened = { type: 'socket.opened' } as const
const is = (online: boolean, visible: boolean, frozen = false) =>
  ({ type: 'environment.changed', online, visible, frozen }) as const

/** A client on the topic `bridge`, in a changing environment. */
function sailing(environment: Script<EnvironmentEvent>, behavior: Partial<Behavior> = {}) {
  const all = scenario(() => ({ environment: () => [[0, is(true, true)], ...environment], ...behavior }))
  all.clock.advance(5)
  all.send(bridge)
  return all
}

describe('a device that slept', () => {
  test('probes the socket and keeps it if it responds', () => {
    const { clock, status, starts } = sailing([[1_000, { type: 'environment.woke', slept: HOUR, at: 1_000 }]])
    clock.advance(996)
    expect(status().connection).toEqual({ phase: 'probing', attempt: 0 })
    expect(status().channels['bridge']).toMatchObject({ phase: 'joined' })
    clock.advance(10)
    expect([status().connection, starts('socket')]).toEqual([{ phase: 'open', attempt: 0 }, 1])
  })

  test('replaces a half-open socket within 5 s, where its heartbeat would take up to 50 s', () => {
    const { clock, status, starts } = sailing(
      [[1_000, { type: 'environment.woke', slept: HOUR, at: 1_000 }]],
      {
        probe: () => [],
      },
    )
    clock.advance(1_000 + 5_000)
    expect([status().connection, starts('socket')]).toEqual([{ phase: 'open', attempt: 0 }, 2])
    expect(status().channels['bridge']).toMatchObject({ phase: 'joined' })
  })
})

describe('a hidden page', () => {
  test('keeps its socket for an hour, then suspends it until the page is visible', () => {
    const { clock, status, starts } = sailing([
      [1_000, is(true, false)],
      [2 * HOUR, is(true, true)],
    ])
    clock.advance(HOUR)
    expect([status().connection, starts('socket')]).toEqual([{ phase: 'open', attempt: 0 }, 1])
    clock.advance(2_000)
    expect(status().connection).toEqual({ phase: 'suspended', attempt: 0, reason: 'hidden' })
    expect(status().channels['bridge']).toMatchObject({ phase: 'waiting', reason: 'hidden' })
    clock.advance(HOUR - 2_000 + 50)
    expect([status().connection, starts('socket')]).toEqual([{ phase: 'open', attempt: 0 }, 2])
  })

  test('that is suspended does not reconnect when the network returns', () => {
    const { clock, status } = sailing([
      [1_000, is(true, false)],
      [HOUR + 5_000, is(false, false)],
      [HOUR + 6_000, is(true, false)],
      [HOUR + 8_000, is(true, true)],
    ])
    clock.advance(HOUR + 5_500)
    expect(status().connection.phase).toBe('suspended')
    clock.advance(2_000)
    expect(status().connection.phase).toBe('suspended')
    clock.advance(1_000)
    expect(status().connection.phase).toBe('open')
  })

  test('that becomes visible probes its socket', () => {
    const { clock, status } = sailing([
      [1_000, is(true, false)],
      [60_000, is(true, true)],
    ])
    clock.advance(59_996)
    expect(status().connection.phase).toBe('probing')
    clock.advance(10)
    expect(status().connection.phase).toBe('open')
  })

  test('frozen: suspended at once; resumed: reconnects at once', () => {
    const { clock, status, starts } = sailing([
      [1_000, is(true, false, true)],
      [9_000, is(true, true)],
    ])
    clock.advance(1_000)
    expect(status().connection).toEqual({ phase: 'suspended', attempt: 0, reason: 'frozen' })
    clock.advance(8_050)
    expect([status().connection.phase, starts('socket')]).toEqual(['open', 2])
  })
})

describe('a token that is due', () => {
  const environment: Script<EnvironmentEvent> = [
    [1_000, is(false, true)],
    [HOUR - 20_000, is(true, true)],
  ]
  const behind = (behavior: Partial<Behavior> = {}) => {
    const all = scenario(clock => ({
      environment: () => [[0, is(true, true)], ...environment],
      readSession: () => [[1, { type: 'stored.found', token: token(clock, 1) }]],
      ...behavior,
    }))
    all.clock.advance(5)
    all.send(bridge)
    all.clock.advance(HOUR - 20_000)
    return all
  }

  test('is refreshed before the socket reopens', () => {
    const { clock, journal, status } = behind()
    clock.advance(1_000)
    expect(status().connection.phase).toBe('open')
    const since = journal.slice(journal.indexOf('socket 1 stopped'))
    // The second socket finds the token due and never opens.
    expect(since.filter(line => /^(refreshToken|socket|topic) \d+$/.test(line))).toEqual([
      'socket 2',
      'refreshToken 1',
      'socket 3',
      'topic 2',
    ])
  })

  test('that cannot be refreshed in time is used until it expires', () => {
    const { clock, status } = behind({ refreshToken: () => [] })
    clock.advance(14_000)
    expect(status().connection.phase).toBe('waitingForToken')
    clock.advance(2_000)
    expect(status().connection.phase).toBe('open')
  })
})

describe('a socket that never opened', () => {
  const refused = (status: number, retryAfter?: number) =>
    sailing([], {
      socket: n => (n === 1 ? [[10, { type: 'socket.closed', code: 1006, reason: '' }]] : [[10, opened]]),
      probeSocket: () => [
        [5, { type: 'probe.answered', status, ...(retryAfter !== undefined && { retryAfter }) }],
      ],
    })

  test.each([
    [401, 'denied', 120_000],
    [403, 'denied', 120_000],
    [404, 'reconnecting', 30_000],
    [429, 'reconnecting', 30_000],
    [500, 'reconnecting', 500],
    [503, 'reconnecting', 500],
  ] as const)('with status %i over HTTP: %s, retried within %i ms', (answer, phase, within) => {
    const { clock, status, starts } = refused(answer)
    clock.advance(20)
    expect(status().connection).toEqual({ phase, attempt: 1, reason: `refused with ${answer}` })
    clock.advance(within / 2 - 20)
    expect(starts('socket')).toBe(1)
    clock.advance(within / 2 + 50)
    expect(status().connection).toEqual({ phase: 'open', attempt: 0 })
  })

  test('waits for the given Retry-After', () => {
    const { clock, starts } = refused(503, 90)
    clock.advance(90_000)
    expect(starts('socket')).toBe(1)
    clock.advance(100)
    expect(starts('socket')).toBe(2)
  })

  test.each([
    ['429', { status: 429, retryAfter: 90 }, 90_000],
    ['503 with Retry-After', { status: 503, retryAfter: 90 }, 90_000],
    ['429 without Retry-After', { status: 429 }, 15_000],
  ] as const)(
    'with Retry-After (%s): a visible page or network does not shorten the wait',
    (_, answer, until) => {
      const { clock, starts } = sailing(
        [
          [1_000, is(true, false)],
          [2_000, is(true, true)],
          [3_000, is(false, true)],
          [4_000, is(true, true)],
        ],
        {
          socket: n => (n === 1 ? [[10, { type: 'socket.closed', code: 1006, reason: '' }]] : [[10, opened]]),
          probeSocket: () => [[5, { type: 'probe.answered', ...answer }]],
        },
      )
      clock.advance(until)
      expect(starts('socket')).toBe(1)
      clock.advance(until)
      expect(starts('socket')).toBe(2)
    },
  )

  test.each([
    ['a successful response', [[5, { type: 'probe.answered', status: 200 }]]],
    ['no response', [[5, { type: 'probe.failed' }]]],
    ['a timeout', []],
  ] as const)("with %s over HTTP: retried, with the socket's reason", (_, probeSocket) => {
    const { clock, status } = sailing([], {
      socket: n => (n === 1 ? [[10, { type: 'socket.closed', code: 1006, reason: '' }]] : [[10, opened]]),
      probeSocket: () => probeSocket,
    })
    clock.advance(4_015)
    expect(status().connection).toMatchObject({ attempt: probeSocket.length > 0 ? 0 : 1 })
    clock.advance(1_000)
    expect(status().connection).toEqual({ phase: 'open', attempt: 0 })
  })

  test('rejected for the token: another token is tried at once', () => {
    const { clock, status, signIn } = refused(401)
    clock.advance(20)
    expect(status().connection.phase).toBe('denied')
    signIn()
    clock.advance(50)
    expect(status().connection.phase).toBe('open')
  })
})

test('a socket that opens and breaks at once counts as one that never opens: pauses grow', () => {
  const { clock, starts } = sailing([], {
    socket: () => [
      [10, opened],
      [20, { type: 'socket.closed', code: 1012, reason: 'restart' }],
    ],
  })
  clock.advance(600_000)
  expect(starts('socket')).toBeGreaterThan(20)
  expect(starts('socket')).toBeLessThan(50)
})
