// Tokens without a session, functions called with only a token, and audit log entries for sign-ins.
import { decodeJwt, SignJWT } from 'jose'
import { expect, test } from 'vitest'
import { ask, bearer, refreshRaw, refusal, signInRaw } from '../../harness/auth.ts'
import { startTestBackend } from '../../harness/backend.ts'

const backend = await startTestBackend({ keys: 'cli' })
const secret = new TextEncoder().encode('super-secret-jwt-token-with-at-least-32-characters-long')
const skipper = { email: 'skipper@harbour.test', password: 'harbour-demo' }
const session = await signInRaw(backend, skipper)
const claims = decodeJwt(session.access_token)

const minted = async (change: object) => ({
  access_token: await new SignJWT({ ...claims, ...change }).setProtectedHeader({ alg: 'HS256' }).sign(secret),
})
const me = async (change: object) => ask(backend, 'GET', 'user', undefined, bearer(await minted(change)))

test('a token created by the project identifies its user without a session and cannot change the user', async () => {
  const alone = { session_id: undefined }
  expect((await me(alone)).body['email']).toBe(skipper.email)
  const change = await ask(backend, 'PUT', 'user', { data: {} }, bearer(await minted(alone)))
  expect(refusal(change)).toEqual([403, 'session_not_found', 'The token does not belong to a session'])
})

test.each([
  [{ sub: undefined }, 403, 'bad_jwt', 'invalid claim: missing sub claim'],
  [{ sub: 'skipper' }, 400, 'bad_jwt', 'invalid claim: sub claim must be a UUID'],
  [
    { sub: '11111111-1111-4111-8111-111111111111' },
    403,
    'user_not_found',
    'User from sub claim in JWT does not exist',
  ],
  [{ session_id: '7' }, 403, 'bad_jwt', 'invalid claim: session_id claim must be a UUID'],
  [
    { session_id: '11111111-1111-4111-8111-111111111111' },
    403,
    'session_not_found',
    'Session from session_id claim in JWT does not exist',
  ],
  [{ aud: undefined }, 400, 'validation_failed', "Token audience doesn't match request audience"],
  [
    { exp: 1 },
    403,
    'bad_jwt',
    'invalid JWT: unable to parse or verify signature, token has invalid claims: token is expired',
  ],
])('rejects a token with %j', async (change, ...words) => {
  expect(refusal(await me(change))).toEqual(words)
})

test('functions accept a token without an API key, and so does the REST of the local stack', async () => {
  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(`${backend.url}/${path}`, { headers }).then(({ status }) => status)
  expect(await get('functions/v1/tide?port=Gullhaven', bearer(session))).toBe(200)
  expect(await get('functions/v1/tide?port=Gullhaven', { authorization: 'Bearer wrong' })).toBe(401)
  expect(await get('functions/v1/tide?port=Gullhaven')).toBe(401)
  expect(await get('rest/v1/vessels', bearer(session))).toBe(200)
  expect(await get('rest/v1/vessels', { authorization: 'Bearer wrong' })).toBe(401)
})

test('the audit log has sign-ups, sign-ins, refreshes and sign-outs', async () => {
  const cook = { email: 'cook@harbour.test', password: 'soup-and-bread' }
  await ask(backend, 'POST', 'signup', cook)
  const own = await signInRaw(backend, cook)
  await refreshRaw(backend, own.refresh_token)
  await ask(backend, 'POST', 'logout', undefined, bearer(own))
  const { body } = await ask(backend, 'GET', 'admin/audit?query=author:cook', undefined, {
    apikey: backend.secretKey,
  })
  const actions = (body as unknown as { payload: { action: string } }[]).map(({ payload }) => payload.action)
  expect(actions.toSorted()).toEqual(['login', 'logout', 'token_refreshed', 'user_signedup'])
})
