// Refused verifications, in the order and with the codes of the official server; and email limits.
import { expect, test } from 'vitest'
import { follow, mailTo, movableClock, newAddress } from '../../harness/mail.ts'
import { officialClient, startTestBackend } from '../../harness/backend.ts'

const clock = movableClock()
const backend = await startTestBackend({
  clock,
  auth: {
    email: { enableConfirmations: true, maxFrequencySeconds: 0 },
    rateLimit: { emailSent: 20, tokenVerifications: 60 },
  },
})
const client = officialClient(backend)

test.each([
  [{}, 400, 'Verify requires a verification type'],
  [{ type: 'email' }, 400, 'Verify requires either a token or a token hash'],
  [{ type: 'email', token: '1', token_hash: '2' }, 400, 'Verify requires either a token or a token hash'],
  [{ type: 'email', token: '1' }, 400, 'Only an email address or phone number should be provided on verify'],
  [
    { type: 'email', token: '1', email: 'a@b.test', phone: '4912' },
    400,
    'Only an email address or phone number should be provided on verify',
  ],
  [{ type: 'email', token: '1', email: 'nonsense' }, 422, 'Invalid email format'],
  [{ type: 'sms', token: '1', phone: 'nonsense' }, 400, 'Invalid phone number format (E.164 required)'],
  [
    { type: 'email', token_hash: '1', email: 'a@b.test' },
    400,
    'Only the token_hash and type should be provided',
  ],
  [{ type: 'nonsense', token_hash: '1' }, 400, 'Invalid email verification type'],
  [{ type: 'toString', token_hash: '1' }, 400, 'Invalid email verification type'],
])('rejects %j with %i: %s', async (body, status, message) => {
  expect(await post('verify', body)).toEqual({ status, body: { code: 'validation_failed', message } })
})

test.each([
  ['', 'Verify requires a verification type'],
  ['?type=signup', 'Verify requires a token or a token hash'],
])('rejects the link verify%s at once', async (query, message) => {
  const response = await fetch(`${backend.url}/auth/v1/verify${query}`, { redirect: 'manual' })
  expect({ status: response.status, body: await response.json() }).toEqual({
    status: 400,
    body: { code: 400, error_code: 'validation_failed', msg: message },
  })
})

test('a link of unknown type redirects to the site with its error', async () => {
  expect(await follow(`${backend.url}/auth/v1/verify?type=nonsense&token=1`)).toMatchObject({
    status: 303,
    page: backend.url,
    hash: { error: 'invalid_request', error_code: 'validation_failed' },
  })
})

test('a banned user cannot sign in by email', async () => {
  const email = newAddress()
  const { admin } = officialClient(backend, backend.secretKey).auth
  const { data } = await admin.createUser({ email, email_confirm: true })
  await client.auth.signInWithOtp({ email })
  await admin.updateUserById(data.user?.id ?? '', { ban_duration: '1h' })
  const mail = mailTo(backend, email)
  const byCode = await client.auth.verifyOtp({ email, token: mail.otp, type: 'email' })
  expect(byCode.error).toMatchObject({ code: 'user_banned', status: 403 })
  expect((await follow(mail.link)).hash).toMatchObject({ error: 'access_denied', error_code: 'user_banned' })
})

test('sends at most as many emails per hour as the settings allow', async () => {
  clock.advance(3_600)
  const statuses = []
  for (let n = 0; n < 21; n += 1) {
    const { error } = await client.auth.signInWithOtp({ email: newAddress() })
    statuses.push(error?.code)
  }
  expect(statuses).toEqual([...Array.from({ length: 20 }, () => undefined), 'over_email_send_rate_limit'])
  clock.advance(3_600)
  expect((await client.auth.signInWithOtp({ email: newAddress() })).error).toBe(null)
})

const guess = async (email: string, count: number) => {
  const codes = []
  for (let n = 0; n < count; n += 1) {
    const { error } = await client.auth.verifyOtp({ email, token: `${n}`.padStart(6, 'x'), type: 'email' })
    codes.push(error?.code)
  }
  return codes
}

test('limits attempts per address; other addresses are not locked out', async () => {
  clock.advance(3_600)
  const [email, other] = [newAddress(), newAddress()]
  await client.auth.signInWithOtp({ email })
  await client.auth.signInWithOtp({ email: other })
  // The burst of the official server.
  const codes = await guess(email, 40)
  expect(codes.slice(0, 30)).toEqual(Array.from({ length: 30 }, () => 'otp_expired'))
  expect(codes.slice(30)).toEqual(Array.from({ length: 10 }, () => 'over_request_rate_limit'))
  const token = mailTo(backend, other).otp
  expect((await client.auth.verifyOtp({ email: other, token, type: 'email' })).error).toBe(null)
  expect((await follow(mailTo(backend, email).link)).hash).toHaveProperty('access_token')
})

test('after five wrong attempts a code is void; its link and a new code are not', async () => {
  clock.advance(3_600)
  const email = newAddress()
  const enter = async () =>
    (await client.auth.verifyOtp({ email, token: mailTo(backend, email).otp, type: 'email' })).error?.code
  await client.auth.signInWithOtp({ email })
  await guess(email, 4)
  expect(await enter()).toBe(undefined)
  clock.advance(1)
  await client.auth.signInWithOtp({ email })
  await guess(email, 5)
  expect(await enter()).toBe('otp_expired')
  const { link } = mailTo(backend, email)
  clock.advance(1)
  await client.auth.signInWithOtp({ email })
  expect(await enter()).toBe(undefined)
  clock.advance(1)
  await client.auth.signInWithOtp({ email })
  await guess(email, 5)
  expect((await follow(link)).hash).not.toHaveProperty('access_token')
  expect((await follow(mailTo(backend, email).link)).hash).toHaveProperty('access_token')
})

test('the default is thirty verifications per address in five minutes', async () => {
  const plain = await startTestBackend()
  const { auth } = officialClient(plain)
  const codes = []
  for (let n = 0; n < 32; n += 1)
    codes.push((await auth.verifyOtp({ email: 'a@sea.test', token: '123456', type: 'email' })).error?.code)
  expect(codes.indexOf('over_request_rate_limit')).toBe(30)
})

async function post(route: string, body: unknown): Promise<{ status: number; body: unknown }> {
  const response = await fetch(`${backend.url}/auth/v1/${route}`, {
    method: 'POST',
    headers: { apikey: backend.publishableKey, 'x-supabase-api-version': '2024-01-01' },
    body: JSON.stringify(body),
  })
  return { status: response.status, body: await response.json() }
}
