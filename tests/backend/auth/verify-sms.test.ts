// Phone numbers: fixed codes for test numbers, immediate use without confirmations, and errors for other
// numbers.
import { beforeEach, describe, expect, test } from 'vitest'
import { movableClock } from '../../harness/mail.ts'
import { officialClient, startTestBackend } from '../../harness/backend.ts'

const clock = movableClock()
const testOtp = Object.fromEntries(Array.from({ length: 10 }, (_, n) => [`4915200000${n}`, `12340${n}`]))
const strict = await startTestBackend({
  clock,
  auth: { sms: { enableSignup: true, enableConfirmations: true, testOtp } },
})
const easy = await startTestBackend({
  clock,
  auth: { sms: { enableSignup: true, enableConfirmations: false, testOtp } },
})
const closed = await startTestBackend({ clock })

beforeEach(() => clock.advance(61))

describe('with confirmations', () => {
  const client = officialClient(strict)

  test('a test number signs in with its code, without a carrier', async () => {
    const phone = '+49 152 000000'
    const sent = await client.auth.signInWithOtp({ phone })
    expect(sent.error).toBe(null)
    const { data, error } = await client.auth.verifyOtp({ phone, token: '123400', type: 'sms' })
    expect(error).toBe(null)
    expect(data.user).toMatchObject({
      phone: '49152000000',
      phone_confirmed_at: new Date(clock.now()).toISOString(),
      app_metadata: { provider: 'phone', providers: ['phone'] },
    })
    const again = await client.auth.signInWithOtp({ phone })
    expect(again.error).toMatchObject({ code: 'over_sms_send_rate_limit', status: 429 })
    clock.advance(6)
    expect((await client.auth.signInWithOtp({ phone })).data).toMatchObject({ messageId: 'test-otp' })
  })

  test('a sign-up with a password requires the code', async () => {
    const credentials = { phone: '49152000001', password: 'a long password' }
    expect(await client.auth.signUp(credentials)).toMatchObject({ error: null, data: { session: null } })
    const early = await client.auth.signInWithPassword(credentials)
    expect(early.error).toMatchObject({ code: 'phone_not_confirmed', status: 400 })
    clock.advance(6)
    const again = await client.auth.resend({ type: 'sms', phone: credentials.phone })
    expect(again).toMatchObject({ error: null, data: { messageId: 'test-otp' } })
    await client.auth.verifyOtp({ phone: credentials.phone, token: '123401', type: 'sms' })
    expect((await client.auth.signInWithPassword(credentials)).error).toBe(null)
  })

  test('rejects a wrong code and another number', async () => {
    await client.auth.signInWithOtp({ phone: '49152000002' })
    for (const [phone, token] of [
      ['49152000002', '000000'],
      ['49152000003', '123402'],
    ] as const) {
      const { error } = await client.auth.verifyOtp({ phone, token, type: 'sms' })
      expect(error).toMatchObject({ code: 'otp_expired', status: 403 })
    }
  })

  test('a number without a test code gets an error about the missing carrier', async () => {
    const { error } = await client.auth.signInWithOtp({ phone: '4915299999' })
    expect(error).toMatchObject({ code: 'sms_send_failed', status: 422 })
    const unknown = await client.auth.verifyOtp({ phone: '4915299999', token: '123456', type: 'sms' })
    expect(unknown.error).toMatchObject({ code: 'otp_expired', status: 403 })
  })

  test('a new number is confirmed by its code', async () => {
    const member = officialClient(strict)
    await member.auth.signInWithPassword(strict.accounts[0] ?? { email: '', password: '' })
    const asked = await member.auth.updateUser({ phone: '49152000004' })
    expect(asked.data.user).toMatchObject({ phone: '', new_phone: '49152000004' })
    const code = { phone: '49152000004', token: '123404', type: 'phone_change' } as const
    const { data, error } = await member.auth.verifyOtp(code)
    expect(error).toBe(null)
    expect(data.user).toMatchObject({
      phone: '49152000004',
      app_metadata: { providers: ['email', 'phone'] },
    })
    expect(data.user).not.toHaveProperty('new_phone')
  })

  test.each([
    [{ phone: '49152000005', email: 'a@harbour.test' }, 'validation_failed'],
    [{ email: 'a@harbour.test', channel: 'sms' }, 'validation_failed'],
    [{ phone: '49152000005', channel: 'pigeon' }, 'validation_failed'],
    [{ phone: 'nonsense' }, 'validation_failed'],
    [{}, 'validation_failed'],
    [{ phone: 7 }, 'bad_json'],
  ])('rejects %j', async (body, code) => {
    const response = await fetch(`${strict.url}/auth/v1/otp`, {
      method: 'POST',
      headers: { apikey: strict.publishableKey, 'x-supabase-api-version': '2024-01-01' },
      body: JSON.stringify(body),
    })
    expect({ status: response.status, body: await response.json() }).toMatchObject({
      status: 400,
      body: { code },
    })
  })
})

test('without confirmations a number and a password are enough', async () => {
  const client = officialClient(easy)
  const credentials = { phone: '4915288888', password: 'a long password' }
  const { data, error } = await client.auth.signUp(credentials)
  expect(error).toBe(null)
  expect(data).toMatchObject({ user: { phone: '4915288888' }, session: { token_type: 'bearer' } })
  const twice = await client.auth.signUp(credentials)
  expect(twice.error).toMatchObject({ code: 'user_already_exists', status: 422 })
  expect((await client.auth.signInWithPassword(credentials)).error).toBe(null)
  const changed = await client.auth.updateUser({ phone: '4915277777' })
  expect(changed.data.user?.phone).toBe('4915277777')
})

test('if phones are disabled, each method returns an error', async () => {
  const client = officialClient(closed)
  const phone = '49152000000'
  const errors = [
    (await client.auth.signInWithOtp({ phone })).error,
    (await client.auth.signUp({ phone, password: 'a long password' })).error,
    (await client.auth.signInWithPassword({ phone, password: 'a long password' })).error,
    (await client.auth.resend({ type: 'sms', phone })).error,
  ]
  expect(errors.map(error => error?.code)).toEqual(errors.map(() => 'phone_provider_disabled'))
})
