// How a session begins: from the link or provider that opened the page, or from storage.
import { describe, expect, test } from 'vitest'
import type { Failure } from '../../src/machines/index.ts'
import type { UrlEvent } from '../../src/machines/ports.ts'
import { scenario } from '../harness/scenario.ts'
import { token, type Behavior } from '../harness/scripted-ports.ts'

const spent: Failure = { kind: 'auth', code: 'otp_expired', message: 'This link has expired.' }
const found = (recovery = false): UrlEvent => ({
  type: 'url.found',
  attempt: 'link',
  kind: 'tokens',
  recovery,
})

const led = (event: UrlEvent, behave: Partial<Behavior> = {}) =>
  scenario(() => ({ detectUrl: () => [[1, event]], ...behave }))

/** The state of the session machine, as one path. */
const stateOf = ({ client }: ReturnType<typeof scenario>) =>
  JSON.stringify(client.getSnapshot().children.session?.getSnapshot().value)

describe('the storage is read after each content of the address', () => {
  test.each<UrlEvent>([
    { type: 'url.none' },
    { type: 'url.foreign' },
    { type: 'url.mismatch', failure: spent },
    { type: 'url.verifierMissing', failure: spent },
    { type: 'url.failed', failure: spent },
    { type: 'port.broken', failure: spent },
  ])('$type', event => {
    const run = led(event)
    run.clock.advance(1)
    expect(stateOf(run)).toBe(JSON.stringify({ booting: 'readingStorage' }))
    run.clock.advance(1)
    const failure = 'failure' in event ? { failure: spent, linkFailure: spent } : {}
    expect(run.status().session).toEqual({ phase: 'signedOut', reason: 'never', ...failure })
  })

  test('no response → the storage is read after 15 s', () => {
    const run = scenario(() => ({ detectUrl: () => [] }))
    run.clock.advance(14_999)
    expect(stateOf(run)).toBe(JSON.stringify({ booting: 'detectingUrl' }))
    run.clock.advance(1)
    expect(stateOf(run)).toBe(JSON.stringify({ booting: 'readingStorage' }))
  })
})

test("a failed link leaves the stored session unchanged, and the link's result is reported", () => {
  const run = scenario(clock => ({
    detectUrl: () => [[1, { type: 'url.failed', failure: spent }]],
    readSession: () => [[1, { type: 'stored.found', token: token(clock, 1) }]],
  }))
  run.clock.advance(2)
  expect(run.status().session).toMatchObject({
    phase: 'authenticated',
    user: { id: 'skipper' },
    userFreshness: 'cached',
    linkFailure: spent,
  })
  expect(run.journal).not.toContain('removeSession 1')
})

test('a link with tokens → exchanged, signed in, verified; the storage is not even read', () => {
  const run = led(found())
  run.clock.advance(1)
  expect(stateOf(run)).toBe(JSON.stringify({ booting: 'exchanging' }))
  expect(run.status().session).toEqual({ phase: 'booting' })
  run.clock.advance(20)
  expect(run.status().session).toMatchObject({
    phase: 'authenticated',
    userFreshness: 'verified',
    recovery: 'none',
  })
  expect(run.starts('readSession')).toBe(0)
})

test('a link that the server rejects → its failure, and then the stored session', () => {
  const run = scenario(clock => ({
    detectUrl: () => [[1, found()]],
    authenticate: () => [[5, { type: 'auth.failed', failure: spent }]],
    readSession: () => [[1, { type: 'stored.found', token: token(clock, 1) }]],
  }))
  run.clock.advance(7)
  expect(run.status().session).toMatchObject({ phase: 'authenticated', linkFailure: spent })
})

test('a link without a response → given up after 15 s', () => {
  const run = led(found(), { authenticate: () => [] })
  run.clock.advance(15_002)
  const failure = { kind: 'timeout', message: 'Following the link timed out.' }
  expect(run.status().session).toEqual({ phase: 'signedOut', reason: 'never', failure, linkFailure: failure })
  expect(run.journal).toContain('authenticate 1 stopped')
  run.send({ type: 'session.signIn', attempt: 'a1' })
  expect(run.status().session).toEqual({ phase: 'authenticating' })
  run.clock.advance(15_000)
  const another = { kind: 'timeout', message: 'Signing in timed out.' }
  expect(run.status().session).toEqual({ phase: 'signedOut', reason: 'never', failure: another })
})

test('a sign-in during the boot waits for it, and does not overtake the stored session', () => {
  const run = scenario(clock => ({
    detectUrl: () => [[1, found()]],
    authenticate: n => [
      [20, { type: 'auth.succeeded', token: token(clock, n, 3600, n === 1 ? 'skipper' : 'mate') }],
    ],
  }))
  run.clock.advance(2)
  run.send({ type: 'session.signIn', attempt: 'a1' })
  run.clock.advance(20)
  expect(run.status().session).toMatchObject({ user: { id: 'skipper' } })
  run.clock.advance(20)
  expect(run.status().session).toMatchObject({ user: { id: 'mate' } })
})

