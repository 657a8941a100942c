// Passkeys: registration, sign-in, management, and every answer that must be refused.
import { createClient, isAuthApiError } from '@supabase/supabase-js'
import { describe, expect, test } from 'vitest'
import { ask, bearer, refusal } from '../../harness/auth.ts'
import { Authenticator, type Flaws, type KeyKind } from '../../harness/authenticator.ts'
import { startTestBackend } from '../../harness/backend.ts'
import { movableClock } from '../../harness/mail.ts'

const ORIGIN = 'https://app.harbour.test'
const clock = movableClock()
const backend = await startTestBackend({
  clock,
  auth: {
    passkey: { enabled: true },
    webauthn: { rpDisplayName: 'Harbour', rpId: 'harbour.test', rpOrigins: [ORIGIN] },
    rateLimit: { passkey: 60 },
  },
})
const UNKNOWN = '00000000-0000-4000-8000-000000000000'
let people = 0

const newClient = (key = backend.publishableKey) =>
  createClient(backend.url, key, {
    auth: { persistSession: false, autoRefreshToken: false, experimental: { passkey: true } },
  }).auth
const admin = newClient(backend.secretKey).admin

/** A new user with a session. */
const newcomer = async () => {
  const auth = newClient()
  const email = `passkey-${++people}@sea.test`
  const { data, error } = await auth.signUp({
    email,
    password: 'harbour-demo',
    options: { data: { name: 'Ida' } },
  })
  if (error || !data.user || !data.session) throw error ?? new Error('There is no session')
  return { auth, email, user: data.user, session: data.session }
}

type Auth = ReturnType<typeof newClient>

const register = async (auth: Auth, key: Authenticator, flaws: Flaws = {}) => {
  const { data, error } = await auth.passkey.startRegistration()
  if (error) throw error
  const credential = key.create(data.options, flaws)
  // The client's types name more fields than the server reads.
  return auth.passkey.verifyRegistration({ challengeId: data.challenge_id, credential: credential as never })
}

const signIn = async (key: Authenticator, flaws: Flaws = {}) => {
  const auth = newClient()
  const { data, error } = await auth.passkey.startAuthentication()
  if (error) throw error
  const credential = key.get(data.options, flaws)
  return auth.passkey.verifyAuthentication({
    challengeId: data.challenge_id,
    credential: credential as never,
  })
}

/** A user with a registered passkey. */
const holder = async (kind?: KeyKind) => {
  const person = await newcomer()
  const key = new Authenticator(ORIGIN, kind)
  const { data, error } = await register(person.auth, key)
  if (error) throw error
  return { ...person, key, passkey: data }
}

const codeOf = ({ error }: { readonly error: { readonly code?: unknown } | null }) => error?.code

const refused = ({ error }: { readonly error: unknown }) =>
  isAuthApiError(error) ? [error.status, error.code, error.message] : error

