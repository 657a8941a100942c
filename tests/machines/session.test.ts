// The session: boots from storage, signs in and out, and ends only by the user's choice or a terminal
// response.
import { describe, expect, test } from 'vitest'
import { scenario } from '../harness/scenario.ts'
import { token } from '../harness/scripted-ports.ts'

const wrong = {
  kind: 'auth',
  code: 'invalid_credentials',
  status: 400,
  message: 'E-mail or password is wrong.',
} as const

describe('booting', () => {
  test('nothing stored → signed out, never signed in', () => {
    const { clock, status } = scenario()
    expect(status().session).toEqual({ phase: 'booting' })
    clock.advance(1)
    expect(status().session).toEqual({ phase: 'signedOut', reason: 'never' })
  })

  test("a stored session → authenticated as its user, with its token's lifetime", () => {
    const { clock, status } = scenario(clock => ({
      readSession: () => [[1, { type: 'stored.found', token: token(clock, 1) }]],
    }))
    clock.advance(1)
    expect(status().session).toEqual({
      phase: 'authenticated',
      user: { id: 'skipper', email: 'skipper@harbour.test' },
      userFreshness: 'cached',
      aal: 'aal1',
      assurance: { level: 'aal1', next: 'aal1' },
      recovery: 'none',
      token: {
        state: 'fresh',
        receivedAt: 0,
        expiresAt: 3_600_000,
        refreshAt: 3_510_000,
        skew: 0,
        breaker: 'closed',
        role: 'leader',
      },
    })
  })

  test('an unreadable stored session → signed out as corrupt, and reported as such', () => {
    const failure = { kind: 'auth', message: 'The stored session could not be read. Sign in again.' } as const
    const { clock, status } = scenario(() => ({
      readSession: () => [[1, { type: 'stored.corrupt', failure }]],
    }))
    clock.advance(1)
    expect(status().session).toEqual({ phase: 'signedOut', reason: 'corrupt', failure })
  })
})

test('signing out while booting: the stored session is removed, no user is signed in', () => {
  const { send, clock, status, emitted, journal } = scenario(clock => ({
    readSession: () => [[50, { type: 'stored.found', token: token(clock, 1) }]],
  }))
  send({ type: 'session.signOut', attempt: 'a1', scope: 'local' })
  clock.advance(100)
  expect(status().session).toEqual({ phase: 'signedOut', reason: 'userLocal' })
  expect(journal).toContain('removeSession 1')
  expect(emitted).toEqual([{ type: 'auth.settled', attempt: 'a1' }])
})

