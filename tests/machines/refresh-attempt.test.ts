// One refresh attempt among several tabs: the lock, a check of the storage, the request, and another check.
import { describe, expect, test } from 'vitest'
import type { Failure, ClientStatus } from '../../src/machines/index.ts'
import { scenario, type Scenario } from '../harness/scenario.ts'
import { token, type Behavior } from '../harness/scripted-ports.ts'

const used: Failure = {
  kind: 'auth',
  status: 400,
  code: 'refresh_token_already_used',
  message: 'Invalid Refresh Token: Already Used',
}

const tokenOf = ({ session }: ClientStatus) => (session.phase === 'authenticated' ? session.token : session)
const heldToken = ({ client }: Scenario) => client.getSnapshot().context.token?.id
/** What the effects of an attempt did, in order. */
const effects = ({ journal }: Scenario) =>
  journal.filter(line => /^(lock|readSession|refreshToken) /.test(line)).slice(2)

/** Signed in, with a new token requested. */
const asked = (behave: Partial<Behavior>) => {
  const drawn = scenario(() => behave)
  drawn.signIn()
  drawn.send({ type: 'refresh.request' })
  return drawn
}

describe('under the lock', () => {
  test('lock ─ look ─ call ─ unlock', () => {
    const run = asked({})
    run.clock.advance(100)
    expect(effects(run)).toEqual([
      'lock 1',
      'readSession 2',
      'readSession 2 stopped',
      'refreshToken 1',
      'refreshToken 1 stopped',
      'lock 1 stopped',
    ])
    expect(heldToken(run)).toBe('token-101')
  })

  test('another tab was faster: its rotation is adopted and no token is spent', () => {
    const run = scenario(clock => ({
      readSession: (_, input) =>
        input?.tokenId === undefined
          ? [[1, { type: 'stored.none' }]]
          : [[2, { type: 'stored.found', token: token(clock, 7) }]],
    }))
    run.signIn()
    run.send({ type: 'refresh.request' })
    run.clock.advance(100)
    expect([heldToken(run), run.starts('refreshToken')]).toEqual(['token-7', 0])
    expect(tokenOf(run.status())).toMatchObject({ state: 'fresh' })
  })

  test('a storage that does not respond gets one second, then the request is sent', () => {
    const run = asked({ readSession: (_, input) => (input?.tokenId ? [] : [[1, { type: 'stored.none' }]]) })
    run.clock.advance(999)
    expect(run.starts('refreshToken')).toBe(0)
    run.clock.advance(1)
    expect(run.starts('refreshToken')).toBe(1)
  })

  test('no locks in this browser: after a random pause and a check, the request is sent', () => {
    const run = scenario(clock => ({
      authenticate: n => [[20, { type: 'auth.succeeded', token: { ...token(clock, n), spread: 0.25 } }]],
      lock: () => [[0, { type: 'lock.unavailable' }]],
    }))
    run.signIn()
    run.send({ type: 'refresh.request' })
    run.clock.advance(249)
    expect([run.starts('readSession'), run.starts('refreshToken')]).toEqual([1, 0])
    run.clock.advance(1)
    expect([run.starts('readSession'), run.starts('refreshToken')]).toEqual([2, 1])
  })
})

describe('a lock that hangs', () => {
  test('17 s ─ look ─ steal ─ call', () => {
    const steals: boolean[] = []
    const run = asked({
      lock: (n, { steal }) => {
        steals.push(steal)
        return n === 1 ? [] : [[0, { type: 'lock.held' }]]
      },
    })
    run.clock.advance(16_999)
    expect([steals, run.starts('readSession')]).toEqual([[false], 1])
    run.clock.advance(100)
    expect([steals, heldToken(run)]).toEqual([[false, true], 'token-101'])
  })

  test('the stealing attempt also waits in vain: given up, and retried after a pause', () => {
    const run = asked({ lock: () => [] })
    run.clock.advance(34_001)
    expect(tokenOf(run.status())).toMatchObject({ state: 'delayed', failure: { kind: 'timeout' } })
    run.clock.advance(600)
    expect(run.starts('lock')).toBe(3)
  })

  test('a tab that loses the lock aborts its request, checks again, and queues like every other', () => {
    const steals: boolean[] = []
    const run = scenario(clock => ({
      lock: (n, { steal }) => {
        steals.push(steal)
        return n === 1
          ? [
              [0, { type: 'lock.held' }],
              [10, { type: 'lock.lost' }],
            ]
          : [[30, { type: 'lock.held' }]]
      },
      readSession: (n, input) =>
        input?.tokenId === undefined
          ? [[1, { type: 'stored.none' }]]
          : n < 4
            ? [[0, { type: 'stored.same' }]]
            : [[0, { type: 'stored.found', token: token(clock, 9) }]],
    }))
    run.signIn()
    run.send({ type: 'refresh.request' })
    run.clock.advance(11)
    expect(run.journal.slice(-5)).toEqual([
      'refreshToken 1 stopped',
      'lock 1 stopped',
      'readSession 3',
      'readSession 3 stopped',
      'lock 2',
    ])
    run.clock.advance(100)
    expect([steals, heldToken(run), run.starts('refreshToken')]).toEqual([[false, false], 'token-9', 1])
  })
})

describe('already used', () => {
  test('the storage has the rotation of another tab: adopted', () => {
    const run = scenario(clock => ({
      refreshToken: () => [[5, { type: 'refresh.failed', failure: used }]],
      readSession: (n, input) =>
        input?.tokenId === undefined
          ? [[1, { type: 'stored.none' }]]
          : n === 2
            ? [[0, { type: 'stored.same' }]]
            : [[0, { type: 'stored.found', token: token(clock, 8) }]],
    }))
    run.signIn()
    run.send({ type: 'refresh.request' })
    run.clock.advance(100)
    expect([heldToken(run), run.starts('refreshToken')]).toEqual(['token-8', 1])
  })

  test('nothing newer is stored: the session ends, with its reason', () => {
    const run = asked({ refreshToken: () => [[5, { type: 'refresh.failed', failure: used }]] })
    run.clock.advance(100)
    expect(run.starts('readSession')).toBe(3)
    expect(run.status().session).toMatchObject({ phase: 'signedOut', reason: 'reuseDetected' })
  })
})

test.each([
  ['removed', { phase: 'signedOut', reason: 'storageCleared' }],
  ['of another user', { phase: 'authenticated', user: { id: 'mate' } }],
] as const)('the stored session is %s: no token is spent, the session machine decides', (what, session) => {
  const run = scenario(clock => ({
    readSession: (_, input) => {
      if (input?.tokenId === undefined) return [[1, { type: 'stored.none' }]]
      if (what === 'removed') return [[0, { type: 'stored.none' }]]
      return [[0, { type: 'stored.found', token: token(clock, 5, 3600, 'mate') }]]
    },
  }))
  run.signIn()
  run.send({ type: 'refresh.request' })
  run.clock.advance(100)
  expect([run.starts('refreshToken'), run.status().session]).toMatchObject([0, session])
})
