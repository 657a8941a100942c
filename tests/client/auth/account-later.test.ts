// The account calls are loaded on first use: when they load, and what is reported when loading fails.
import { expect, test, vi } from 'vitest'
import {
  type AuthBackend,
  createSessionStore,
  memoryStorage,
} from '../../../src/services/client/auth/session-store.ts'
import * as account from '../../../src/services/client/auth/supabase-account.ts'
import { createAuthPorts } from '../../../src/services/client/auth/supabase-auth.ts'
import { createVault } from '../../../src/services/client/auth/vault.ts'
import { createVirtualClock } from '../../../src/testing/virtual-clock.ts'
import { addressOf, type Address } from '../../harness/address.ts'
import { json, KEY, sessionBody, URL_BASE } from '../../harness/fake-backend.ts'
import { runPort } from '../../harness/port-run.ts'

const unloaded = {
  kind: 'network',
  code: 'part_not_loaded',
  message: 'A part of this app could not be loaded.',
}
const lost: AuthBackend['account'] = () => Promise.reject(new TypeError('Failed to fetch'))

/** Ports with a session in the vault, and a server that rejects requests. */
function harbour(account: AuthBackend['account'], page?: Address) {
  const storage = memoryStorage()
  const vault = createVault(() => undefined)
  const clock = createVirtualClock()
  const token = vault.store(sessionBody('first'), clock.now())
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
  const { events } = runPort(...given)
  await vi.waitFor(() => expect(events).toHaveLength(1))
  return events[0]
}

test('signing in fails as unreachable when the auth code cannot be loaded', async () => {
  const { ports } = harbour(lost)
  expect(await answerOf(ports.authenticate, { attempt: 'a' })).toEqual({
    type: 'port.broken',
    failure: unloaded,
  })
})

test('signing out clears the session even when the server cannot be notified', async () => {
  const { ports, vault, tokenId } = harbour(lost)
  const run = runPort(ports.revoke, { tokenId, scope: 'local' })
  expect(vault.current()).toBeUndefined()
  await vi.waitFor(() => expect(run.events).toEqual([{ type: 'port.broken', failure: unloaded }]))
})

test('the stored session is removed even when the verifier code cannot be loaded', async () => {
  const { ports, tokenId } = harbour(lost)
  expect(await answerOf(ports.removeSession, { tokenId, isOver: true })).toEqual({ type: 'stored.removed' })
})

test.each([
  ['with our text', () => Promise.resolve(account), 'forbidden', /account is blocked/],
  ["with the server's text if the texts cannot be loaded", lost, 'auth', /^User is banned$/],
] as const)('a rejected refresh is reported %s', async (_, load, kind, message) => {
  const { ports, tokenId } = harbour(load)
  expect(await answerOf(ports.refreshToken, { tokenId })).toEqual({
    type: 'refresh.failed',
    failure: { kind, message: expect.stringMatching(message) as unknown, code: 'user_banned', status: 403 },
  })
})

test.each([
  ['with a specific text', () => Promise.resolve(account), /declined/],
  ['with a generic text if the texts cannot be loaded', lost, /This link did not sign you in/],
] as const)('a failed link is reported %s', async (_, load, message) => {
  const page = addressOf('https://app.test/?error=access_denied&error_code=access_denied')
  const { ports } = harbour(load, page)
  expect(await answerOf(ports.detectUrl)).toMatchObject({
    type: 'url.failed',
    failure: { kind: 'auth', message: expect.stringMatching(message) as unknown },
  })
  expect(page.href()).toBe('https://app.test/')
})

test('a failed link is reported without its text when loading the texts takes too long', async () => {
  const page = addressOf('https://app.test/?error=access_denied&error_code=access_denied')
  const { ports, clock } = harbour(() => new Promise(() => undefined), page)
  const { events } = runPort(ports.detectUrl)
  clock.advance(5_000)
  await vi.waitFor(() => expect(events).toMatchObject([{ type: 'url.failed' }]))
  expect(clock.pending()).toBe(0)
})
