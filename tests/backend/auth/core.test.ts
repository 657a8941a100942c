// Sign-up, passwords, tokens and error bodies, used through the official client.
import { decodeJwt } from 'jose'
import { expect, test } from 'vitest'
import { ask, refreshRaw, refusal } from '../../harness/auth.ts'
import { officialClient, startTestBackend } from '../../harness/backend.ts'

const backend = await startTestBackend({ accessTokenSeconds: 100 })
const skipper = { email: 'skipper@harbour.test', password: 'harbour-demo' }

test('sign-up returns a session and an account that can sign in again', async () => {
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

test('rejects a taken address', async () => {
  const { error } = await officialClient(backend).auth.signUp(skipper)
  expect({ status: error?.status, code: error?.code }).toEqual({ status: 422, code: 'user_already_exists' })
})

test('a session has its lifetime, and its token has the official claims', async () => {
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

test('rejects a wrong API key before anything else', async () => {
  const { status, body } = await ask(backend, 'POST', 'token?grant_type=password', skipper, {
    apikey: 'sb_publishable_wrong',
  })
  expect([status, body]).toEqual([
    401,
    { message: 'Invalid API key', hint: 'Double check your Supabase `apikey`' },
  ])
})

test('anything but a JSON object gives bad_json, in the format of the requested API version', async () => {
  const send = (headers = {}) => ask(backend, 'POST', 'token?grant_type=password', '{"email":', headers)
  const first = await send()
  const message = 'Could not parse request body as JSON: it is malformed'
  expect([first.status, first.body, first.headers.get('x-sb-error-code')]).toEqual([
    400,
    { code: 400, error_code: 'bad_json', msg: message },
    'bad_json',
  ])
  const later = await send({ 'x-supabase-api-version': '2024-01-01' })
  expect([later.status, later.body, later.headers.get('x-supabase-api-version')]).toEqual([
    400,
    { code: 'bad_json', message },
    '2024-01-01',
  ])
  expect((await send({ 'x-supabase-api-version': 'tomorrow' })).body).toEqual(first.body)
})

test.each([
  ['POST', 'token?grant_type=magic', {}, [400, 'invalid_credentials', 'unsupported_grant_type']],
  ['POST', 'token?grant_type=password', {}, [400, 'validation_failed', 'missing email or phone']],
  [
    'POST',
    'token?grant_type=password',
    { email: 'a@b.test', phone: '1', password: 'x' },
    [400, 'validation_failed', 'Only an email address or phone number should be provided on login.'],
  ],
  ['POST', 'signup', { email: 'a@b.test' }, [400, 'validation_failed', 'Signup requires a valid password']],
  [
    'POST',
    'signup',
    { email: 'no address', password: 'long enough' },
    [400, 'validation_failed', 'Unable to validate email address: invalid format'],
  ],
  [
    'POST',
    'signup',
    { email: 'a@b.test', password: 'x'.repeat(73) },
    [400, 'validation_failed', 'Password cannot be longer than 72 characters'],
  ],
  ['GET', 'user', undefined, [401, 'no_authorization', 'This endpoint requires a valid Bearer token']],
  ['POST', 'logout', undefined, [401, 'no_authorization', 'This endpoint requires a valid Bearer token']],
] as const)('%s %s with %j is rejected with the official message', async (method, path, body, words) => {
  expect(refusal(await ask(backend, method, path, body))).toEqual(words)
})

test('an unknown path is 404, an unknown method 405 with the known ones', async () => {
  const send = (method: string, path: string) =>
    fetch(`${backend.url}/auth/v1/${path}`, { method, headers: { apikey: backend.publishableKey } })
  const unknown = await send('GET', 'nowhere')
  expect([unknown.status, unknown.headers.get('content-type'), await unknown.text()]).toEqual([
    404,
    'text/plain; charset=utf-8',
    '404 page not found\n',
  ])
  const wrong = await send('GET', 'signup')
  expect([wrong.status, wrong.headers.get('allow'), await wrong.text()]).toEqual([405, 'POST', ''])
  const several = await send('PATCH', 'verify')
  expect([several.status, several.headers.get('allow')]).toEqual([405, 'GET, POST'])
})

test('a weak password error lists its reasons', async () => {
  const { data, error } = await officialClient(backend).auth.signUp({
    email: 'weak@harbour.test',
    password: 'short',
  })
  expect(data.user).toBeNull()
  const { name, message, code, status } = error ?? {}
  expect({ name, message, code, status, reasons: Reflect.get(Object(error), 'reasons') }).toEqual({
    name: 'AuthWeakPasswordError',
    message: 'Password should be at least 6 characters.',
    code: 'weak_password',
    status: 422,
    reasons: ['length'],
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

test('a sign-out ends the session on the server', async () => {
  const client = officialClient(backend)
  const { data } = await client.auth.signInWithPassword(skipper)
  expect((await client.auth.signOut()).error).toBeNull()
  const refreshed = await refreshRaw(backend, data.session?.refresh_token ?? '')
  expect(refusal(refreshed)).toEqual([
    400,
    'refresh_token_not_found',
    'Invalid Refresh Token: Refresh Token Not Found',
  ])
})

test('getUser rejects a token signed with a foreign key', async () => {
  const { data } = await officialClient(backend).auth.signInWithPassword(skipper)
  const [header, payload] = (data.session?.access_token ?? '').split('.')
  const { error } = await officialClient(backend).auth.getUser(`${header}.${payload}.AAAA`)
  expect({ status: error?.status, code: error?.code }).toEqual({ status: 403, code: 'bad_jwt' })
})

test('rejects a body that is nested too deeply', async () => {
  const data = JSON.parse(`${'{"a":'.repeat(200)}1${'}'.repeat(200)}`) as object
  const answer = await ask(backend, 'POST', 'signup', {
    email: 'deep@harbour.test',
    password: 'long enough',
    data,
  })
  expect(refusal(answer)).toEqual([
    400,
    'bad_json',
    'Could not parse request body as JSON: it is nested too deeply',
  ])
})
