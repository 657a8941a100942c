// Email sign-in with the implicit flow: codes and links work once, in time and with a limited frequency.
import { beforeEach, describe, expect, test } from 'vitest'
import { follow, mailTo, movableClock, newAddress } from '../../harness/mail.ts'
import { officialClient, startTestBackend } from '../../harness/backend.ts'

const clock = movableClock()
const backend = await startTestBackend({
  clock,
  auth: {
    email: { enableConfirmations: true, otpLength: 8, otpExpirySeconds: 600, maxFrequencySeconds: 60 },
    redirectUrls: ['http://localhost:5173/**'],
  },
})
const client = officialClient(backend)
const expired = { code: 'otp_expired', status: 403 }

beforeEach(() => clock.advance(61))

async function signInByMail(email: string, options?: { data?: object; emailRedirectTo?: string }) {
  const { error } = await client.auth.signInWithOtp({ email, ...(options ? { options } : {}) })
  expect(error).toBe(null)
  return mailTo(backend, email)
}

test('an unknown address signs up with the code of its email', async () => {
  const email = newAddress()
  const mail = await signInByMail(email, { data: { boat: 'Fulmar' } })
  expect(mail).toMatchObject({ to: email, type: 'signup', otp: expect.stringMatching(/^\d{8}$/) })

  const { data, error } = await client.auth.verifyOtp({ email, token: mail.otp, type: 'email' })
  expect(error).toBe(null)
  expect(data.user).toMatchObject({
    email,
    email_confirmed_at: new Date(clock.now()).toISOString(),
    user_metadata: { boat: 'Fulmar', email_verified: true },
    app_metadata: { provider: 'email', providers: ['email'] },
    identities: [{ provider: 'email', identity_data: { email, email_verified: true } }],
  })
  expect((await client.auth.getUser(data.session?.access_token)).data.user?.email).toBe(email)
})

test.each(['email', 'magiclink'] as const)('a known address signs in with a code of type %s', async type => {
  const { email } = backend.accounts[0] ?? { email: '' }
  const mail = await signInByMail(email)
  expect(mail.type).toBe('magiclink')
  const { data, error } = await client.auth.verifyOtp({ email, token: mail.otp, type })
  expect(error).toBe(null)
  expect((await client.auth.getClaims(data.session?.access_token)).data?.claims.amr).toEqual([
    { method: 'otp', timestamp: Math.floor(clock.now() / 1_000) },
  ])
})

test('a token hash signs in like the code', async () => {
  const mail = await signInByMail(newAddress())
  const { data, error } = await client.auth.verifyOtp({ token_hash: mail.tokenHash ?? '', type: 'email' })
  expect(error).toBe(null)
  expect(data.user?.email).toBe(mail.to)
})

test('a link signs in and redirects as requested, with the tokens in the hash', async () => {
  const emailRedirectTo = 'http://localhost:5173/welcome?from=mail'
  const mail = await signInByMail(newAddress(), { emailRedirectTo })
  const landing = await follow(mail.link)
  expect(landing).toEqual({
    status: 303,
    page: 'http://localhost:5173/welcome',
    query: { from: 'mail' },
    hash: {
      access_token: expect.any(String),
      refresh_token: expect.any(String),
      token_type: 'bearer',
      expires_in: '3600',
      expires_at: String(Math.floor(clock.now() / 1_000) + 3_600),
      type: 'signup',
      sb: '',
    },
  })
  expect((await client.auth.getUser(landing.hash['access_token'])).data.user?.email).toBe(mail.to)
})

test('a link redirects to the site if the requested target is not allowed', async () => {
  const mail = await signInByMail(newAddress(), { emailRedirectTo: 'https://evil.test/' })
  expect(mail.redirectTo).toBe(backend.url)
  const elsewhere = mail.link?.replace(/redirect_to=.*/, 'redirect_to=https%3A%2F%2Fevil.test%2F')
  expect((await follow(elsewhere)).page).toBe(backend.url)
})

describe('a code or link works', () => {
  test('once', async () => {
    const mail = await signInByMail(newAddress())
    const asked = { email: mail.to, token: mail.otp, type: 'email' } as const
    const results = await Promise.all([client.auth.verifyOtp(asked), client.auth.verifyOtp(asked)])
    expect(results.filter(({ error }) => error === null)).toHaveLength(1)
    expect(results.filter(({ error }) => error?.code === 'otp_expired')).toHaveLength(1)

    expect(await follow(mail.link)).toEqual({
      status: 303,
      page: backend.url,
      query: {},
      hash: {
        error: 'access_denied',
        error_code: 'otp_expired',
        error_description: 'Email link is invalid or has expired',
        sb: '',
      },
    })
  })

  test('until it expires', async () => {
    const mail = await signInByMail(newAddress())
    clock.advance(601)
    const byCode = await client.auth.verifyOtp({ email: mail.to, token: mail.otp, type: 'email' })
    expect(byCode.error).toMatchObject({ ...expired, message: 'Token has expired or is invalid' })
    const byHash = await client.auth.verifyOtp({ token_hash: mail.tokenHash ?? '', type: 'email' })
    expect(byHash.error).toMatchObject({ ...expired, message: 'Email link is invalid or has expired' })
    expect((await follow(mail.link)).hash['error_code']).toBe('otp_expired')
  })

  test('for its own address, and only the newest', async () => {
    const mail = await signInByMail(newAddress())
    const wrong = await client.auth.verifyOtp({ email: newAddress(), token: mail.otp, type: 'email' })
    expect(wrong.error).toMatchObject(expired)
    clock.advance(61)
    await signInByMail(mail.to)
    const old = await client.auth.verifyOtp({ token_hash: mail.tokenHash ?? '', type: 'email' })
    expect(old.error).toMatchObject(expired)
  })

  test('and a HEAD request does not use it up', async () => {
    const mail = await signInByMail(newAddress())
    expect((await fetch(mail.link ?? '', { method: 'HEAD', redirect: 'manual' })).status).toBe(405)
    expect((await follow(mail.link)).hash).toHaveProperty('access_token')
  })
})

test('does not sign up unknown users if not allowed', async () => {
  const email = newAddress()
  const { error } = await client.auth.signInWithOtp({ email, options: { shouldCreateUser: false } })
  expect(error).toMatchObject({ code: 'otp_disabled', status: 422, message: 'Signups not allowed for otp' })
  expect(backend.inbox.messages(email)).toEqual([])
})

test('a second email must wait, and the error says how long', async () => {
  const email = newAddress()
  await signInByMail(email)
  clock.advance(18)
  const { error } = await client.auth.signInWithOtp({ email })
  expect(error).toMatchObject({
    code: 'over_email_send_rate_limit',
    status: 429,
    message: 'For security purposes, you can only request this after 42 seconds.',
  })
  expect(backend.inbox.messages(email).length).toBe(1)
  clock.advance(43)
  await signInByMail(email)
})