describe('registration', () => {
  test('offers a discoverable credential for the relying party', async () => {
    const { auth, user, email } = await newcomer()
    const { data } = await auth.passkey.startRegistration()
    expect(data?.options).toEqual({
      rp: { name: 'Harbour', id: 'harbour.test' },
      user: { name: email, displayName: 'Ida', id: Buffer.from(user.id).toString('base64url') },
      challenge: expect.stringMatching(/^[\w-]{43}$/),
      pubKeyCredParams: [-7, -35, -36, -257, -258, -259, -37, -38, -39, -8].map(alg => ({
        type: 'public-key',
        alg,
      })),
      timeout: 300_000,
      authenticatorSelection: { residentKey: 'required', userVerification: 'preferred' },
      attestation: 'none',
    })
    expect(data?.expires_at).toBe(Math.floor(clock.now() / 1000) + 300)
  })

  test.for(['ES256', 'EdDSA', 'RS256'] as const)(
    'accepts a key of the algorithm %s, and its sign-in',
    async kind => {
      const { key, passkey, user } = await holder(kind)
      expect(passkey).toEqual({
        id: expect.any(String),
        friendly_name: 'Passkey',
        created_at: expect.any(String),
      })
      const { data, error } = await signIn(key)
      expect([error, data?.user?.id]).toEqual([null, user.id])
    },
  )

  test('accepts an attestation by the credential itself, and refuses a wrong one', async () => {
    const { auth } = await newcomer()
    expect(codeOf(await register(auth, new Authenticator(ORIGIN), { attestation: 'self' }))).toBe(undefined)
    const forged = await register(auth, new Authenticator(ORIGIN), { attestation: 'self', forged: true })
    expect(codeOf(forged)).toBe('webauthn_verification_failed')
  })

  test.for<[string, Flaws]>([
    ['another origin', { origin: 'https://evil.test' }],
    ['another port of the origin', { origin: `${ORIGIN}:8443` }],
    ['another relying party', { rpId: 'evil.test' }],
    ['another ceremony', { type: 'webauthn.get' }],
    ['another challenge', { challenge: 'AAAA' }],
    ['an absent user', { flags: 0 }],
    ['a backup of what cannot be backed up', { flags: 0x15 }],
  ])('refuses %s', async ([, flaws]) => {
    const { auth } = await newcomer()
    const answer = await register(auth, new Authenticator(ORIGIN), flaws)
    expect(refused(answer)).toEqual([400, 'webauthn_verification_failed', 'Credential verification failed'])
    expect((await auth.passkey.list()).data).toEqual([])
  })

  test('takes a challenge once, from its user, within five minutes', async () => {
    const { auth } = await newcomer()
    const { auth: other } = await newcomer()
    const key = new Authenticator(ORIGIN)
    const { data } = await auth.passkey.startRegistration()
    if (!data) throw new Error('There are no options')
    const answer = { challengeId: data.challenge_id, credential: key.create(data.options) as never }
    expect(codeOf(await other.passkey.verifyRegistration(answer))).toBe('webauthn_challenge_not_found')
    expect(codeOf(await auth.passkey.verifyRegistration(answer))).toBe(undefined)
    expect(codeOf(await auth.passkey.verifyRegistration(answer))).toBe('webauthn_challenge_not_found')

    const late = await auth.passkey.startRegistration()
    clock.advance(301)
    const expired = await auth.passkey.verifyRegistration({
      challengeId: late.data?.challenge_id ?? '',
      credential: answer.credential,
    })
    expect(codeOf(expired)).toBe('webauthn_challenge_expired')
  })

  test('excludes registered credentials, and refuses them for any user', async () => {
    const { auth, key } = await holder()
    const { data } = await auth.passkey.startRegistration()
    expect(data?.options.excludeCredentials).toEqual([
      { type: 'public-key', id: key.id.toString('base64url') },
    ])
    const { auth: other } = await newcomer()
    expect(codeOf(await register(other, key))).toBe('webauthn_credential_exists')
  })

  test('allows ten passkeys', async () => {
    const { auth } = await newcomer()
    const late = await auth.passkey.startRegistration()
    for (let count = 0; count < 10; count++)
      expect(codeOf(await register(auth, new Authenticator(ORIGIN)))).toBe(undefined)
    expect(codeOf(await auth.passkey.startRegistration())).toBe('too_many_passkeys')
    if (!late.data) throw new Error('There are no options')
    const credential = new Authenticator(ORIGIN).create(late.data.options) as never
    const answer = await auth.passkey.verifyRegistration({ challengeId: late.data.challenge_id, credential })
    expect(codeOf(answer)).toBe('too_many_passkeys')
  })

  test.for<[string, unknown, string, string]>([
    ['no challenge', { credential: {} }, 'validation_failed', 'challenge_id is required'],
    ['no credential', { challenge_id: UNKNOWN }, 'validation_failed', 'credential is required'],
    [
      'no UUID',
      { challenge_id: 'x', credential: {} },
      'validation_failed',
      'challenge_id must be a valid UUID',
    ],
  ])('refuses a body with %s', async ([, body, code, message]) => {
    const { session } = await newcomer()
    const answer = await ask(backend, 'POST', 'passkeys/registration/verify', body, bearer(session))
    expect(refusal(answer)).toEqual([400, code, message])
  })

  test.for<[string, unknown]>([
    ['nothing', {}],
    ['another type', { id: 'AA', rawId: 'AA', type: 'password', response: {} }],
    ['text that is no base64url', { id: '!', rawId: '!', type: 'public-key', response: {} }],
    ['an endless attestation', attestation(Buffer.from([0xbf]))],
    ['a huge count', attestation(Buffer.from([0xba, 0xff, 0xff, 0xff, 0xff]))],
    ['deep nesting', attestation(Buffer.alloc(10_000, 0x81))],
  ])('refuses %s as a credential', async ([, credential]) => {
    const { session, auth } = await newcomer()
    const { data } = await auth.passkey.startRegistration()
    const body = { challenge_id: data?.challenge_id, credential }
    const answer = await ask(backend, 'POST', 'passkeys/registration/verify', body, bearer(session))
    expect(refusal(answer)).toEqual([400, 'webauthn_verification_failed', 'Invalid credential response'])
  })

  test('requires a permanent user', async () => {
    const auth = newClient()
    await auth.signInAnonymously()
    expect(codeOf(await auth.passkey.startRegistration())).toBe('no_authorization')
    expect((await ask(backend, 'POST', 'passkeys/registration/options', {})).status).toBe(401)
  })
})

