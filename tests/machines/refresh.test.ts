// Refreshing: a check every 30 s, a refresh about 90 s before expiry, one at a time, and never a lost session.
import { describe, expect, test } from 'vitest'
import type { Failure, ClientStatus } from '../../src/machines/index.ts'
import { scenario } from '../harness/scenario.ts'
import { token, type Behavior } from '../harness/scripted-ports.ts'

const network: Failure = { kind: 'network', message: 'The backend cannot be reached.' }
const limited: Failure = { kind: 'rateLimit', status: 429, retryAfter: 120, message: 'Too many attempts.' }

const tokenState = ({ session }: ClientStatus) =>
  session.phase === 'authenticated' ? session.token.state : session

/** A token that is valid for 300 s from sign-in, which ends at 25 ms. */
const shortLived = (rest: Partial<Behavior> = {}) =>
  scenario(clock => ({
    authenticate: n => [[20, { type: 'auth.succeeded', token: token(clock, n, 300) }]],
    ...rest,
  }))

describe('the schedule', () => {
  test('lifetime 300 s: nothing before 210 s, due and refreshed at the next check', () => {
    const { signIn, clock, starts, status } = shortLived()
    signIn()
    clock.advance(209_000)
    expect([tokenState(status()), starts('refreshToken')]).toEqual(['fresh', 0])
    clock.advance(980)
    expect([tokenState(status()), starts('refreshToken')]).toEqual(['refreshing', 1])
    clock.advance(20)
    expect([tokenState(status()), starts('refreshToken')]).toEqual(['fresh', 1])
  })

  test('a stored token that is already due is refreshed at once, without waiting for a tick', () => {
    const { clock, starts } = scenario(clock => ({
      readSession: () => [
        [
          1,
          {
            type: 'stored.found',
            token: { ...token(clock, 1, 300), receivedAt: -250_000, expiresAt: 50_000 },
          },
        ],
      ],
    }))
    clock.advance(2)
    expect(starts('refreshToken')).toBe(1)
  })

  test('a lifetime of 20 s is checked every 5 s and refreshed at its half, not all the time', () => {
    const { signIn, clock, starts } = scenario(clock => ({
      authenticate: n => [[20, { type: 'auth.succeeded', token: token(clock, n, 20) }]],
      refreshToken: n => [[20, { type: 'refresh.succeeded', token: token(clock, n + 100, 20) }]],
    }))
    signIn()
    clock.advance(100_000)
    expect(starts('refreshToken')).toBe(9)
  })

  test('a request during a refresh joins it', () => {
    const { signIn, send, clock, starts } = scenario()
    signIn()
    send({ type: 'refresh.request' })
    send({ type: 'refresh.request' })
    clock.advance(10)
    send({ type: 'refresh.request' })
    clock.advance(1000)
    expect(starts('refreshToken')).toBe(1)
  })

  test('signed out: no ticks, no refreshes', () => {
    const { signIn, send, clock, starts, journal } = scenario()
    signIn()
    send({ type: 'session.signOut', attempt: 'a2', scope: 'local' })
    clock.advance(7_200_000)
    expect(starts('refreshToken')).toBe(0)
    expect(journal.at(-1)).toBe('revoke 1 stopped')
    expect(clock.pending()).toBe(0)
  })
})

