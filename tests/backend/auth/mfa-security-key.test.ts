// Security keys (WebAuthn) as second factors: enroll, verify, sign in again, and every answer that must be refused.
import type { SupabaseClient } from '@supabase/supabase-js'
import { describe, expect, test } from 'vitest'
import { ask, bearer, refusal, type Answer } from '../../harness/auth.ts'
import { Authenticator, type Flaws } from '../../harness/authenticator.ts'
import { officialClient, startTestBackend } from '../../harness/backend.ts'

const ORIGIN = 'http://localhost:5173'
const clock = { ahead: 0, now: () => Date.now() + clock.ahead }
const backend = await startTestBackend({
  clock,
  auth: {
    mfa: { webAuthn: { enrollEnabled: true, verifyEnabled: true } },
    webauthn: { rpDisplayName: 'Harbour', rpId: 'localhost', rpOrigins: [ORIGIN] },
  },
})
const enrollOnly = await startTestBackend({ auth: { mfa: { webAuthn: { enrollEnabled: true } } } })
let people = 0

const newcomer = async () => {
  clock.ahead += 60_000
  const client = officialClient(backend)
  const email = `key-${++people}@sea.test`
  const { data, error } = await client.auth.signUp({ email, password: 'harbour-demo' })
  if (error || !data.user) throw error ?? new Error('There is no user')
  return { client, email, user: data.user }
}

const send = async (client: SupabaseClient, path: string, body: unknown) => {
  const { session } = (await client.auth.getSession()).data
  return ask(backend, 'POST', `factors/${path}`, body, session ? bearer(session) : {})
}

const enroll = async (client: SupabaseClient, name = 'Key') => {
  const { data, error } = await client.auth.mfa.enroll({ factorType: 'webauthn', friendlyName: name })
  if (error) throw error
  return data.id
}

interface Challenge {
  readonly id: string
  readonly type: 'create' | 'request'
  readonly options: {
    readonly challenge: string
    readonly rp: { readonly id: string }
    readonly rpId: string
    readonly user: { readonly id: string }
  }
}

const challengeOf = async (client: SupabaseClient, factor: string): Promise<Challenge> => {
  const { body } = await send(client, `${factor}/challenge`, {})
  const webauthn = body['webauthn'] as {
    type: 'create' | 'request'
    credential_options: { publicKey: Challenge['options'] }
  }
  return { id: String(body['id']), type: webauthn.type, options: webauthn.credential_options.publicKey }
}

const answerWith = (key: Authenticator, { type, options }: Challenge, flaws: Flaws = {}) => ({
  type,
  credential_response: type === 'create' ? key.create(options, flaws) : key.get(options, flaws),
})

/** Answers a new challenge, and keeps the session of the client up to date. */
const prove = async (client: SupabaseClient, factor: string, key: Authenticator, flaws?: Flaws) => {
  const challenge = await challengeOf(client, factor)
  const webauthn = answerWith(key, challenge, flaws)
  return adopt(client, await send(client, `${factor}/verify`, { challenge_id: challenge.id, webauthn }))
}

const adopt = async (client: SupabaseClient, answer: Answer) => {
  const { access_token, refresh_token } = answer.body
  if (answer.status === 200)
    await client.auth.setSession({
      access_token: String(access_token),
      refresh_token: String(refresh_token),
    })
  return answer
}

/** A user with a verified security key, whose session is at aal2. */
const proven = async () => {
  const person = await newcomer()
  const key = new Authenticator(ORIGIN)
  const factor = await enroll(person.client)
  const { status } = await prove(person.client, factor, key)
  if (status !== 200) throw new Error(`The key was refused with ${status}`)
  return { ...person, key, factor }
}

const levels = async (client: SupabaseClient) => {
  const { data } = await client.auth.mfa.getAuthenticatorAssuranceLevel()
  return [data?.currentLevel, data?.nextLevel]
}

test('a key without a name has an empty one, as the original answers', async () => {
  const { client } = await newcomer()
  const { data } = await client.auth.mfa.enroll({ factorType: 'webauthn' })
  expect(data).toEqual({ id: expect.any(String), type: 'webauthn', friendly_name: '' })
})

test('a key is enrolled, and its first use raises the session', async () => {
  const { client, email, user } = await newcomer()
  const { data } = await client.auth.mfa.enroll({ factorType: 'webauthn', friendlyName: 'Key' })
  expect(data).toEqual({ id: expect.any(String), type: 'webauthn', friendly_name: 'Key' })
  const factor = data?.id ?? ''
  const { body } = await send(client, `${factor}/challenge`, {})
  expect(body).toEqual({
    id: expect.any(String),
    type: 'webauthn',
    expires_at: expect.any(Number),
    webauthn: {
      type: 'create',
      credential_options: {
        publicKey: {
          rp: { name: 'Harbour', id: 'localhost' },
          user: { name: email, displayName: email, id: Buffer.from(user.id).toString('base64url') },
          challenge: expect.any(String),
          pubKeyCredParams: expect.arrayContaining([{ type: 'public-key', alg: -7 }]),
          timeout: 300_000,
          authenticatorSelection: {},
        },
      },
    },
  })
  expect(await levels(client)).toEqual(['aal1', 'aal1'])
  const answer = await prove(client, factor, new Authenticator(ORIGIN))
  expect(answer.body).toMatchObject({ token_type: 'bearer', user: { id: user.id } })
  expect(await levels(client)).toEqual(['aal2', 'aal2'])
  const { data: claims } = await client.auth.getClaims()
  expect(claims?.claims.amr).toMatchObject([{ method: 'mfa/webauthn' }, { method: 'password' }])
  expect((await client.auth.mfa.listFactors()).data?.webauthn.map(({ id, status }) => [id, status])).toEqual([
    [factor, 'verified'],
  ])
})