function attestation(bytes: Buffer) {
  const response = { attestationObject: bytes.toString('base64url'), clientDataJSON: 'e30' }
  return { id: 'AAAA', rawId: 'AAAA', type: 'public-key', response }
}

describe('sign-in', () => {
  test('opens a session that names its method', async () => {
    const { key, auth, user } = await holder()
    const { data } = await newClient().passkey.startAuthentication()
    expect(data?.options).toEqual({
      challenge: expect.any(String),
      timeout: 300_000,
      rpId: 'harbour.test',
      userVerification: 'preferred',
    })
    const signedIn = await signIn(key)
    expect(signedIn.data).toMatchObject({ user: { id: user.id }, session: { token_type: 'bearer' } })
    const claims = await newClient().getClaims(signedIn.data?.session?.access_token)
    expect(claims.data?.claims).toMatchObject({ aal: 'aal1', amr: [{ method: 'passkey' }] })
    const [listed] = (await auth.passkey.list()).data ?? []
    expect(listed?.last_used_at).toEqual(expect.any(String))
  })

  test.for<[string, Flaws]>([
    ['another origin', { origin: 'https://evil.test' }],
    ['another relying party', { rpId: 'evil.test' }],
    ['another ceremony', { type: 'webauthn.create' }],
    ['another challenge', { challenge: 'AAAA' }],
    ['the signature of another key', { forged: true }],
    ['a damaged signature', { damaged: true }],
    ['an absent user', { flags: 0x04 }],
    ['a credential that became a backup', { flags: 0x1d }],
    ['no user', { userHandle: '' }],
    ['an unknown user', { userHandle: UNKNOWN }],
    ['a user that is no UUID', { userHandle: "' or true --" }],
  ])('refuses %s', async ([, flaws]) => {
    const { key } = await holder()
    const answer = await signIn(key, flaws)
    expect(refused(answer)).toEqual([400, 'webauthn_verification_failed', 'Credential verification failed'])
    expect(codeOf(await signIn(key))).toBe(undefined)
  })

  test('refuses the passkey of another user, named by the handle', async () => {
    const { key } = await holder()
    const { user } = await holder()
    expect(codeOf(await signIn(key, { userHandle: user.id }))).toBe('webauthn_verification_failed')
  })

  test('takes a challenge once, also after a wrong answer, and within five minutes', async () => {
    const { key } = await holder()
    const auth = newClient()
    const start = async () => {
      const { data } = await auth.passkey.startAuthentication()
      if (!data) throw new Error('There are no options')
      return data
    }
    const first = await start()
    const answer = { challengeId: first.challenge_id, credential: key.get(first.options) as never }
    expect(codeOf(await auth.passkey.verifyAuthentication(answer))).toBe(undefined)
    expect(codeOf(await auth.passkey.verifyAuthentication(answer))).toBe('webauthn_challenge_not_found')

    const second = await start()
    const wrong = key.get(second.options, { damaged: true }) as never
    await auth.passkey.verifyAuthentication({ challengeId: second.challenge_id, credential: wrong })
    const right = { challengeId: second.challenge_id, credential: key.get(second.options) as never }
    expect(codeOf(await auth.passkey.verifyAuthentication(right))).toBe('webauthn_challenge_not_found')

    const third = await start()
    clock.advance(301)
    const late = { challengeId: third.challenge_id, credential: key.get(third.options) as never }
    expect(codeOf(await auth.passkey.verifyAuthentication(late))).toBe('webauthn_challenge_expired')
  })

  test('a registration challenge opens no session', async () => {
    const { key, auth } = await holder()
    const { data } = await auth.passkey.startRegistration()
    const credential = key.get({ challenge: data?.options.challenge ?? '', rpId: 'harbour.test' }) as never
    const answer = await newClient().passkey.verifyAuthentication({
      challengeId: data?.challenge_id ?? '',
      credential,
    })
    expect(codeOf(answer)).toBe('webauthn_challenge_not_found')
  })

  test('accepts a counter that does not grow, as the official server does', async () => {
    const { key } = await holder()
    expect(codeOf(await signIn(key, { signCount: 9 }))).toBe(undefined)
    expect(codeOf(await signIn(key, { signCount: 3 }))).toBe(undefined)
  })

  test('refuses a banned user', async () => {
    const { key, user } = await holder()
    await admin.updateUserById(user.id, { ban_duration: '1h' })
    const answer = await signIn(key)
    expect(refused(answer)).toEqual([403, 'user_banned', 'User is banned'])
  })

  test('starts are limited', async () => {
    clock.advance(3_600)
    const codes = []
    for (let count = 0; count < 31; count++)
      codes.push(codeOf(await newClient().passkey.startAuthentication()))
    expect(codes.filter(code => code === 'over_request_rate_limit').length).toBe(1)
    clock.advance(3_600)
  })
})

