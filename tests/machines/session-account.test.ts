// An active session: signing in over it, the user, the assurance level, and serialized operations.
import { describe, expect, test } from 'vitest'
import type { Token } from '../../src/machines/index.ts'
import { scenario } from '../harness/scenario.ts'
import { token, type Behavior } from '../harness/scripted-ports.ts'
import type { VirtualClock } from '../../src/testing/virtual-clock.ts'

const refusal = { kind: 'auth', status: 400, code: 'invalid_credentials', message: 'Wrong.' } as const

const signedIn = (behave: (clock: VirtualClock) => Partial<Behavior> = () => ({})) => {
  const run = scenario(behave)
  run.signIn()
  const settled = () =>
    run.emitted.flatMap(event => (event.type === 'auth.settled' ? [`${event.attempt} ${word(event)}`] : []))
  return { ...run, settled }
}

const word = ({ failure, unconfirmed }: { failure?: { kind: string }; unconfirmed?: boolean }) =>
  failure?.kind ?? (unconfirmed === true ? 'unconfirmed' : 'ok')

describe('signing in over a session', () => {
  const anonymous = (clock: VirtualClock): Token => ({
    ...token(clock, 1, 3600, 'guest'),
    user: { id: 'guest', isAnonymous: true },
  })

  test('a guest signs in to an account: stays the guest until then, and switches after', () => {
    const { send, clock, status, starts } = signedIn(clock => ({
      authenticate: n => [
        [20, { type: 'auth.succeeded', token: n === 1 ? anonymous(clock) : token(clock, 2) }],
      ],
    }))
    send({ type: 'session.signIn', attempt: 'a2' })
    clock.advance(10)
    expect(status().session).toMatchObject({ user: { id: 'guest', isAnonymous: true } })
    clock.advance(10)
    expect(status().session).toMatchObject({ phase: 'authenticated', user: { id: 'skipper' } })
    expect(starts('revoke')).toBe(0)
  })

  test('a guest is converted: the same session with another user, and no end in between', () => {
    const { send, clock, status, client } = signedIn(clock => ({
      authenticate: () => [[20, { type: 'auth.succeeded', token: anonymous(clock) }]],
      storeSession: () => [
        [
          5,
          {
            type: 'session.stored',
            token: { ...anonymous(clock), user: { id: 'guest', email: 'guest@harbour.test' } },
          },
        ],
      ],
    }))
    send({ type: 'session.commit', attempt: 'a2' })
    clock.advance(5)
    expect(status().session).toMatchObject({
      phase: 'authenticated',
      user: { id: 'guest', email: 'guest@harbour.test' },
      token: { state: 'fresh' },
    })
    expect(client.getSnapshot().context.gate).toMatchObject({ kind: 'user', userId: 'guest' })
  })

  test.each([
    ['refused', [5, { type: 'auth.failed', failure: refusal }], 'auth'],
    ['needs confirmation', [5, { type: 'auth.unconfirmed', user: { id: '' } }], 'unconfirmed'],
    ['broken', [5, { type: 'port.broken', failure: { kind: 'bug', message: 'planted' } }], 'bug'],
  ] as const)("%s: the session stays, and the attempt's failure is reported", (_, answer, kind) => {
    const { send, clock, status, settled } = signedIn(clock => ({
      authenticate: n => (n === 1 ? [[5, { type: 'auth.succeeded', token: token(clock, 1) }]] : [answer]),
    }))
    send({ type: 'session.signIn', attempt: 'a2' })
    clock.advance(20)
    expect(status().session).toMatchObject({ phase: 'authenticated', token: { state: 'fresh' } })
    expect(settled()).toEqual(['a1 ok', `a2 ${kind}`])
  })

  test('no response: given up after 15 s, and the session stays', () => {
    const { send, clock, status, settled } = signedIn(clock => ({
      authenticate: n => (n === 1 ? [[5, { type: 'auth.succeeded', token: token(clock, 1) }]] : []),
    }))
    send({ type: 'session.signIn', attempt: 'a2' })
    clock.advance(15_000)
    expect(status().session.phase).toBe('authenticated')
    expect(settled()).toEqual(['a1 ok', 'a2 timeout'])
  })
})

