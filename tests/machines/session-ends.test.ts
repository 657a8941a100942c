// Why a session ends: every reason, what is reported, and what does not end a session.
import { describe, expect, test } from 'vitest'
import { scenario } from '../harness/scenario.ts'
import { token, type Behavior } from '../harness/scripted-ports.ts'
import type { VirtualClock } from '../../src/testing/virtual-clock.ts'

const authenticatedFirst = (behave: (clock: VirtualClock) => Partial<Behavior>) => {
  const run = scenario(behave)
  run.signIn()
  return run
}

describe('by the server', () => {
  test.each([
    ['session_not_found', 'Session from session_id claim in JWT does not exist', 'remoteRevoked'],
    ['refresh_token_not_found', 'Invalid Refresh Token: Refresh Token Not Found', 'notFound'],
    ['user_not_found', 'User from sub claim in JWT does not exist', 'notFound'],
    ['refresh_token_already_used', 'Invalid Refresh Token: Already Used', 'reuseDetected'],
    ['session_expired', 'Invalid Refresh Token: Session Expired (Inactivity)', 'inactivity'],
    ['session_expired', 'Invalid Refresh Token: Session Expired', 'timebox'],
    ['session_expired', 'Invalid Refresh Token: Session Expired (Revoked by Newer Login)', 'newerLogin'],
    [
      'session_expired',
      'Invalid Refresh Token: Session Expired (Low AAL: User Needs MFA Verification)',
      'lowAal',
    ],
    ['user_banned', 'Invalid Refresh Token: User Banned', 'banned'],
  ] as const)('%s "%s" → %s', (code, message, reason) => {
    const failure = { kind: 'auth', status: 400, code, message } as const
    const { send, clock, status, journal } = authenticatedFirst(() => ({
      refreshToken: () => [[5, { type: 'refresh.failed', failure }]],
    }))
    send({ type: 'refresh.request' })
    clock.advance(1_000)
    expect(status().session).toEqual({ phase: 'signedOut', reason, failure })
    expect(journal).toContain('removeSession 1')
  })

  test('verifyUser, and the server has no such session → signed out for its reason', () => {
    const failure = {
      kind: 'auth',
      status: 403,
      code: 'session_not_found',
      message: 'Session is gone',
    } as const
    const { send, clock, status, emitted } = authenticatedFirst(() => ({
      loadUser: () => [[5, { type: 'user.failed', failure }]],
    }))
    send({ type: 'session.verify', attempt: 'a2' })
    clock.advance(10)
    expect(status().session).toEqual({ phase: 'signedOut', reason: 'remoteRevoked', failure })
    expect(emitted.at(-1)).toEqual({ type: 'auth.settled', attempt: 'a2', failure })
  })
})

describe('by other writers of the storage', () => {
  test.each([
    ['otherTab', 'otherTab', {}],
    ['storage', 'storageCleared', {}],
    ['storage', 'otherTab', { by: 'otherTab' }],
  ] as const)(
    'removed by %s → %s when what is left is %j, and the server is not notified',
    (by, reason, left) => {
      const { client, clock, status, journal } = authenticatedFirst(() => ({
        readSession: () => [[1, { type: 'stored.none', ...left }]],
      }))
      client.send({ type: 'stored.changed', by, what: 'removed' })
      clock.advance(10)
      expect(status().session).toEqual({ phase: 'signedOut', reason })
      expect(journal.filter(line => line.startsWith('revoke'))).toEqual([])
    },
  )

  test('another user signed in there → this tab switches to them, too', () => {
    const { client, clock, status, journal, request, outcome } = authenticatedFirst(clock => ({
      readSession: n => [
        [1, n === 1 ? { type: 'stored.none' } : { type: 'stored.found', token: token(clock, 9, 60, 'mate') }],
      ],
      send: () => [],
    }))
    const id = request()
    client.send({ type: 'stored.changed', by: 'otherTab', what: 'written' })
    clock.advance(10)
    expect(status().session).toMatchObject({
      phase: 'authenticated',
      user: { id: 'mate' },
      userFreshness: 'cached',
    })
    expect(outcome(id)).toMatchObject({ failure: { kind: 'aborted', code: 'signed_out' } })
    expect(journal).not.toContain('removeSession 1')
  })

  test.each([
    ['stored.same', { type: 'stored.same' }],
    ['unreadable', { type: 'stored.corrupt', failure: { kind: 'auth', message: 'unreadable' } }],
    ['broken', { type: 'port.broken', failure: { kind: 'bug', message: 'planted' } }],
  ] as const)('the storage now contains %s → the session stays', (_, event) => {
    const { client, clock, status } = authenticatedFirst(() => ({
      readSession: n => [[1, n === 1 ? { type: 'stored.none' } : event]],
    }))
    client.send({ type: 'stored.changed', by: 'storage', what: 'written' })
    clock.advance(10)
    expect(status().session).toMatchObject({ phase: 'authenticated', token: { state: 'fresh' } })
  })

  test('a storage that does not respond → the session stays, and the next change is checked', () => {
    const { client, clock, status, starts } = authenticatedFirst(() => ({
      readSession: n => (n === 2 ? [] : [[1, { type: 'stored.none' }]]),
    }))
    client.send({ type: 'stored.changed', by: 'storage', what: 'removed' })
    clock.advance(1_000)
    expect(status().session.phase).toBe('authenticated')
    expect(starts('readSession')).toBe(2)
    client.send({ type: 'stored.changed', by: 'storage', what: 'removed' })
    clock.advance(10)
    expect(status().session).toEqual({ phase: 'signedOut', reason: 'storageCleared' })
  })

  test('signed out, and another tab signs in → signed in here, too', () => {
    const { client, clock, status } = scenario(clock => ({
      readSession: n => [
        [1, n === 1 ? { type: 'stored.none' } : { type: 'stored.found', token: token(clock, 9) }],
      ],
    }))
    clock.advance(5)
    client.send({ type: 'stored.changed', by: 'otherTab', what: 'written' })
    clock.advance(1)
    expect(status().session).toMatchObject({ phase: 'authenticated', user: { id: 'skipper' } })
  })
})

