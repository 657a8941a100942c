// The user's own account: reading, changing and leaving it; and converting anonymous users.
import { decodeJwt } from 'jose'
import { describe, expect, test } from 'vitest'
import { ask, bearer, refreshRaw, refusal, signInRaw } from '../../harness/auth.ts'
import { officialClient, startTestBackend } from '../../harness/backend.ts'
import { mailTo, movableClock, newAddress } from '../../harness/mail.ts'

const clock = movableClock()
const backend = await startTestBackend({
  clock,
  auth: { passwordRequirements: 'letters_digits', email: { securePasswordChange: true } },
})
const password = 'first-watch-1'

async function newcomer() {
  const client = officialClient(backend)
  const email = newAddress('crew')
  const { data, error } = await client.auth.signUp({
    email,
    password,
    options: { data: { rank: 'deckhand' } },
  })
  if (error) throw error
  const { session, user } = data
  if (!session || !user) throw new Error('The sign-up returned no session.')
  return { client, email, session, user }
}

describe('the user', () => {
  test('getUser, getSession and getClaims agree, and the metadata contains the identity data', async () => {
    const { client, email, session, user } = await newcomer()
    const at = new Date(clock.now()).toISOString()
    const metadata = { email, email_verified: true, phone_verified: false, rank: 'deckhand', sub: user.id }
    const identity = {
      identity_id: expect.any(String),
      id: user.id,
      user_id: user.id,
      identity_data: { ...metadata, email_verified: false },
      provider: 'email',
      last_sign_in_at: at,
      created_at: at,
      updated_at: at,
      email,
    }
    const expected = {
      id: user.id,
      aud: 'authenticated',
      role: 'authenticated',
      email,
      email_confirmed_at: at,
      phone: '',
      last_sign_in_at: at,
      app_metadata: { provider: 'email', providers: ['email'] },
      user_metadata: metadata,
      identities: [identity],
      created_at: at,
      updated_at: at,
      is_anonymous: false,
    }
    expect((await client.auth.getUser()).data.user).toEqual({ ...expected, confirmed_at: at })
    // The response of the sign-up has no `confirmed_at` yet.
    expect((await client.auth.getSession()).data.session?.user).toEqual({
      ...expected,
      identities: [{ ...identity, identity_data: metadata }],
    })
    const { data } = await client.auth.getClaims()
    expect([data?.header.alg, data?.claims]).toEqual(['ES256', decodeJwt(session.access_token)])
  })

  test('rejects a token of an ended session', async () => {
    const { client, session } = await newcomer()
    await client.auth.signOut()
    const answer = await ask(backend, 'GET', 'user', undefined, bearer(session))
    expect(refusal(answer)).toEqual([
      403,
      'session_not_found',
      'Session from session_id claim in JWT does not exist',
    ])
  })
})

