// The account's calls are loaded on first use: when that is, and what is told when they do not come.
import { expect, test, vi } from 'vitest'
import type { AuthBackend } from '../../src/services/auth/auth-backend.ts'
import { createSessionStore, memoryStorage } from '../../src/services/auth/session-store.ts'
import * as account from '../../src/services/auth/supabase-account.ts'
import { createAuthPorts } from '../../src/services/auth/supabase-auth.ts'
import { createVault } from '../../src/services/auth/vault.ts'
import { createVirtualClock } from '../../src/services/virtual-clock.ts'
import { addressOf, type Address } from '../harness/address.ts'
import { json, KEY, sessionBody, URL_BASE } from '../harness/fake-backend.ts'
import { runPort } from '../harness/port-run.ts'

const unloaded = {
  kind: 'network',
  code: 'part_not_loaded',
  message: 'A part of this app could not be loaded.',
}
const lost: AuthBackend['account'] = () => Promise.reject(new TypeError('Failed to fetch'))

/** Ports with a session in the vault, and a server that refuses. */
function harbour(account: AuthBackend['account'], page?: Address) {
  const storage = memoryStorage()
  const vault = createVault(() => undefined)
  const clock = createVirtualClock()
  const token = vault.keep(sessionBody('first'), clock.now())
  const ports = createAuthPorts({
    url: URL_BASE,
    key: KEY,
    fetch: () => Promise.resolve(json({ code: 'user_banned', message: 'User is banned' }, 403)),
    storage,
    storageKey: 'key',
    flowType: 'implicit',
    id: () => 'attempt-1',
    random: () => 0.5,
    clock,
    vault,
    store: createSessionStore(storage, 'key'),
    account,
    page,
  })
  return { ports, vault, clock, tokenId: token.id }
}

const answerOf = async (...given: Parameters<typeof runPort>) => {
  const { said } = runPort(...given)
  await vi.waitFor(() => expect(said).toHaveLength(1))
  return said[0]
}

test('signing in without the code for it fails as anything else that cannot be reached', async () => {
  const { ports } = harbour(lost)
  expect(await answerOf(ports.authenticate, { attempt: 'a' })).toEqual({
    type: 'port.broken',
    failure: unloaded,
  })
})

test('who signs out is out, also when the server cannot be told', async () => {
  const { ports, vault, tokenId } = harbour(lost)
  const run = runPort(ports.revoke, { tokenId, scope: 'local' })
  expect(vault.current()).toBeUndefined()
  await vi.waitFor(() => expect(run.said).toEqual([{ type: 'port.broken', failure: unloaded }]))
})

test('what was stored is removed without the code that knows of verifiers', async () => {
  const { ports, tokenId } = harbour(lost)
  expect(await answerOf(ports.removeSession, { tokenId, isOver: true })).toEqual({ type: 'stored.removed' })
})

test.each([
  ['in words', () => Promise.resolve(account), 'forbidden', /account is blocked/],
  ['or in those of the server', lost, 'auth', /^User is banned$/],
] as const)('a refused refresh is told %s', async (_, load, kind, message) => {
  const { ports, tokenId } = harbour(load)
  expect(await answerOf(ports.refreshToken, { tokenId })).toEqual({
    type: 'refresh.failed',
    failure: { kind, message: expect.stringMatching(message) as unknown, code: 'user_banned', status: 403 },
  })
})

test.each([
  ['in words', () => Promise.resolve(account), /declined/],
  ['or plainly', lost, /This link did not sign you in/],
] as const)('a link that failed is told %s', async (_, load, message) => {
  const page = addressOf('https://app.test/?error=access_denied&error_code=access_denied')
  const { ports } = harbour(load, page)
  expect(await answerOf(ports.detectUrl)).toMatchObject({
    type: 'url.failed',
    failure: { kind: 'auth', message: expect.stringMatching(message) as unknown },
  })
  expect(page.href()).toBe('https://app.test/')
})

test('words that do not come in time are done without', async () => {
  const page = addressOf('https://app.test/?error=access_denied&error_code=access_denied')
  const { ports, clock } = harbour(() => new Promise(() => undefined), page)
  const { said } = runPort(ports.detectUrl)
  clock.advance(500)
  await vi.waitFor(() => expect(said).toMatchObject([{ type: 'url.failed' }]))
  expect(clock.pending()).toBe(0)
})
