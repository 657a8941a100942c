// PKCE: links that end in a code, and exchanging the code for a session.
import postgres from 'postgres'
import { beforeEach, expect, test } from 'vitest'
import { follow, mailTo, movableClock, newAddress, pkceClient } from '../../harness/mail.ts'
import { startTestBackend } from '../../harness/backend.ts'

const clock = movableClock()
const backend = await startTestBackend({
  clock,
  databaseAccess: {},
  auth: { email: { enableConfirmations: true } },
})

beforeEach(() => clock.advance(61))

async function linkFor(email: string, client = pkceClient(backend)) {
  const { error } = await client.auth.signInWithOtp({ email })
  expect(error).toBe(null)
  return { client, mail: mailTo(backend, email) }
}

function skipper(): string {
  return backend.accounts[0]?.email ?? ''
}

test.each([
  ['sign-up', () => newAddress(), 'email/signup'],
  ['sign-in', skipper, 'magiclink'],
])('the link of a %s ends in a code, which can be exchanged once', async (_name, address, method) => {
  const { client, mail } = await linkFor(address())
  expect(mail.tokenHash).toMatch(/^pkce_[0-9a-f]{56}$/)
  const landing = await follow(mail.link)
  expect(landing).toEqual({
    status: 303,
    page: backend.url,
    query: { code: expect.stringMatching(/^[0-9a-f-]{36}$/) },
    hash: {},
  })
  const code = landing.query['code'] ?? ''
  const { data, error } = await client.auth.exchangeCodeForSession(code)
  expect(error).toBe(null)
  expect(data.user?.email).toBe(mail.to)
  expect((await client.auth.getClaims(data.session?.access_token)).data?.claims.amr).toEqual([
    { method, timestamp: Math.floor(clock.now() / 1_000) },
  ])
  expect(await exchange(code, 'v'.repeat(43))).toEqual({
    status: 404,
    body: {
      code: 'flow_state_not_found',
      message: 'invalid flow state, no valid flow state found',
    },
  })
})

test('password recovery works with a link, and the client emits the recovery event', async () => {
  const client = pkceClient(backend)
  await client.auth.resetPasswordForEmail(skipper())
  const mail = mailTo(backend, skipper())
  expect(mail.type).toBe('recovery')
  const events: string[] = []
  client.auth.onAuthStateChange(event => void events.push(event))
  const { error } = await client.auth.exchangeCodeForSession((await follow(mail.link)).query['code'] ?? '')
  expect(error).toBe(null)
  expect(events).toContain('PASSWORD_RECOVERY')
})

test('a sign-up with a password is confirmed by a link, including a resent one', async () => {
  const client = pkceClient(backend)
  const credentials = { email: newAddress(), password: 'a long password' }
  const asked = await client.auth.signUp(credentials)
  expect(asked).toMatchObject({ error: null, data: { session: null } })
  clock.advance(61)
  expect((await client.auth.resend({ type: 'signup', email: credentials.email })).error).toBe(null)
  const [again, before] = backend.inbox.messages(credentials.email)
  expect((await follow(before?.link)).query['error_code']).toBe('otp_expired')
  const code = (await follow(again?.link)).query['code'] ?? ''
  const { data, error } = await client.auth.exchangeCodeForSession(code)
  expect(error).toBe(null)
  expect(data.user).toMatchObject({ email: credentials.email, email_confirmed_at: expect.any(String) })
  expect((await client.auth.signInWithPassword(credentials)).error).toBe(null)
})

test('the code of an email signs in without an exchange', async () => {
  const { client, mail } = await linkFor(newAddress())
  const { data, error } = await client.auth.verifyOtp({ email: mail.to, token: mail.otp, type: 'email' })
  expect(error).toBe(null)
  expect(data.session?.refresh_token).toEqual(expect.any(String))
})

test('a wrong verifier gets no session and leaves the code valid', async () => {
  const { client, mail } = await linkFor(skipper())
  const code = (await follow(mail.link)).query['code'] ?? ''
  expect(await exchange(code, 'x'.repeat(43))).toEqual({
    status: 400,
    body: {
      code: 'bad_code_verifier',
      message: 'code challenge does not match previously saved code verifier',
    },
  })
  expect((await client.auth.exchangeCodeForSession(code)).error).toBe(null)
})