describe('management', () => {
  test('renames and deletes, for the owner only', async () => {
    const { auth, passkey, key } = await holder()
    const { auth: other } = await newcomer()
    const rename = { passkeyId: passkey.id, friendlyName: 'Phone' }
    expect((await other.passkey.update(rename)).error?.status).toBe(404)
    expect((await other.passkey.delete({ passkeyId: passkey.id })).error?.status).toBe(404)
    expect((await auth.passkey.update(rename)).data).toMatchObject({ id: passkey.id, friendly_name: 'Phone' })
    expect((await auth.passkey.list()).data).toMatchObject([{ id: passkey.id, friendly_name: 'Phone' }])
    expect((await auth.passkey.delete({ passkeyId: passkey.id })).error).toBe(null)
    expect((await auth.passkey.list()).data).toEqual([])
    expect(codeOf(await signIn(key))).toBe('webauthn_verification_failed')
  })

  test.for([
    ['', 'friendly_name is required'],
    ['é'.repeat(61), 'friendly_name must be 120 characters or less'],
  ])('refuses the name %j', async ([name, message]) => {
    const { session, passkey } = await holder()
    const answer = await ask(
      backend,
      'PATCH',
      `passkeys/${passkey.id}`,
      { friendly_name: name },
      bearer(session),
    )
    expect(refusal(answer)).toEqual([400, 'validation_failed', message])
  })

  test('requires the second factor of users that have one', async () => {
    const { auth, email, passkey } = await holder()
    const { data: factor } = await auth.mfa.enroll({ factorType: 'totp' })
    const { TOTP } = await import('otpauth')
    const secret = factor?.totp.secret ?? ''
    const code = new TOTP({ secret }).generate({ timestamp: clock.now() })
    const proven = await auth.mfa.challengeAndVerify({ factorId: factor?.id ?? '', code })
    expect(proven.error).toBe(null)
    const low = newClient()
    await low.signInWithPassword({ email, password: 'harbour-demo' })
    expect(codeOf(await low.passkey.startRegistration())).toBe('insufficient_aal')
    expect(codeOf(await low.passkey.delete({ passkeyId: passkey.id }))).toBe('insufficient_aal')
    expect(codeOf(await auth.passkey.startRegistration())).toBe(undefined)
    expect((await auth.passkey.delete({ passkeyId: passkey.id })).error).toBe(null)
  })

  test('servers list and delete the passkeys of a user', async () => {
    const { user, passkey } = await holder()
    expect((await admin.passkey.listPasskeys({ userId: user.id })).data).toMatchObject([{ id: passkey.id }])
    const { user: other } = await newcomer()
    const wrong = await admin.passkey.deletePasskey({ userId: other.id, passkeyId: passkey.id })
    expect(wrong.error?.status).toBe(404)
    expect((await admin.passkey.deletePasskey({ userId: user.id, passkeyId: passkey.id })).error).toBe(null)
    expect((await admin.passkey.listPasskeys({ userId: user.id })).data).toEqual([])
    expect(codeOf(await newClient().admin.passkey.listPasskeys({ userId: user.id }))).toBe('not_admin')
  })
})

test('the settings say that passkeys are enabled', async () => {
  expect((await ask(backend, 'GET', 'settings')).body['passkeys_enabled']).toBe(true)
})

test('a deleted user leaves no passkey', async () => {
  const { user, key } = await holder()
  await admin.deleteUser(user.id)
  expect(codeOf(await signIn(key))).toBe('webauthn_verification_failed')
})
