// Refresh tokens: rotation, the reuse interval, the parent of the active token, families, and a burst of
// concurrent refreshes.
import { beforeEach, describe, expect, test } from 'vitest'
import { ask, bearer, refreshRaw, refusal, signInRaw, type TokenPair } from '../../harness/auth.ts'
import { officialClient, startTestBackend } from '../../harness/backend.ts'
import { movableClock } from '../../harness/mail.ts'

const clock = movableClock()
const backend = await startTestBackend({ clock })
/** Each test begins with a full burst. */
beforeEach(() => clock.advance(600))

const skipper = { email: 'skipper@harbour.test', password: 'harbour-demo' }

const USED = [400, 'refresh_token_already_used', 'Invalid Refresh Token: Already Used']

async function refreshed(token: string): Promise<TokenPair> {
  const { status, body } = await refreshRaw(backend, token)
  expect(status).toBe(200)
  return body as unknown as TokenPair
}

describe('the official client', () => {
  test('refreshSession returns a new pair of tokens, which setSession accepts', async () => {
    const client = officialClient(backend)
    const { data: first } = await client.auth.signInWithPassword(skipper)
    clock.advance(5)
    const { data: second, error } = await client.auth.refreshSession()
    expect(error).toBeNull()
    expect(second.session?.refresh_token).not.toBe(first.session?.refresh_token)
    expect(second.session?.access_token).not.toBe(first.session?.access_token)
    const other = officialClient(backend)
    const session = second.session ?? { access_token: '', refresh_token: '' }
    const { data: taken } = await other.auth.setSession(session)
    expect([taken.user?.email, taken.session?.refresh_token]).toEqual([skipper.email, session.refresh_token])
  })
})

describe('a token that was already used', () => {
  test('returns the same child while that child is active, however late', async () => {
    const first = await signInRaw(backend, skipper)
    const second = await refreshed(first.refresh_token)
    clock.advance(3_000)
    expect((await refreshed(first.refresh_token)).refresh_token).toBe(second.refresh_token)
  })

  test('returns another child within the reuse interval', async () => {
    const first = await signInRaw(backend, skipper)
    const second = await refreshed(first.refresh_token)
    const third = await refreshed(second.refresh_token)
    clock.advance(10)
    const again = await refreshed(first.refresh_token)
    expect([second.refresh_token, third.refresh_token]).not.toContain(again.refresh_token)
  })

  test('revokes the whole family after the interval, and the revocation is committed', async () => {
    const first = await signInRaw(backend, skipper)
    const second = await refreshed(first.refresh_token)
    const third = await refreshed(second.refresh_token)
    clock.advance(11)
    expect(refusal(await refreshRaw(backend, first.refresh_token))).toEqual(USED)
    clock.advance(11)
    for (const { refresh_token: token } of [third, second, first]) {
      expect(refusal(await refreshRaw(backend, token))).toEqual(USED)
    }
    expect((await ask(backend, 'GET', 'user', undefined, bearer(third))).status).toBe(200)
  })

  test('leaves the newest token of the family its reuse interval', async () => {
    const first = await signInRaw(backend, skipper)
    const second = await refreshed(first.refresh_token)
    const third = await refreshed(second.refresh_token)
    clock.advance(11)
    expect(refusal(await refreshRaw(backend, first.refresh_token))).toEqual(USED)
    clock.advance(10)
    const fourth = await refreshed(third.refresh_token)
    await refreshed(fourth.refresh_token)
    expect(refusal(await refreshRaw(backend, second.refresh_token))).toEqual(USED)
  })

  test('ends no other session of its user', async () => {
    const other = await signInRaw(backend, skipper)
    const first = await signInRaw(backend, skipper)
    await refreshed((await refreshed(first.refresh_token)).refresh_token)
    clock.advance(11)
    expect(refusal(await refreshRaw(backend, first.refresh_token))).toEqual(USED)
    await refreshed(other.refresh_token)
  })
})

test('without enforced rotation, a reuse is rejected but ends nothing', async () => {
  const lenient = await startTestBackend({
    clock,
    auth: { enableRefreshTokenRotation: false, refreshTokenReuseInterval: 0 },
  })
  const first = await signInRaw(lenient, skipper)
  const second = (await refreshRaw(lenient, first.refresh_token)).body['refresh_token']
  const third = (await refreshRaw(lenient, String(second))).body['refresh_token']
  clock.advance(1)
  expect(refusal(await refreshRaw(lenient, first.refresh_token))).toEqual(USED)
  expect((await refreshRaw(lenient, String(third))).status).toBe(200)
})

test('29 concurrent refreshes of one token, a burst with the sign-in, create one child', async () => {
  const { refresh_token: token } = await signInRaw(backend, skipper)
  const children = await Promise.all(Array.from({ length: 29 }, () => refreshed(token)))
  const [child] = new Set(children.map(({ refresh_token }) => refresh_token))
  expect(new Set(children.map(({ refresh_token }) => refresh_token))).toEqual(new Set([child]))
  clock.advance(11)
  const next = await refreshed(child ?? '')
  expect(next.refresh_token).not.toBe(child)
})

test.each([
  ['an unknown token', 'no-such-token-but-long-enough', 'Refresh Token Not Found'],
  ['a twelve-letter token in the format of old servers', 'abcdefghijkl', 'Refresh Token Not Found'],
])('%s is not found', async (_name, token, text) => {
  const expected = [400, 'refresh_token_not_found', `Invalid Refresh Token: ${text}`]
  expect(refusal(await refreshRaw(backend, token))).toEqual(expected)
})

test('rejects a malformed and a missing token as invalid', async () => {
  const expected = [400, 'validation_failed', 'Refresh token is not valid']
  expect(refusal(await refreshRaw(backend, 'short'))).toEqual(expected)
  expect(refusal(await refreshRaw(backend, ''))).toEqual(expected)
})
