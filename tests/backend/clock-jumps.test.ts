// The server's clock jumps by an hour: no user is locked out until it catches up, and nothing is valid longer
// than it should be.
import { beforeEach, expect, test } from 'vitest'
import { ask, bearer, refreshRaw, refusal, signInRaw, type TokenPair } from '../harness/auth.ts'
import { officialClient, startTestBackend } from '../harness/backend.ts'
import { movableClock, newAddress } from '../harness/mail.ts'

const HOUR = 3_600
const clock = movableClock()
const backend = await startTestBackend({
  clock,
  auth: { rateLimit: { tokenRefresh: 60 }, email: { maxFrequencySeconds: 60 } },
})
const skipper = { email: 'skipper@harbour.test', password: 'harbour-demo' }
const USED = [400, 'refresh_token_already_used', 'Invalid Refresh Token: Already Used']

// The rate limits are reset.
beforeEach(() => clock.advance(300))

async function refreshed(token: string): Promise<TokenPair> {
  const { status, body } = await refreshRaw(backend, token)
  expect(status).toBe(200)
  return body as unknown as TokenPair
}

test.each([
  ['forward', HOUR],
  ['back', -HOUR],
])('a session survives a jump %s: an expired token is rejected, and refreshing it works', async (_, by) => {
  const session = await signInRaw(backend, skipper)
  clock.advance(by)
  const { status } = await ask(backend, 'GET', 'user', undefined, bearer(session))
  expect(status).toBe(by > 0 ? 403 : 200)
  const next = await refreshed(session.refresh_token)
  expect((await ask(backend, 'GET', 'user', undefined, bearer(next))).status).toBe(200)
  clock.advance(-by)
  expect((await ask(backend, 'GET', 'user', undefined, bearer(next))).status).toBe(by > 0 ? 200 : 403)
  await refreshed(next.refresh_token)
})

test('a second email can be requested after the usual wait, without the jump added', async () => {
  const email = newAddress('clock')
  expect((await ask(backend, 'POST', 'signup', { email, password: 'long-enough' })).status).toBe(200)
  const recover = () => ask(backend, 'POST', 'recover', { email })
  expect((await recover()).status).toBe(200)
  expect((await recover()).status).toBe(429)
  clock.advance(-HOUR)
  expect((await recover()).status).toBe(200)
  expect((await recover()).status).toBe(429)
  clock.advance(61)
  expect((await recover()).status).toBe(200)
})

test('a jump back does not reopen the reuse interval of refresh tokens', async () => {
  const first = await signInRaw(backend, skipper)
  const second = await refreshed(first.refresh_token)
  await refreshed(second.refresh_token)
  clock.advance(11 - HOUR)
  expect(refusal(await refreshRaw(backend, first.refresh_token))).toEqual(USED)
})

test("a signed URL is valid for its lifetime by the server's clock, and no longer", async () => {
  const client = officialClient(backend)
  const { data } = await client.auth.signInWithPassword(skipper)
  const charts = client.storage.from('charts')
  const path = `${data.user?.id ?? ''}/clock.txt`
  expect((await charts.upload(path, new Blob(['tide']))).error).toBeNull()
  clock.advance(HOUR / 2)
  const signed = await charts.createSignedUrl(path, 60)
  const status = async () => (await fetch(signed.data?.signedUrl ?? '')).status
  expect(await status()).toBe(200)
  clock.advance(61)
  expect(await status()).toBe(400)
})

test('an exhausted rate limit refills at the usual rate after a jump back', async () => {
  const token = () => ask(backend, 'POST', 'token?grant_type=refresh_token', { refresh_token: 'short' })
  for (let count = 0; count < 30; count += 1) expect((await token()).status).toBe(400)
  expect((await token()).status).toBe(429)
  clock.advance(-HOUR)
  expect((await token()).status).toBe(429)
  clock.advance(5)
  expect((await token()).status).toBe(400)
})
