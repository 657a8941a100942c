// Server requests with the secret key: invitations, and links that the server sends itself.
import { beforeEach, describe, expect, test } from 'vitest'
import { follow, mailTo, movableClock, newAddress } from '../../harness/mail.ts'
import { officialClient, startTestBackend } from '../../harness/backend.ts'

const clock = movableClock()
const backend = await startTestBackend({
  clock,
  auth: { email: { enableConfirmations: true }, redirectUrls: ['https://app.test/**'] },
})
const { admin } = officialClient(backend, backend.secretKey).auth
const client = officialClient(backend)
const skipper = backend.accounts[0]?.email ?? ''
const redirectTo = 'https://app.test/welcome'

beforeEach(() => clock.advance(61))

test('an invitation creates an account that its link opens', async () => {
  const email = newAddress('guest')
  const { data, error } = await admin.inviteUserByEmail(email, { data: { berth: 7 }, redirectTo })
  expect(error).toBe(null)
  const now = new Date(clock.now()).toISOString()
  expect(data.user).toMatchObject({ email, invited_at: now, user_metadata: { berth: 7 } })
  expect(data.user).not.toHaveProperty('email_confirmed_at')
  const mail = mailTo(backend, email)
  expect(mail).toMatchObject({ type: 'invite', redirectTo })
  const landing = await follow(mail.link)
  expect(landing).toMatchObject({ page: redirectTo, hash: { type: 'invite' } })
  const { user } = (await client.auth.getUser(landing.hash['access_token'])).data
  expect(user).toMatchObject({ email, email_confirmed_at: now })
})

test('an invitation can be accepted by code, and is refused for confirmed users', async () => {
  const email = newAddress('guest')
  await admin.inviteUserByEmail(email)
  const token = mailTo(backend, email).otp
  expect((await client.auth.verifyOtp({ email, token, type: 'invite' })).error).toBe(null)
  expect((await admin.inviteUserByEmail(email)).error).toMatchObject({ code: 'email_exists', status: 422 })
})

describe('a link', () => {
  test.each(['magiclink', 'recovery'] as const)('of type %s for a known address', async type => {
    const { data, error } = await admin.generateLink({ type, email: skipper, options: { redirectTo } })
    expect(error).toBe(null)
    expect(data.user?.email).toBe(skipper)
    expect(data.properties).toEqual({
      action_link: `${backend.url}/auth/v1/verify?${new URLSearchParams({
        token: data.properties?.hashed_token ?? '',
        type,
        redirect_to: redirectTo,
      })}`,
      email_otp: expect.stringMatching(/^\d{6}$/),
      hashed_token: expect.stringMatching(/^[0-9a-f]{56}$/),
      verification_type: type,
      redirect_to: redirectTo,
    })
    expect(await follow(data.properties?.action_link)).toMatchObject({ page: redirectTo, hash: { type } })
    expect(backend.inbox.messages(skipper)).toEqual([])
  })

  test('of type signup creates an account with a password', async () => {
    const credentials = { email: newAddress(), password: 'a long password' }
    const { data } = await admin.generateLink({
      type: 'signup',
      ...credentials,
      options: { data: { berth: 9 } },
    })
    expect(data.user).toMatchObject({ email: credentials.email, user_metadata: { berth: 9 } })
    const { email_otp: token = '' } = data.properties ?? {}
    const asked = { email: credentials.email, token, type: 'signup' } as const
    expect((await client.auth.verifyOtp(asked)).error).toBe(null)
    expect((await client.auth.signInWithPassword(credentials)).error).toBe(null)
  })

  test('of type magiclink for an unknown address signs it up', async () => {
    const { data } = await admin.generateLink({ type: 'magiclink', email: newAddress() })
    expect(data.properties?.verification_type).toBe('signup')
    const { hashed_token: token_hash = '' } = data.properties ?? {}
    expect((await client.auth.verifyOtp({ token_hash, type: 'email' })).error).toBe(null)
  })

  test('of type invite invites without an email', async () => {
    const email = newAddress('guest')
    const { data } = await admin.generateLink({ type: 'invite', email })
    expect(data.user?.invited_at).toBe(new Date(clock.now()).toISOString())
    expect((await follow(data.properties?.action_link)).hash['type']).toBe('invite')
    expect(backend.inbox.messages(email)).toEqual([])
  })

  test('is available for both sides of an address change', async () => {
    const email = newAddress()
    await admin.createUser({ email, email_confirm: true })
    const newEmail = newAddress()
    const links = []
    for (const type of ['email_change_current', 'email_change_new'] as const) {
      const { data, error } = await admin.generateLink({ type, email, newEmail })
      expect(error).toBe(null)
      links.push(data.properties?.action_link)
    }
    expect((await follow(links[0])).hash).toHaveProperty('message')
    expect((await follow(links[1])).hash).toMatchObject({ type: 'email_change' })
    expect((await admin.listUsers()).data.users.filter(user => user.email === newEmail)).toHaveLength(1)
  })

  test.each([
    [{ type: 'recovery', email: 'nobody@harbour.test' }, 404, 'user_not_found'],
    [{ type: 'signup', email: 'nobody@harbour.test' }, 400, 'validation_failed'],
    [{ type: 'signup', email: skipper }, 422, 'email_exists'],
    [{ type: 'invite', email: skipper }, 422, 'email_exists'],
    [{ type: 'email_change_new', email: skipper, new_email: 'nonsense' }, 400, 'validation_failed'],
    [{ type: 'nonsense', email: skipper }, 400, 'validation_failed'],
    [{ type: 'magiclink', email: 'nonsense' }, 400, 'validation_failed'],
    [{ type: 'magiclink' }, 400, 'validation_failed'],
  ])('is rejected for %j', async (body, status, code) => {
    const answer = await post('admin/generate_link', body, backend.secretKey)
    expect(answer).toMatchObject({ status, body: { code } })
  })
})

test.each(['invite', 'admin/generate_link'])('%s requires a server key', async route => {
  const answer = await post(route, { type: 'magiclink', email: skipper }, backend.publishableKey)
  expect(answer).toMatchObject({ status: 403, body: { code: 'not_admin' } })
})

async function post(route: string, body: unknown, key: string): Promise<{ status: number; body: unknown }> {
  const response = await fetch(`${backend.url}/auth/v1/${route}`, {
    method: 'POST',
    headers: { apikey: key, 'x-supabase-api-version': '2024-01-01' },
    body: JSON.stringify(body),
  })
  return { status: response.status, body: await response.json() }
}