describe('signing in', () => {
  test('a wrong password → signed out with the failure, and the attempt is notified', () => {
    const { signIn, status, emitted } = scenario(() => ({
      authenticate: () => [[5, { type: 'auth.failed', failure: wrong }]],
    }))
    signIn()
    expect(status().session).toEqual({ phase: 'signedOut', reason: 'never', failure: wrong })
    expect(emitted).toEqual([{ type: 'auth.settled', attempt: 'a1', failure: wrong }])
  })

  test('no response → given up after 15 s, and the request is aborted', () => {
    const { signIn, clock, status, journal } = scenario(() => ({ authenticate: () => [] }))
    signIn()
    expect(status().session).toEqual({ phase: 'authenticating' })
    clock.advance(15_000)
    const failure = { kind: 'timeout', message: 'Signing in timed out.' }
    expect(status().session).toEqual({ phase: 'signedOut', reason: 'never', failure })
    expect(journal).toContain('authenticate 1 stopped')
  })

  test('an account to be confirmed → reported as such, still signed out', () => {
    const user = { id: 'new', email: 'new@harbour.test' }
    const { signIn, status, emitted } = scenario(() => ({
      authenticate: () => [[5, { type: 'auth.unconfirmed', user }]],
    }))
    signIn()
    expect(status().session.phase).toBe('signedOut')
    expect(emitted).toEqual([{ type: 'auth.settled', attempt: 'a1', user, unconfirmed: true }])
  })

  test('during another sign-in → queued, and the last one wins', () => {
    const { send, clock, emitted, status } = scenario(clock => ({
      authenticate: n => [
        [20, { type: 'auth.succeeded', token: token(clock, n, 3600, n === 1 ? 'skipper' : 'mate') }],
      ],
    }))
    clock.advance(5)
    send({ type: 'session.signIn', attempt: 'a1' })
    send({ type: 'session.signIn', attempt: 'a2' })
    clock.advance(20)
    expect(status().session).toMatchObject({ phase: 'authenticated', user: { id: 'skipper' } })
    clock.advance(20)
    expect(status().session).toMatchObject({ phase: 'authenticated', user: { id: 'mate' } })
    expect(emitted).toEqual([
      { type: 'auth.settled', attempt: 'a1', user: { id: 'skipper', email: 'skipper@harbour.test' } },
      { type: 'auth.settled', attempt: 'a2', user: { id: 'mate', email: 'mate@harbour.test' } },
    ])
  })

  test('signing out in the middle of it → the attempt is given up', () => {
    const { send, clock, emitted, status } = scenario()
    clock.advance(5)
    send({ type: 'session.signIn', attempt: 'a1' })
    send({ type: 'session.signOut', attempt: 'a2', scope: 'local' })
    clock.advance(1000)
    expect(emitted).toEqual([
      {
        type: 'auth.settled',
        attempt: 'a1',
        failure: { kind: 'aborted', message: 'Signing in was canceled.' },
      },
      { type: 'auth.settled', attempt: 'a2' },
    ])
    expect(status().session.phase).toBe('signedOut')
  })
})

describe('signing out', () => {
  test.each([
    ['local', 'userLocal'],
    ['global', 'userGlobal'],
  ] as const)('%s: clears the session first, then notifies the server → %s', (scope, reason) => {
    const { signIn, send, clock, status, journal, emitted } = scenario()
    signIn()
    send({ type: 'session.signOut', attempt: 'a2', scope })
    expect(status().session).toEqual({ phase: 'signingOut' })
    clock.advance(20)
    expect(status().session).toEqual({ phase: 'signedOut', reason })
    expect(journal.filter(line => /^(remove|revoke)/.test(line))).toEqual([
      'removeSession 1',
      'removeSession 1 stopped',
      'revoke 1',
      'revoke 1 stopped',
    ])
    expect(emitted.at(-1)).toEqual({ type: 'auth.settled', attempt: 'a2' })
  })

  test('the server cannot be notified → signed out just the same, and the failure is reported', () => {
    const failure = { kind: 'network', message: 'The backend cannot be reached.' } as const
    const { signIn, send, clock, status, emitted } = scenario(() => ({
      revoke: () => [[5, { type: 'revoke.failed', failure }]],
    }))
    signIn()
    send({ type: 'session.signOut', attempt: 'a2', scope: 'global' })
    clock.advance(20)
    expect(status().session).toEqual({ phase: 'signedOut', reason: 'userGlobal' })
    expect(emitted.at(-1)).toEqual({ type: 'auth.settled', attempt: 'a2', failure })
  })

  test('a running refresh is stopped first, so that it cannot write the session back', () => {
    const { signIn, send, clock, journal, status } = scenario()
    signIn()
    send({ type: 'refresh.request' })
    send({ type: 'session.signOut', attempt: 'a2', scope: 'local' })
    clock.advance(100)
    const order = ['refreshToken 1', 'refreshToken 1 stopped', 'removeSession 1']
    expect(journal.filter(line => order.includes(line))).toEqual(order)
    expect(status().session).toEqual({ phase: 'signedOut', reason: 'userLocal' })
  })

  test('already signed out → succeeds', () => {
    const { send, clock, emitted } = scenario()
    clock.advance(5)
    send({ type: 'session.signOut', attempt: 'a1', scope: 'local' })
    expect(emitted).toEqual([{ type: 'auth.settled', attempt: 'a1' }])
  })
})