test('a later sign-in needs a signature of the key', async () => {
  const { email, key, factor } = await proven()
  const client = officialClient(backend)
  await client.auth.signInWithPassword({ email, password: 'harbour-demo' })
  expect(await levels(client)).toEqual(['aal1', 'aal2'])
  const { type, options } = await challengeOf(client, factor)
  expect([type, options]).toEqual([
    'request',
    {
      challenge: expect.any(String),
      timeout: 300_000,
      rpId: 'localhost',
      allowCredentials: [{ type: 'public-key', id: key.id.toString('base64url'), transports: ['usb'] }],
    },
  ])
  expect((await prove(client, factor, key)).status).toBe(200)
  expect(await levels(client)).toEqual(['aal2', 'aal2'])
  expect((await client.auth.refreshSession()).error).toBe(null)
  expect(await levels(client)).toEqual(['aal2', 'aal2'])
})

test('a removed key lowers the session', async () => {
  const { client, factor } = await proven()
  expect((await client.auth.mfa.unenroll({ factorId: factor })).error).toBe(null)
  await client.auth.refreshSession()
  expect(await levels(client)).toEqual(['aal1', 'aal1'])
})

describe('an answer is refused', () => {
  test.for<[string, Flaws]>([
    ['another origin', { origin: 'http://localhost:5174' }],
    ['another relying party', { rpId: 'evil.test' }],
    ['another challenge', { challenge: 'AAAA' }],
    ['an absent user', { flags: 0 }],
    ['another user', { userHandle: '00000000-0000-4000-8000-000000000000' }],
    ['the signature of another key', { forged: true }],
    ['a damaged signature', { damaged: true }],
  ])('from a known key with %s', async ([, flaws]) => {
    const { email, key, factor } = await proven()
    const client = officialClient(backend)
    await client.auth.signInWithPassword({ email, password: 'harbour-demo' })
    expect(refusal(await prove(client, factor, key, flaws))).toEqual([
      500,
      'unexpected_failure',
      'Failed to validate WebAuthn MFA response',
    ])
    expect(await levels(client)).toEqual(['aal1', 'aal2'])
  })

  test.for<[string, Flaws]>([
    ['another origin', { origin: 'https://evil.test' }],
    ['another ceremony', { type: 'webauthn.get' }],
    ['an absent user', { flags: 0 }],
  ])('from a new key with %s', async ([, flaws]) => {
    const { client } = await newcomer()
    const factor = await enroll(client)
    expect((await prove(client, factor, new Authenticator(ORIGIN), flaws)).status).toBe(500)
    expect(await levels(client)).toEqual(['aal1', 'aal1'])
  })

  test('that registers another key for a verified factor', async () => {
    const { email, factor } = await proven()
    const client = officialClient(backend)
    await client.auth.signInWithPassword({ email, password: 'harbour-demo' })
    const { id, options } = await challengeOf(client, factor)
    const user = { id: Buffer.from((await client.auth.getUser()).data.user?.id ?? '').toString('base64url') }
    const wanted = { ...options, rp: { id: 'localhost' }, user }
    const webauthn = answerWith(new Authenticator(ORIGIN), { id, type: 'create', options: wanted })
    const answer = await send(client, `${factor}/verify`, { challenge_id: id, webauthn })
    expect([answer.status, await levels(client)]).toEqual([500, ['aal1', 'aal2']])
  })

  test('the second time', async () => {
    const { client, factor, key } = await proven()
    const challenge = await challengeOf(client, factor)
    const body = { challenge_id: challenge.id, webauthn: answerWith(key, challenge) }
    expect((await adopt(client, await send(client, `${factor}/verify`, body))).status).toBe(200)
    expect((await send(client, `${factor}/verify`, body)).body['error_code']).toBe('mfa_factor_not_found')
  })

  test('after five minutes', async () => {
    const { client, factor, key } = await proven()
    const challenge = await challengeOf(client, factor)
    clock.ahead += 301_000
    const body = { challenge_id: challenge.id, webauthn: answerWith(key, challenge) }
    expect((await send(client, `${factor}/verify`, body)).body['error_code']).toBe('mfa_challenge_expired')
  })

  test.for<[object, string]>([
    [{}, 'WebAuthn config required'],
    [{ code: '123456' }, 'WebAuthn config required'],
    [{ webauthn: { type: 'sign' } }, 'WebAuthn type must be create or request'],
    [{ webauthn: { type: 'request' } }, 'credential_response required'],
    [{ webauthn: { type: 'request', credential_response: { type: 'x' } } }, 'Invalid credential_response'],
  ])('with the body %j', async ([fields, message]) => {
    const { client, factor } = await proven()
    const { id } = await challengeOf(client, factor)
    const answer = await send(client, `${factor}/verify`, { challenge_id: id, ...fields })
    expect(refusal(answer)).toEqual([400, 'validation_failed', message])
  })
})

test('with verification off, a key can be enrolled only', async () => {
  const client = officialClient(enrollOnly)
  await client.auth.signUp({ email: 'key@sea.test', password: 'harbour-demo' })
  const { data } = await client.auth.mfa.enroll({ factorType: 'webauthn', friendlyName: 'Key' })
  const { session } = (await client.auth.getSession()).data
  const path = `factors/${data?.id}/challenge`
  const answer = await ask(enrollOnly, 'POST', path, {}, session ? bearer(session) : {})
  expect(refusal(answer)).toEqual([
    422,
    'mfa_webauthn_verify_not_enabled',
    'MFA verification is disabled for WebAuthn',
  ])
})