describe('concurrently', () => {
  const mate = (clock: VirtualClock) =>
    ({ type: 'stored.found', token: token(clock, 9, 60, 'mate') }) as const
  const written = { type: 'stored.changed', by: 'otherTab', what: 'written' } as const

  test('another tab signs in while a sign-in is rejected here → signed in here, too', () => {
    const { client, send, clock, status } = scenario(clock => ({
      readSession: n => [[1, n === 1 ? { type: 'stored.none' } : mate(clock)]],
      authenticate: () => [[20, { type: 'auth.failed', failure: { kind: 'auth', message: 'Wrong.' } }]],
    }))
    clock.advance(5)
    send({ type: 'session.signIn', attempt: 'a1' })
    client.send(written)
    clock.advance(30)
    expect(status().session).toMatchObject({ phase: 'authenticated', user: { id: 'mate' } })
  })

  test('another tab signs in while the server is notified of the sign-out → signed in here, too', () => {
    const { client, send, clock, status, emitted } = authenticatedFirst(clock => ({
      readSession: n => [[1, n === 1 ? { type: 'stored.none' } : mate(clock)]],
    }))
    send({ type: 'session.signOut', attempt: 'a2', scope: 'local' })
    clock.advance(2)
    client.send(written)
    clock.advance(20)
    expect(emitted.at(-1)).toEqual({ type: 'auth.settled', attempt: 'a2' })
    expect(status().session).toMatchObject({ phase: 'authenticated', user: { id: 'mate' } })
  })

  test.each(['removed', 'signed out'] as const)('%s after a failed refresh → not a reason to end', how => {
    const failure = { kind: 'network', message: 'The backend cannot be reached.' } as const
    const { client, send, clock, status } = authenticatedFirst(() => ({
      refreshToken: () => [[5, { type: 'refresh.failed', failure }]],
      readSession: (n, input) => [
        [1, input === undefined || n > 2 ? { type: 'stored.none' } : { type: 'stored.same' }],
      ],
    }))
    send({ type: 'refresh.request' })
    clock.advance(20)
    expect(status().session).toMatchObject({ token: { state: 'delayed', failure } })
    if (how === 'removed') client.send({ ...written, what: 'removed' })
    else send({ type: 'session.signOut', attempt: 'a2', scope: 'local' })
    clock.advance(20)
    expect(status().session).toEqual({
      phase: 'signedOut',
      reason: how === 'removed' ? 'otherTab' : 'userLocal',
    })
  })
})

describe('by the user', () => {
  test('others: this session stays, the others end', () => {
    const { send, clock, status, emitted, journal } = authenticatedFirst(() => ({}))
    send({ type: 'session.signOut', attempt: 'a2', scope: 'others' })
    clock.advance(20)
    expect(status().session).toMatchObject({ phase: 'authenticated', token: { state: 'fresh' } })
    expect(emitted.at(-1)).toEqual({ type: 'auth.settled', attempt: 'a2' })
    expect(journal.filter(line => /^(remove|revoke)/.test(line))).toEqual(['revoke 1', 'revoke 1 stopped'])
  })

  test('a server that does not respond: signed out at once, the failure is reported after 15 s', () => {
    const { send, clock, status, emitted, request, outcome } = authenticatedFirst(() => ({
      revoke: () => [],
    }))
    send({ type: 'session.signOut', attempt: 'a2', scope: 'global' })
    clock.advance(5)
    expect(status().session).toEqual({ phase: 'signedOut', reason: 'userGlobal' })
    const id = request()
    clock.advance(20)
    expect(outcome(id)).toMatchObject({ status: 200 })
    clock.advance(15_000)
    expect(emitted.filter(event => event.type === 'auth.settled').at(-1)).toEqual({
      type: 'auth.settled',
      attempt: 'a2',
      failure: { kind: 'timeout', message: 'Revoking the session timed out.' },
    })
  })

  test('a storage that does not respond: the server is notified a second later', () => {
    const { send, clock, status, emitted } = authenticatedFirst(() => ({ removeSession: () => [] }))
    send({ type: 'session.signOut', attempt: 'a2', scope: 'local' })
    expect(status().session).toEqual({ phase: 'signingOut' })
    clock.advance(1_010)
    expect(status().session).toEqual({ phase: 'signedOut', reason: 'userLocal' })
    expect(emitted.at(-1)).toEqual({ type: 'auth.settled', attempt: 'a2' })
  })

  test('a sign-in while the server is being notified waits for that', () => {
    const { send, clock, status } = authenticatedFirst(() => ({}))
    send({ type: 'session.signOut', attempt: 'a2', scope: 'local' })
    clock.advance(2)
    send({ type: 'session.signIn', attempt: 'a3' })
    expect(status().session).toEqual({ phase: 'signedOut', reason: 'userLocal' })
    clock.advance(40)
    expect(status().session.phase).toBe('authenticated')
  })
})