describe('ending the other sessions during the boot', () => {
  const early = (stored: boolean, behave: Partial<Behavior> = {}) => {
    const run = scenario(clock => ({
      detectUrl: () => [[1, { type: 'url.none' }]],
      readSession: () => [
        [5, stored ? { type: 'stored.found', token: token(clock, 1) } : { type: 'stored.none' }],
      ],
      ...behave,
    }))
    run.clock.advance(2)
    run.send({ type: 'session.signOut', attempt: 'out', scope: 'others' })
    return run
  }
  const settled = ({ emitted }: ReturnType<typeof scenario>) =>
    emitted.filter(event => event.type === 'auth.settled')

  test('waits for the stored session, and revokes with its token', () => {
    const run = early(true)
    expect(settled(run)).toEqual([])
    run.clock.advance(5)
    expect(settled(run)).toEqual([])
    run.clock.advance(20)
    expect(settled(run)).toEqual([{ type: 'auth.settled', attempt: 'out' }])
    expect(run.journal.filter(line => line.startsWith('revoke'))).toEqual(['revoke 1', 'revoke 1 stopped'])
    expect(run.status().session).toMatchObject({ phase: 'authenticated', user: { id: 'skipper' } })
  })

  test('fails if the server rejects it', () => {
    const failure: Failure = { kind: 'network', message: 'The backend cannot be reached.' }
    const run = early(true, { revoke: () => [[1, { type: 'revoke.failed', failure }]] })
    run.clock.advance(20)
    expect(settled(run)).toEqual([{ type: 'auth.settled', attempt: 'out', failure }])
    expect(run.status().session).toMatchObject({ phase: 'authenticated' })
  })

  test('without a session there is nothing to revoke', () => {
    const run = early(false)
    run.clock.advance(20)
    expect(settled(run)).toEqual([{ type: 'auth.settled', attempt: 'out' }])
    expect(run.journal.filter(line => line.startsWith('revoke'))).toEqual([])
  })

  test('a sign-in in progress: waits for it, and revokes with its token', () => {
    const run = scenario(clock => ({
      authenticate: () => [[20, { type: 'auth.succeeded', token: token(clock, 1) }]],
    }))
    run.clock.advance(20)
    run.send({ type: 'session.signIn', attempt: 'in' })
    run.clock.advance(2)
    run.send({ type: 'session.signOut', attempt: 'out', scope: 'others' })
    run.clock.advance(60)
    expect(settled(run).map(event => event.attempt)).toEqual(['in', 'out'])
    expect(run.journal.filter(line => line.startsWith('revoke'))).toEqual(['revoke 1', 'revoke 1 stopped'])
  })
})

test('a storage that never responds → signed out after 15 s, with the reason', () => {
  const run = scenario(() => ({ readSession: () => [] }))
  run.clock.advance(15_000)
  expect(run.status().session).toEqual({
    phase: 'signedOut',
    reason: 'corrupt',
    failure: { kind: 'timeout', message: 'Reading the stored session timed out.' },
  })
})

describe('a recovery', () => {
  const recovered = () =>
    scenario(clock => ({
      detectUrl: () => [[1, found(true)]],
      authenticate: n => [[20, { type: 'auth.succeeded', token: token(clock, n), recovery: true }]],
    }))

  test('stays required until the password is set', () => {
    const { clock, send, status, emitted } = recovered()
    clock.advance(21)
    expect(status().session).toMatchObject({ phase: 'authenticated', recovery: 'active' })
    send({ type: 'session.commit', attempt: 'a1' })
    clock.advance(5)
    expect(status().session).toMatchObject({ recovery: 'active' })
    send({ type: 'session.commit', attempt: 'a2', recovered: true })
    clock.advance(5)
    expect(status().session).toMatchObject({ recovery: 'none' })
    expect(emitted.map(event => event.type === 'auth.settled' && event.attempt)).toEqual(['link', 'a1', 'a2'])
  })

  test('stays required when the password is rejected', () => {
    const { clock, send, status } = scenario(clock => ({
      detectUrl: () => [[1, found(true)]],
      authenticate: n => [[20, { type: 'auth.succeeded', token: token(clock, n), recovery: true }]],
      storeSession: () => [[5, { type: 'session.storeFailed', failure: spent }]],
    }))
    clock.advance(21)
    send({ type: 'session.commit', attempt: 'a1', recovered: true })
    clock.advance(5)
    expect(status().session).toMatchObject({ recovery: 'active' })
  })
})