describe('failures', () => {
  test('unreachable: pauses grow, the session stays, the token expires on time', () => {
    const { signIn, clock, status, starts } = shortLived({
      refreshToken: () => [[5, { type: 'refresh.failed', failure: network }]],
    })
    signIn()
    clock.advance(210_010)
    expect(tokenState(status())).toBe('delayed')
    clock.advance(89_000)
    expect(tokenState(status())).toBe('delayed')
    const before = starts('refreshToken')
    expect(before).toBeGreaterThan(5)
    expect(before).toBeLessThan(12)
    clock.advance(2_000)
    expect(tokenState(status())).toBe('expired')
    clock.advance(3_600_000)
    expect(status().session.phase).toBe('authenticated')
  })

  test.each([
    ['429', 'rateLimit'],
    ['503', 'server'],
  ] as const)('%s with a Retry-After of a week: a quarter of an hour, then a retry', (status, kind) => {
    const failure: Failure = { kind, status: Number(status), retryAfter: 604_800, message: 'Later.' }
    const { signIn, clock, starts, send } = shortLived({
      refreshToken: n => [
        [
          20,
          n === 1
            ? { type: 'refresh.failed', failure }
            : { type: 'refresh.succeeded', token: token(clock, n + 1, 300) },
        ],
      ],
    })
    signIn()
    send({ type: 'refresh.request' })
    clock.advance(20)
    clock.advance(899_000)
    expect(starts('refreshToken')).toBe(1)
    clock.advance(1_100)
    expect(starts('refreshToken')).toBe(2)
  })

  test('429 with Retry-After: waits that long, even when requested in between, and keeps the session', () => {
    const { signIn, send, clock, starts, status } = scenario(clock => ({
      refreshToken: n =>
        n === 1
          ? [[5, { type: 'refresh.failed', failure: limited }]]
          : [[5, { type: 'refresh.succeeded', token: token(clock, n) }]],
    }))
    signIn()
    send({ type: 'refresh.request' })
    clock.advance(60_000)
    send({ type: 'refresh.request' })
    clock.advance(59_900)
    expect([starts('refreshToken'), tokenState(status())]).toEqual([1, 'delayed'])
    clock.advance(200)
    expect([starts('refreshToken'), tokenState(status())]).toEqual([2, 'fresh'])
  })

  test('no response: aborted after 15 s and retried', () => {
    const { signIn, send, clock, journal, starts } = scenario(() => ({ refreshToken: () => [] }))
    signIn()
    send({ type: 'refresh.request' })
    clock.advance(15_000)
    expect(journal).toContain('refreshToken 1 stopped')
    clock.advance(500)
    expect(starts('refreshToken')).toBe(2)
  })

  test.each<[string, Failure, string]>([
    [
      'already used',
      {
        kind: 'auth',
        status: 400,
        code: 'refresh_token_already_used',
        message: 'Invalid Refresh Token: Already Used',
      },
      'reuseDetected',
    ],
    [
      'not found',
      {
        kind: 'auth',
        status: 400,
        code: 'refresh_token_not_found',
        message: 'Invalid Refresh Token: Refresh Token Not Found',
      },
      'notFound',
    ],
    [
      'inactivity',
      {
        kind: 'auth',
        status: 400,
        code: 'session_expired',
        message: 'Invalid Refresh Token: Session Expired (Inactivity)',
      },
      'inactivity',
    ],
    [
      'newer login',
      {
        kind: 'auth',
        status: 400,
        code: 'session_expired',
        message: 'Invalid Refresh Token: Session Expired (Revoked by Newer Login)',
      },
      'newerLogin',
    ],
    [
      'low aal',
      {
        kind: 'auth',
        status: 400,
        code: 'session_expired',
        message: 'Invalid Refresh Token: Session Expired (Low AAL)',
      },
      'lowAal',
    ],
    [
      'timebox',
      {
        kind: 'auth',
        status: 400,
        code: 'session_expired',
        message: 'Invalid Refresh Token: Session Expired',
      },
      'timebox',
    ],
    [
      'banned',
      { kind: 'forbidden', status: 400, code: 'user_banned', message: 'Invalid Refresh Token: User Banned' },
      'banned',
    ],
    [
      'revoked',
      {
        kind: 'auth',
        status: 403,
        code: 'session_not_found',
        message: 'Session from session_id claim in JWT does not exist',
      },
      'remoteRevoked',
    ],
  ])('a terminal response (%s) ends the session with its reason', (_, failure, reason) => {
    const { signIn, send, clock, status, journal } = scenario(() => ({
      refreshToken: () => [[5, { type: 'refresh.failed', failure }]],
    }))
    signIn()
    send({ type: 'refresh.request' })
    clock.advance(100)
    expect(status().session).toEqual({ phase: 'signedOut', reason, failure })
    expect(journal).toContain('removeSession 1')
  })
})

test.each<[string, Failure]>([
  ['a rejected key', { kind: 'auth', status: 401, message: 'Invalid API key' }],
  ['a gateway that forbids', { kind: 'forbidden', status: 403, message: 'Forbidden' }],
  ['a malformed request', { kind: 'auth', status: 400, code: 'bad_json', message: 'Could not parse' }],
  ['not found', { kind: 'notFound', status: 404, message: 'requested path is invalid' }],
])('%s does not affect the session', (_, failure) => {
  const { signIn, send, clock, status } = scenario(() => ({
    refreshToken: () => [[5, { type: 'refresh.failed', failure }]],
  }))
  signIn()
  send({ type: 'refresh.request' })
  clock.advance(100)
  expect(status().session.phase).toBe('authenticated')
  expect(tokenState(status())).toBe('delayed')
})

describe('offline', () => {
  test('the device goes offline: nothing is tried; online: a due token is refreshed at once', () => {
    const { signIn, clock, starts, status } = shortLived({
      environment: () => [
        [0, { type: 'environment.changed', online: true, visible: true }],
        [100_000, { type: 'environment.changed', online: false, visible: true }],
        [1_000_000, { type: 'environment.changed', online: true, visible: true }],
      ],
    })
    signIn()
    clock.advance(900_000)
    expect([starts('refreshToken'), tokenState(status()), status().network]).toEqual([
      0,
      'expired',
      'offline',
    ])
    clock.advance(100_000)
    expect([starts('refreshToken'), tokenState(status()), status().network]).toEqual([1, 'fresh', 'online'])
  })
})
