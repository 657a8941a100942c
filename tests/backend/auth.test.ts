// The auth family, spoken to by the official client.
import { decodeJwt } from 'jose'
import { expect, test } from 'vitest'
import { officialClient, startTestBackend } from '../harness/backend.ts'

const backend = await startTestBackend({ accessTokenSeconds: 100 })
const skipper = { email: 'skipper@harbour.test', password: 'harbour-demo' }

function post(path: string, body: unknown, headers: Record<string, string> = {}) {
  return fetch(`${backend.url}/auth/v1/${path}`, {
    method: 'POST',
    headers: { apikey: backend.publishableKey, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
}

test('signing up gives a session and an account that can sign in again', async () => {
  const client = officialClient(backend)
  const signedUp = await client.auth.signUp({ email: 'cook@harbour.test', password: 'soup-and-bread' })
  expect(signedUp.error).toBeNull()
  expect(signedUp.data.user?.email).toBe('cook@harbour.test')
  expect(signedUp.data.session?.access_token).toBeTypeOf('string')
  const again = await officialClient(backend).auth.signInWithPassword({
    email: 'cook@harbour.test',
    password: 'soup-and-bread',
  })
  expect(again.data.user?.id).toBe(signedUp.data.user?.id)
})

test('an address that is taken is refused', async () => {
  const { error } = await officialClient(backend).auth.signUp(skipper)
  expect({ status: error?.status, code: error?.code }).toEqual({ status: 422, code: 'user_already_exists' })
})

test('a session says how long it lives, and its token carries the official claims', async () => {
  const { data } = await officialClient(backend).auth.signInWithPassword(skipper)
  expect(data.session?.expires_in).toBe(100)
  const claims = decodeJwt(data.session?.access_token ?? '')
  expect((claims.exp ?? 0) - (claims.iat ?? 0)).toBe(100)
  expect(claims).toMatchObject({
    sub: data.user?.id,
    aud: 'authenticated',
    role: 'authenticated',
    email: skipper.email,
    iss: `${backend.url}/auth/v1`,
    aal: 'aal1',
    amr: [{ method: 'password', timestamp: expect.closeTo(claims.iat ?? 0, -1) }],
    is_anonymous: false,
  })
  expect(claims.session_id).toBeTypeOf('string')
})

test.each([
  ['a wrong password', { ...skipper, password: 'wrong' }],
  ['an unknown user', { email: 'nobody@harbour.test', password: 'wrong' }],
])('%s gives invalid_credentials', async (_name, credentials) => {
  const { data, error } = await officialClient(backend).auth.signInWithPassword(credentials)
  expect(data.session).toBeNull()
  expect({ status: error?.status, code: error?.code, message: error?.message }).toEqual({
    status: 400,
    code: 'invalid_credentials',
    message: 'Invalid login credentials',
  })
})

test('a wrong API key is refused before anything else', async () => {
  const response = await post('token?grant_type=password', skipper, { apikey: 'sb_publishable_wrong' })
  expect(response.status).toBe(401)
  expect(await response.json()).toEqual({
    message: 'Invalid API key',
    hint: 'Double check your Supabase `apikey`',
  })
})

test('a body that is not JSON gives bad_json', async () => {
  const response = await fetch(`${backend.url}/auth/v1/token?grant_type=password`, {
    method: 'POST',
    headers: { apikey: backend.publishableKey, 'content-type': 'application/json' },
    body: '{"email":',
  })
  expect(response.status).toBe(400)
  expect(await response.json()).toEqual({
    code: 400,
    error_code: 'bad_json',
    msg: 'Could not parse request body as JSON',
  })
})

test('a refresh rotates both tokens, and the new one is accepted', async () => {
  const client = officialClient(backend)
  const { data: first } = await client.auth.signInWithPassword(skipper)
  const { data: second, error } = await client.auth.refreshSession()
  expect(error).toBeNull()
  expect(second.session?.refresh_token).not.toBe(first.session?.refresh_token)
  const { data } = await client.auth.getUser()
  expect(data.user?.email).toBe(skipper.email)
  const [before, after] = [first, second].map(({ session }) => decodeJwt(session?.access_token ?? ''))
  expect([after?.session_id, after?.amr]).toEqual([before?.session_id, before?.amr])
})

test('a refresh token used again after its successors ends the session', async () => {
  const session = await (await post('token?grant_type=password', skipper)).json()
  const second = await (await post('token?grant_type=refresh_token', session)).json()
  await post('token?grant_type=refresh_token', second)
  const reused = await post('token?grant_type=refresh_token', session)
  expect(reused.status).toBe(400)
  expect(await reused.json()).toEqual({
    code: 400,
    error_code: 'refresh_token_already_used',
    msg: 'Invalid Refresh Token: Already Used',
  })
})

test('a sign-out ends the session on the server', async () => {
  const client = officialClient(backend)
  const { data } = await client.auth.signInWithPassword(skipper)
  expect((await client.auth.signOut()).error).toBeNull()
  const refreshed = await post('token?grant_type=refresh_token', {
    refresh_token: data.session?.refresh_token,
  })
  expect(refreshed.status).toBe(400)
  expect(Reflect.get(Object(await refreshed.json()), 'error_code')).toBe('refresh_token_not_found')
})

test('getUser refuses a token signed by someone else', async () => {
  const { data } = await officialClient(backend).auth.signInWithPassword(skipper)
  const [header, payload] = (data.session?.access_token ?? '').split('.')
  const { error } = await officialClient(backend).auth.getUser(`${header}.${payload}.AAAA`)
  expect({ status: error?.status, code: error?.code }).toEqual({ status: 403, code: 'bad_jwt' })
})