test('a plain challenge is compared unhashed', async () => {
  const verifier = 'plain-verifier-of-at-least-forty-three-characters'
  await post('otp', { email: skipper(), code_challenge: verifier, code_challenge_method: 'plain' })
  const code = (await follow(mailTo(backend, skipper()).link)).query['code'] ?? ''
  expect(await exchange(code, verifier)).toMatchObject({ status: 200, body: { token_type: 'bearer' } })
})

test('concurrent exchanges of one code open one session', async () => {
  const verifier = 'v'.repeat(64)
  await post('otp', { email: skipper(), code_challenge: verifier, code_challenge_method: 'plain' })
  const code = (await follow(mailTo(backend, skipper()).link)).query['code'] ?? ''
  const answers = await Promise.all(Array.from({ length: 10 }, () => exchange(code, verifier)))
  const counts = [200, 404].map(wanted => answers.filter(({ status }) => status === wanted).length)
  expect(counts).toEqual([1, 9])
})

test('a code is valid for five minutes', async () => {
  const { client, mail } = await linkFor(skipper())
  clock.advance(290)
  const code = (await follow(mail.link)).query['code'] ?? ''
  clock.advance(301)
  expect((await client.auth.exchangeCodeForSession(code)).error).toMatchObject({
    code: 'flow_state_expired',
    status: 422,
    message: 'invalid flow state, flow state has expired',
  })
})

test('a used link has its error in the query too', async () => {
  const { mail } = await linkFor(skipper())
  await follow(mail.link)
  const fields = {
    error: 'access_denied',
    error_code: 'otp_expired',
    error_description: 'Email link is invalid or has expired',
  }
  expect(await follow(mail.link)).toEqual({
    status: 303,
    page: backend.url,
    query: fields,
    hash: { ...fields, sb: '' },
  })
})

test.each([
  [{ code_challenge: 'c'.repeat(43) }, 'PKCE flow requires code_challenge_method and code_challenge'],
  [{ code_challenge_method: 's256' }, 'PKCE flow requires code_challenge_method and code_challenge'],
  [
    { code_challenge: 'short', code_challenge_method: 's256' },
    'code challenge has to be between 43 and 128 characters',
  ],
  [
    { code_challenge: '!'.repeat(43), code_challenge_method: 's256' },
    'code challenge can only contain alphanumeric characters, hyphens, periods, underscores and tildes',
  ],
  [
    { code_challenge: 'c'.repeat(43), code_challenge_method: 'md5' },
    'unsupported code_challenge method "md5"',
  ],
])('rejects the challenge %j', async (challenge, message) => {
  for (const route of ['otp', 'recover', 'magiclink']) {
    expect(await post(route, { email: skipper(), ...challenge })).toEqual({
      status: 400,
      body: { code: 'validation_failed', message },
    })
  }
})

test('rejects an empty exchange', async () => {
  expect(await exchange('', 'v')).toEqual({
    status: 400,
    body: {
      code: 'validation_failed',
      message: 'invalid request: both auth code and code verifier should be non-empty',
    },
  })
})

test('the database stores codes and tokens only as hashes', async () => {
  const { mail } = await linkFor(newAddress())
  const code = (await follow(mail.link)).query['code'] ?? ''
  const again = await linkFor(newAddress())
  const secrets = [code, again.mail.otp, again.mail.tokenHash ?? '', again.mail.tokenHash?.slice(5) ?? '']
  const sql = postgres(backend.databaseUrl ?? '', { max: 1 })
  const rows = [
    ...(await sql`select f::text from auth.flow_state f`),
    ...(await sql`select t::text from auth.one_time_tokens t`),
    ...(await sql`select u::text from auth.users u`),
  ]
  await sql.end()
  const text = JSON.stringify(rows)
  expect(text).toContain(again.mail.to)
  expect(secrets.filter(secret => text.includes(secret))).toEqual([])
})

function exchange(code: string, verifier: string) {
  return post('token?grant_type=pkce', { auth_code: code, code_verifier: verifier })
}

async function post(route: string, body: unknown): Promise<{ status: number; body: unknown }> {
  const response = await fetch(`${backend.url}/auth/v1/${route}`, {
    method: 'POST',
    headers: { apikey: backend.publishableKey, 'x-supabase-api-version': '2024-01-01' },
    body: JSON.stringify(body),
  })
  return { status: response.status, body: await response.json() }
}