describe('updateUser', () => {
  test('merges metadata; a null removes a key', async () => {
    const { client } = await newcomer()
    const { data } = await client.auth.updateUser({ data: { rank: null, watch: 'first' } })
    expect(data.user?.user_metadata).toEqual(
      expect.objectContaining({ watch: 'first', email_verified: true }),
    )
    expect(data.user?.user_metadata).not.toHaveProperty('rank')
  })

  test('a new password ends the other sessions and keeps this one', async () => {
    const { client, email, session } = await newcomer()
    const other = await signInRaw(backend, { email, password })
    expect((await client.auth.updateUser({ password: 'second-watch-2' })).error).toBeNull()
    expect((await refreshRaw(backend, other.refresh_token)).body['error_code']).toBe(
      'refresh_token_not_found',
    )
    expect((await refreshRaw(backend, session.refresh_token)).status).toBe(200)
    expect((await ask(backend, 'POST', 'token?grant_type=password', { email, password })).status).toBe(400)
    await signInRaw(backend, { email, password: 'second-watch-2' })
  })

  test.each([
    [{ password }, 422, 'same_password', 'New password should be different from the old password.'],
    [{ password: 'x1' }, 422, 'weak_password', 'Password should be at least 6 characters.'],
    [
      { email: 'skipper@harbour.test' },
      422,
      'email_exists',
      'A user with this email address has already been registered',
    ],
    [{ email: 'nothing' }, 400, 'validation_failed', 'Unable to validate email address: invalid format'],
    [
      { app_metadata: { role: 'admin' } },
      403,
      'not_admin',
      'Updating app_metadata requires admin privileges',
    ],
  ])('rejects %j', async (change, ...words) => {
    const { session } = await newcomer()
    expect(refusal(await ask(backend, 'PUT', 'user', change, bearer(session)))).toEqual(words)
  })

  test('rejects letters only if digits are required', async () => {
    const { client } = await newcomer()
    const { error } = await client.auth.updateUser({ password: 'letters-alone' })
    expect([error?.code, Reflect.get(Object(error), 'reasons')]).toEqual(['weak_password', ['characters']])
  })

  test('an old session needs a nonce for a new password', async () => {
    const { email } = await newcomer()
    const session = await signInRaw(backend, { email, password })
    clock.advance(24 * 3_600 + 1)
    const { refresh_token } = session
    const fresh = (await refreshRaw(backend, refresh_token)).body as unknown as typeof session
    const change = (body: object) => ask(backend, 'PUT', 'user', body, bearer(fresh))
    expect(refusal(await change({ password: 'third-watch-3' }))).toEqual([
      400,
      'reauthentication_needed',
      'Password update requires reauthentication',
    ])
    expect((await ask(backend, 'GET', 'reauthenticate', undefined, bearer(fresh))).status).toBe(200)
    const { otp } = mailTo(backend, email)
    expect((await change({ password, nonce: otp })).body['error_code']).toBe('same_password')
    expect((await change({ password: 'third-watch-3', nonce: otp })).status).toBe(200)
    expect((await change({ password: 'fourth-watch-4', nonce: otp })).body['error_code']).toBe(
      'reauthentication_not_valid',
    )
  })
})

describe('signOut', () => {
  const states = async (tokens: readonly string[]) =>
    Promise.all(tokens.map(async token => (await refreshRaw(backend, token)).status))

  test.each([
    ['global', [400, 400, 400]],
    ['local', [400, 200, 200]],
    ['others', [200, 400, 400]],
  ] as const)('%s', async (scope, expected) => {
    const { client, email, session } = await newcomer()
    const others = [
      await signInRaw(backend, { email, password }),
      await signInRaw(backend, { email, password }),
    ]
    expect((await client.auth.signOut({ scope })).error).toBeNull()
    const tokens = [session, ...others].map(({ refresh_token }) => refresh_token)
    expect(await states(tokens)).toEqual(expected)
  })

  test('returns 204 without a body and rejects an unknown scope', async () => {
    const { session } = await newcomer()
    const wrong = await ask(backend, 'POST', 'logout?scope=all', undefined, bearer(session))
    expect(refusal(wrong)).toEqual([400, 'validation_failed', 'Unsupported logout scope "all"'])
    expect((await ask(backend, 'POST', 'logout', undefined, bearer(session))).status).toBe(204)
  })
})

describe('signInAnonymously', () => {
  test('creates a user without an address, marked in the token', async () => {
    const client = officialClient(backend)
    const { data } = await client.auth.signInAnonymously({ options: { data: { rank: 'guest' } } })
    expect(data.user).toMatchObject({
      email: '',
      is_anonymous: true,
      identities: [],
      app_metadata: {},
      user_metadata: { rank: 'guest' },
    })
    expect(decodeJwt(data.session?.access_token ?? '')).toMatchObject({
      is_anonymous: true,
      role: 'authenticated',
      amr: [{ method: 'anonymous', timestamp: Math.floor(clock.now() / 1000) }],
    })
  })

  test('an address and a password make the user permanent with the same id', async () => {
    const client = officialClient(backend)
    const { data: before } = await client.auth.signInAnonymously()
    expect((await client.auth.updateUser({ password })).error?.code).toBe('validation_failed')
    const email = newAddress('guest')
    const { data, error } = await client.auth.updateUser({ email, password })
    expect([error, data.user?.is_anonymous, data.user?.email]).toEqual([null, false, email])
    expect(data.user?.app_metadata).toEqual({ provider: 'email', providers: ['email'] })
    const again = await officialClient(backend).auth.signInWithPassword({ email, password })
    expect(again.data.user?.id).toBe(before.user?.id)
  })
})
