// Rate limits and settings: request frequency and disabled features.
import { describe, expect, test } from 'vitest'
import { ask, refusal, type Answer } from '../../harness/auth.ts'
import { officialClient, startTestBackend } from '../../harness/backend.ts'
import { movableClock, newAddress } from '../../harness/mail.ts'

const clock = movableClock()
const backend = await startTestBackend({
  clock,
  auth: {
    minimumPasswordLength: 12,
    rateLimit: { anonymousUsers: 2, tokenRefresh: 60, signInSignUps: 30, emailSent: 2 },
    email: { enableConfirmations: true },
  },
})
const closed = await startTestBackend({
  auth: { enableSignup: false, enableAnonymousSignIns: false, email: { enableSignup: false } },
})

const TOO_OFTEN = [429, 'over_request_rate_limit', 'Request rate limit reached']
const retryAfter = ({ headers }: Answer) => headers.get('retry-after')

describe('limits', () => {
  test('anonymous users per hour', async () => {
    const signUp = () => ask(backend, 'POST', 'signup', {})
    expect([(await signUp()).status, (await signUp()).status]).toEqual([200, 200])
    const refused = await signUp()
    expect([refusal(refused), retryAfter(refused)]).toEqual([TOO_OFTEN, '1800'])
    clock.advance(1_799)
    expect((await signUp()).status).toBe(429)
    clock.advance(1)
    expect((await signUp()).status).toBe(200)
  })

  test('tokens per five minutes across grants, without affecting other routes', async () => {
    const token = () => ask(backend, 'POST', 'token?grant_type=refresh_token', { refresh_token: 'short' })
    for (let count = 0; count < 30; count += 1) expect((await token()).status).toBe(400)
    const refused = await token()
    expect([refusal(refused), retryAfter(refused)]).toEqual([TOO_OFTEN, '5'])
    const elsewhere = { 'x-forwarded-for': '203.0.113.9', forwarded: 'for=203.0.113.9' }
    const body = { refresh_token: 'short' }
    const made = await ask(backend, 'POST', 'token?grant_type=refresh_token', body, elsewhere)
    expect(refusal(made)).toEqual(TOO_OFTEN)
    const { error } = await officialClient(backend).auth.signInWithPassword({
      email: 'a@b.test',
      password: 'x',
    })
    expect([error?.status, error?.code]).toEqual([429, 'over_request_rate_limit'])
    expect((await ask(backend, 'GET', 'settings')).status).toBe(200)
    clock.advance(5)
    expect((await token()).status).toBe(400)
  })

  test('emails per hour, and the interval between two to one address', async () => {
    const signUp = (email: string) => ask(backend, 'POST', 'signup', { email, password: 'long-enough-1' })
    const email = newAddress('mailed')
    expect((await signUp(email)).status).toBe(200)
    const again = await signUp(email)
    expect([again.status, again.body['error_code'], retryAfter(again)]).toEqual([
      429,
      'over_email_send_rate_limit',
      '1',
    ])
    clock.advance(2)
    expect((await signUp(newAddress('mailed'))).status).toBe(200)
    expect(refusal(await signUp(newAddress('mailed')))).toEqual([
      429,
      'over_email_send_rate_limit',
      'email rate limit exceeded',
    ])
  })
})

describe('settings', () => {
  test('are visible to anyone with a key', async () => {
    expect((await ask(backend, 'GET', 'settings')).body).toMatchObject({
      disable_signup: false,
      mailer_autoconfirm: false,
      phone_autoconfirm: false,
      external: { email: true, phone: false, anonymous_users: true },
    })
    expect((await ask(closed, 'GET', 'settings')).body).toMatchObject({
      disable_signup: true,
      external: { email: false, anonymous_users: false },
    })
    expect((await ask(closed, 'GET', 'health')).body).toMatchObject({ name: 'GoTrue' })
  })

  test('enforce the minimum password length', async () => {
    const { error } = await officialClient(backend).auth.signUp({
      email: newAddress(),
      password: 'eleven-char',
    })
    expect(error?.message).toBe('Password should be at least 12 characters.')
  })

  test.each([
    [
      'signup',
      { email: 'a@b.test', password: 'long enough' },
      'signup_disabled',
      'Signups not allowed for this instance',
    ],
    ['signup', {}, 'anonymous_provider_disabled', 'Anonymous sign-ins are disabled'],
    [
      'token?grant_type=password',
      { email: 'a@b.test', password: 'x' },
      'email_provider_disabled',
      'Email logins are disabled',
    ],
    [
      'token?grant_type=password',
      { phone: '123', password: 'x' },
      'phone_provider_disabled',
      'Phone logins are disabled',
    ],
  ])('rejects disabled features: %s %j', async (path, body, code, message) => {
    expect(refusal(await ask(closed, 'POST', path, body))).toEqual([422, code, message])
  })

  test('does not reveal a taken address if addresses are confirmed', async () => {
    clock.advance(3_600)
    const { data, error } = await officialClient(backend).auth.signUp({
      email: 'skipper@harbour.test',
      password: 'long-enough-1',
    })
    expect([error, data.session, data.user?.identities]).toEqual([null, null, []])
    expect(backend.inbox.messages('skipper@harbour.test')).toEqual([])
  })
})