describe('serialized operations', () => {
  test('each commit is stored in order, and each is reported', () => {
    const { send, clock, settled, journal } = signedIn()
    for (const attempt of ['c1', 'c2', 'c3']) send({ type: 'session.commit', attempt })
    clock.advance(15)
    expect(settled()).toEqual(['a1 ok', 'c1 ok', 'c2 ok', 'c3 ok'])
    expect(journal.filter(line => line.startsWith('storeSession'))).toEqual([
      'storeSession 1',
      'storeSession 1 stopped',
      'storeSession 2',
      'storeSession 2 stopped',
      'storeSession 3',
      'storeSession 3 stopped',
    ])
  })

  test('the session ends in the middle: running and waiting operations are notified', () => {
    const { send, clock, settled } = signedIn()
    send({ type: 'session.commit', attempt: 'c1' })
    send({ type: 'session.signIn', attempt: 'a2' })
    send({ type: 'session.verify', attempt: 'v1' })
    send({ type: 'session.signOut', attempt: 'out', scope: 'local' })
    clock.advance(100)
    expect(settled()).toEqual(['a1 ok', 'c1 auth', 'a2 aborted', 'v1 auth', 'out ok'])
  })

  test('signed out: there is nothing to store, to verify or to end', () => {
    const { send, clock, emitted } = scenario()
    clock.advance(5)
    send({ type: 'session.commit', attempt: 'c1' })
    send({ type: 'session.verify', attempt: 'v1' })
    send({ type: 'session.signOut', attempt: 'out', scope: 'others' })
    const failure = { kind: 'auth', code: 'signed_out', message: 'No user is signed in.' }
    expect(emitted).toEqual([
      { type: 'auth.settled', attempt: 'c1', failure },
      { type: 'auth.settled', attempt: 'v1', failure },
      { type: 'auth.settled', attempt: 'out' },
    ])
  })

  test.each([
    ['session.commit', 'storeSession', 15_000],
    ['session.verify', 'loadUser', 15_000],
  ] as const)('%s without a response is given up, and the session stays', (type, port, deadline) => {
    const { send, clock, status, settled } = signedIn(() => ({ [port]: () => [] }))
    send({ type, attempt: 'x1' })
    clock.advance(deadline)
    expect(status().session.phase).toBe('authenticated')
    expect(settled()).toEqual(['a1 ok', 'x1 timeout'])
  })
})

describe('the user', () => {
  const stored = (behave: (clock: VirtualClock) => Partial<Behavior> = () => ({})) => {
    const run = scenario(clock => ({
      readSession: () => [[1, { type: 'stored.found', token: token(clock, 1) }]],
      ...behave(clock),
    }))
    run.clock.advance(1)
    return run
  }

  test('is as stored, then loaded once for any number of callers, then as the server says', () => {
    const { send, clock, status, starts, emitted } = stored()
    expect(status().session).toMatchObject({ userFreshness: 'cached' })
    send({ type: 'session.verify', attempt: 'v1' })
    send({ type: 'session.verify', attempt: 'v2' })
    expect(status().session).toMatchObject({ userFreshness: 'loading' })
    clock.advance(5)
    expect(status().session).toMatchObject({ userFreshness: 'verified' })
    expect(starts('loadUser')).toBe(1)
    expect(emitted.map(event => 'attempt' in event && event.attempt)).toEqual(['v1', 'v2'])
  })

  test('stays as stored when the server cannot be reached', () => {
    const failure = { kind: 'network', message: 'The backend cannot be reached.' } as const
    const { send, clock, status, emitted } = stored(() => ({
      loadUser: () => [[5, { type: 'user.failed', failure }]],
    }))
    send({ type: 'session.verify', attempt: 'v1' })
    clock.advance(5)
    expect(status().session).toMatchObject({ phase: 'authenticated', userFreshness: 'cached' })
    expect(emitted).toEqual([{ type: 'auth.settled', attempt: 'v1', failure }])
  })

  test('is updated by a refresh', () => {
    const { send, clock, status } = stored()
    send({ type: 'refresh.request' })
    clock.advance(30)
    expect(status().session).toMatchObject({ userFreshness: 'verified', token: { state: 'fresh' } })
  })
})

describe('the assurance level', () => {
  const level = (clock: VirtualClock, n: number, aal: Token['aal'], hasFactor: boolean): Token => ({
    ...token(clock, n),
    aal,
    hasFactor,
  })

  test('an enrolled factor raises the next level; verified, the current; removed, both are lower', () => {
    const { send, clock, status } = signedIn(clock => ({
      authenticate: () => [[5, { type: 'auth.succeeded', token: level(clock, 1, 'aal1', false) }]],
      storeSession: n => [
        [
          5,
          {
            type: 'session.stored',
            token:
              n === 1
                ? level(clock, 1, 'aal1', true)
                : n === 2
                  ? level(clock, 2, 'aal2', true)
                  : level(clock, 3, 'aal1', false),
          },
        ],
      ],
    }))
    const next = () => {
      send({ type: 'session.commit', attempt: 'c' })
      clock.advance(5)
      const { session } = status()
      return session.phase === 'authenticated' ? session.assurance : undefined
    }
    expect(status().session).toMatchObject({ assurance: { level: 'aal1', next: 'aal1' } })
    expect(next()).toEqual({ level: 'aal1', next: 'aal2' })
    expect(next()).toEqual({ level: 'aal2', next: 'aal2', changed: 'raised' })
    expect(next()).toEqual({ level: 'aal1', next: 'aal1', changed: 'lowered' })
  })

  test('a refresh that returns a lower level is reported as such', () => {
    const { send, clock, status } = signedIn(clock => ({
      authenticate: () => [[5, { type: 'auth.succeeded', token: level(clock, 1, 'aal2', true) }]],
      refreshToken: () => [[5, { type: 'refresh.succeeded', token: level(clock, 2, 'aal1', true) }]],
    }))
    send({ type: 'refresh.request' })
    clock.advance(20)
    expect(status().session).toMatchObject({
      aal: 'aal1',
      assurance: { level: 'aal1', next: 'aal2', changed: 'lowered' },
    })
  })
})
