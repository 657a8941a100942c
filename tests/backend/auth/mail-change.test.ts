// Address changes: requested by a user and confirmed by email, on both sides if configured.
import type { SupabaseClient } from '@supabase/supabase-js'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Backend } from '../../../backend/index.ts'
import { follow, mailTo, movableClock, newAddress, pkceClient } from '../../harness/mail.ts'
import { officialClient, startTestBackend } from '../../harness/backend.ts'

const OTHER_TO_COME = 'Confirmation link accepted. Please proceed to confirm link sent to the other email'

const clock = movableClock()
const strict = await startTestBackend({ clock, auth: { email: { enableConfirmations: true } } })
const easy = await startTestBackend({ clock })

beforeEach(() => clock.advance(61))

/** A new user, signed in with an emailed code. */
async function member(backend: Backend, client = officialClient(backend)) {
  const email = newAddress('member')
  await client.auth.signInWithOtp({ email })
  const { error } = await client.auth.verifyOtp({ email, token: mailTo(backend, email).otp, type: 'email' })
  expect(error).toBe(null)
  return { email, client }
}

async function askFor(client: SupabaseClient, email: string) {
  const { data, error } = await client.auth.updateUser({ email })
  expect(error).toBe(null)
  return data.user
}

const addressOf = async (client: SupabaseClient) => (await client.auth.getUser()).data.user?.email

describe('with confirmations, the address changes', () => {
  test('after the codes of both addresses', async () => {
    const { client, email } = await member(strict)
    const wanted = newAddress()
    const asked = await askFor(client, wanted)
    expect(asked).toMatchObject({ email, new_email: wanted, email_change_sent_at: expect.any(String) })

    const first = { email, token: mailTo(strict, email).otp, type: 'email_change' } as const
    const half = await client.auth.verifyOtp(first)
    expect(half).toMatchObject({ error: null, data: { session: null } })
    expect(await addressOf(client)).toBe(email)
    expect((await client.auth.verifyOtp(first)).error?.code).toBe('otp_expired')

    const second = { email: wanted, token: mailTo(strict, wanted).otp, type: 'email_change' } as const
    const { data, error } = await client.auth.verifyOtp(second)
    expect(error).toBe(null)
    expect(data.user).toMatchObject({
      email: wanted,
      identities: [{ identity_data: { email: wanted, email_verified: true } }],
    })
    expect(data.user).not.toHaveProperty('new_email')
  })

  test('after the links of both addresses', async () => {
    const { client, email } = await member(strict)
    const wanted = newAddress()
    await askFor(client, wanted)
    expect(await follow(mailTo(strict, wanted).link)).toEqual({
      status: 303,
      page: strict.url,
      query: {},
      hash: { message: OTHER_TO_COME, sb: '' },
    })
    expect(await addressOf(client)).toBe(email)
    expect((await follow(mailTo(strict, email).link)).hash).toMatchObject({ type: 'email_change' })
    expect(await addressOf(client)).toBe(wanted)
  })

  test('after the links of both addresses, in the PKCE flow', async () => {
    const { client, email } = await member(strict, pkceClient(strict))
    const wanted = newAddress()
    await askFor(client, wanted)
    expect(await follow(mailTo(strict, email).link)).toMatchObject({
      query: { message: OTHER_TO_COME },
      hash: { message: OTHER_TO_COME, sb: '' },
    })
    const { query } = await follow(mailTo(strict, wanted).link)
    const { data, error } = await client.auth.exchangeCodeForSession(query['code'] ?? '')
    expect(error).toBe(null)
    expect(data.user?.email).toBe(wanted)
  })
})

test('without confirmations one of the links is enough', async () => {
  const { client, email } = await member(easy)
  const wanted = newAddress()
  await askFor(client, wanted)
  expect(easy.inbox.messages(wanted)).toHaveLength(1)
  expect((await follow(mailTo(easy, email).link)).hash).toMatchObject({ type: 'email_change' })
  expect(await addressOf(client)).toBe(wanted)
  expect((await follow(mailTo(easy, wanted).link)).hash['error_code']).toBe('otp_expired')
})

test('an anonymous user who adds an address becomes permanent', async () => {
  const client = officialClient(easy)
  await client.auth.signInAnonymously()
  const email = newAddress()
  const user = await askFor(client, email)
  expect(user).toMatchObject({
    email,
    is_anonymous: false,
    app_metadata: { provider: 'email', providers: ['email'] },
    identities: [{ provider: 'email', identity_data: { email } }],
  })
  expect(easy.inbox.messages(email)).toEqual([])
})

test('with confirmations an anonymous user becomes permanent through the link', async () => {
  const client = officialClient(strict)
  await client.auth.signInAnonymously()
  const email = newAddress()
  expect(await askFor(client, email)).toMatchObject({ is_anonymous: true, new_email: email })
  const { hash } = await follow(mailTo(strict, email).link)
  const { data } = await client.auth.getUser(hash['access_token'])
  expect(data.user).toMatchObject({ email, is_anonymous: false })
})

test('rejects an address that is taken, or is taken in the meantime', async () => {
  const { client, email } = await member(strict)
  const taken = await client.auth.updateUser({ email: strict.accounts[0]?.email ?? '' })
  expect(taken.error).toMatchObject({ code: 'email_exists', status: 422 })

  const wanted = newAddress()
  await askFor(client, wanted)
  const [old, fresh] = [mailTo(strict, email), mailTo(strict, wanted)]
  const admin = officialClient(strict, strict.secretKey)
  await admin.auth.admin.createUser({ email: wanted, email_confirm: true })
  await follow(old.link)
  expect((await follow(fresh.link)).hash).toMatchObject({ error_code: 'email_exists' })
  expect(await addressOf(client)).toBe(email)
})

test('resends the emails of a change', async () => {
  const { client, email } = await member(strict)
  const wanted = newAddress()
  await askFor(client, wanted)
  clock.advance(61)
  const { error } = await client.auth.resend({ type: 'email_change', email })
  expect(error).toBe(null)
  expect(strict.inbox.messages(wanted)).toHaveLength(2)
  const [again, before] = strict.inbox.messages(wanted)
  expect((await follow(before?.link)).hash['error_code']).toBe('otp_expired')
  expect((await follow(again?.link)).hash['message']).toBe(OTHER_TO_COME)
})
