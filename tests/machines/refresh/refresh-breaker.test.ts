// The breaker: refreshes that follow each other too fast stop, and resume one at a time.
import { describe, expect, test } from 'vitest'
import { advance, closedBreaker, countAttempt } from '../../../src/machines/refresh/schedule.ts'
import { type ClientStatus, DEFAULT_TIMINGS } from '../../../src/machines/index.ts'
import { scenario } from '../../harness/scenario.ts'

const tokenOf = ({ session }: ClientStatus) => {
  if (session.phase !== 'authenticated') throw new Error(session.phase)
  return session.token
}

describe('as data', () => {
  const storm = (from: number, count: number, start = closedBreaker) =>
    Array.from({ length: count }, (_, n) => from + n * 100).reduce(
      (breaker, at) => countAttempt(breaker, at, DEFAULT_TIMINGS),
      start,
    )

  test('ten in a minute open it for a minute; nine do not', () => {
    expect(storm(0, 9).state).toBe('closed')
    expect(storm(0, 10)).toEqual({ state: 'open', until: 60_900, attempts: [] })
  })

  test('spread over more than the window they never do', () => {
    const slow = Array.from({ length: 100 }, (_, n) => n * 6_700).reduce(
      (breaker, at) => countAttempt(breaker, at, DEFAULT_TIMINGS),
      closedBreaker,
    )
    expect(slow.state).toBe('closed')
  })

  test('open ─ a minute ─ half open ─ one probe ─ a calm minute ─ closed', () => {
    const open = storm(0, 10)
    expect(advance(open, 60_899, DEFAULT_TIMINGS)).toBe(open)
    const half = advance(open, 60_900, DEFAULT_TIMINGS)
    expect(half).toEqual({ state: 'halfOpen', until: 120_900, attempts: [] })
    const probed = countAttempt(half, 70_000, DEFAULT_TIMINGS)
    expect(probed).toEqual({ state: 'halfOpen', until: 130_000, attempts: [70_000] })
    expect(countAttempt(probed, 71_000, DEFAULT_TIMINGS).state).toBe('open')
    expect(advance(probed, 129_999, DEFAULT_TIMINGS)).toBe(probed)
    expect(advance(probed, 130_000, DEFAULT_TIMINGS)).toEqual(closedBreaker)
  })
})

describe('in the machine', () => {
  /** The app keeps requesting a new token. */
  const stormed = (times: number) => {
    const run = scenario()
    run.signIn()
    for (let n = 0; n < times; n++) {
      run.send({ type: 'refresh.request' })
      run.clock.advance(100)
    }
    return run
  }

  test('an app that requests all the time: ten calls, then none for a minute, then one', () => {
    const run = stormed(30)
    expect([run.starts('refreshToken'), tokenOf(run.status()).breaker]).toEqual([10, 'open'])
    expect(tokenOf(run.status())).toMatchObject({
      state: 'delayed',
      failure: { kind: 'rateLimit', code: 'refresh_breaker_open' },
    })
    run.clock.advance(90_000)
    expect([run.starts('refreshToken'), tokenOf(run.status()).breaker]).toEqual([11, 'halfOpen'])
    run.clock.advance(90_000)
    expect([run.starts('refreshToken'), tokenOf(run.status())]).toMatchObject([
      11,
      { breaker: 'closed', state: 'fresh' },
    ])
  })

  test('a server that rejects its tokens at once: requests fail with its 401 instead of hanging', () => {
    const run = scenario(() => ({
      send: () => [[1, { type: 'send.answered', status: 401, refusal: 'tokenRejected' }]],
    }))
    run.signIn()
    const ids = Array.from({ length: 30 }, () => {
      const id = run.request()
      run.clock.advance(100)
      return id
    })
    expect(run.starts('refreshToken')).toBeLessThanOrEqual(10)
    expect(ids.filter(id => run.outcome(id) === undefined)).toEqual([])
    expect(run.status().session.phase).toBe('authenticated')
  })

  test('due refreshes never count: a lifetime of 4 s works for an hour', () => {
    const run = scenario(clock => ({
      authenticate: n => [[20, { type: 'auth.succeeded', token: tokenOf4(clock.now(), n) }]],
      refreshToken: n => [[20, { type: 'refresh.succeeded', token: tokenOf4(clock.now(), n + 100) }]],
    }))
    run.signIn()
    run.clock.advance(600_000)
    expect(tokenOf(run.status()).breaker).toBe('closed')
    expect(run.starts('refreshToken')).toBeGreaterThan(150)
  })
})

const tokenOf4 = (now: number, n: number) =>
  ({
    id: `token-${n}`,
    receivedAt: now,
    heldSince: now,
    expiresAt: now + 4_000,
    lifetime: 4_000,
    aal: 'aal1',
    user: { id: 'skipper' },
  }) as const
