// Multi-factor sign-in with an authenticator: enroll, verify, keep aal2, remove.
import type { SupabaseClient } from '@supabase/supabase-js'
import { TOTP } from 'otpauth'
import { describe, expect, test } from 'vitest'
import { officialClient, startTestBackend } from '../../harness/backend.ts'

const clock = { ahead: 0, now: () => Date.now() + clock.ahead }
const backend = await startTestBackend({ clock })
const admin = officialClient(backend, backend.secretKey)
let people = 0

/** A new user with a session; the rate limits are reset. */
const newcomer = async (client = officialClient(backend)) => {
  clock.ahead += 60_000
  const email = `mfa-${++people}@sea.test`
  const { data, error } = await client.auth.signUp({ email, password: 'harbour-demo' })
  if (error) throw error
  return { client, email, user: data.user }
}

const codeOf = (secret: string) => new TOTP({ secret }).generate({ timestamp: clock.now() })

const enrol = async (client: SupabaseClient, friendlyName = 'Phone') => {
  const { data, error } = await client.auth.mfa.enroll({ factorType: 'totp', friendlyName })
  if (error) throw error
  return data
}

/** A user whose session is at aal2. */
const proven = async () => {
  const person = await newcomer()
  const factor = await enrol(person.client)
  const { error } = await person.client.auth.mfa.challengeAndVerify({
    factorId: factor.id,
    code: codeOf(factor.totp.secret),
  })
  if (error) throw error
  return { ...person, factor }
}

const levels = async (client: SupabaseClient) => {
  const { data } = await client.auth.mfa.getAuthenticatorAssuranceLevel()
  return [data?.currentLevel, data?.nextLevel]
}

describe('enroll', () => {
  test('returns the data for an authenticator', async () => {
    const { client, email } = await newcomer()
    const { data, error } = await client.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'Phone' })
    expect(error).toBe(null)
    expect(data).toEqual({
      id: expect.any(String),
      type: 'totp',
      friendly_name: 'Phone',
      totp: {
        qr_code: expect.stringMatching(/^data:image\/svg\+xml;utf-8,<svg [^#%]+$/),
        secret: expect.stringMatching(/^[A-Z2-7]{32}$/),
        uri: expect.stringContaining(`:${email}?algorithm=SHA1&digits=6&issuer=`),
      },
    })
    expect(new URL(data?.totp.uri ?? '').searchParams.get('issuer')).toBe(new URL(backend.url).host)
    expect(await levels(client)).toEqual(['aal1', 'aal1'])
  })

  test('uses the given app name', async () => {
    const { client } = await newcomer()
    const { data } = await client.auth.mfa.enroll({ factorType: 'totp', issuer: 'Harbour & Sons' })
    expect(new URL(data?.totp.uri ?? '').searchParams.get('issuer')).toBe('Harbour & Sons')
  })
})

describe('challenge and verify', () => {
  test('raise the session to aal2 with new tokens', async () => {
    const { client, user } = await newcomer()
    const factor = await enrol(client)
    const challenge = await client.auth.mfa.challenge({ factorId: factor.id })
    expect(challenge.data).toEqual({ id: expect.any(String), type: 'totp', expires_at: expect.any(Number) })
    expect((challenge.data?.expires_at ?? 0) - clock.now() / 1000).toBeCloseTo(300, -1)
    const before = (await client.auth.getSession()).data.session
    const { data, error } = await client.auth.mfa.verify({
      factorId: factor.id,
      challengeId: challenge.data?.id ?? '',
      code: codeOf(factor.totp.secret),
    })
    expect(error).toBe(null)
    expect(data).toMatchObject({ token_type: 'bearer', expires_in: 3600, user: { id: user?.id } })
    expect(data?.refresh_token).not.toBe(before?.refresh_token)
    expect(await levels(client)).toEqual(['aal2', 'aal2'])
    const claims = (await client.auth.getClaims()).data?.claims
    expect(claims).toMatchObject({ aal: 'aal2', sub: user?.id })
    expect(claims?.amr).toEqual([
      { method: 'totp', timestamp: expect.any(Number) },
      { method: 'password', timestamp: expect.any(Number) },
    ])
    expect((await client.auth.mfa.listFactors()).data?.totp.map(({ id, status }) => [id, status])).toEqual([
      [factor.id, 'verified'],
    ])
  })

  test('the level persists across refreshes', async () => {
    const { client } = await proven()
    for (let n = 0; n < 2; n++) expect((await client.auth.refreshSession()).error).toBe(null)
    expect((await client.auth.getClaims()).data?.claims).toMatchObject({
      aal: 'aal2',
      amr: [{ method: 'totp' }, { method: 'password' }],
    })
  })

  test('the earlier refresh token never grants aal2, not even immediately', async () => {
    const { client } = await newcomer()
    const old = (await client.auth.getSession()).data.session?.refresh_token ?? ''
    const factor = await enrol(client)
    await client.auth.mfa.challengeAndVerify({ factorId: factor.id, code: codeOf(factor.totp.secret) })
    const { error } = await officialClient(backend).auth.refreshSession({ refresh_token: old })
    expect(error?.code).toBe('refresh_token_already_used')
  })

  test('the user’s other sessions at aal1 end, those at aal2 do not', async () => {
    const { email, factor, client: first } = await proven()
    const [second, third] = [officialClient(backend), officialClient(backend)]
    for (const client of [second, third])
      await client.auth.signInWithPassword({ email, password: 'harbour-demo' })
    expect(await levels(second)).toEqual(['aal1', 'aal2'])
    const { error } = await second.auth.mfa.challengeAndVerify({
      factorId: factor.id,
      code: codeOf(factor.totp.secret),
    })
    expect(error).toBe(null)
    const codes = await Promise.all(
      [first, second, third].map(async ({ auth }) => (await auth.getUser()).error?.name),
    )
    expect(codes).toEqual([undefined, undefined, 'AuthSessionMissingError'])
  })

  test('deletes other unverified factors', async () => {
    const { client } = await newcomer()
    const [kept] = [await enrol(client, 'Kept'), await enrol(client, 'Begun')]
    await client.auth.mfa.challengeAndVerify({ factorId: kept.id, code: codeOf(kept.totp.secret) })
    expect((await client.auth.mfa.listFactors()).data?.all.map(factor => factor.friendly_name)).toEqual([
      'Kept',
    ])
  })
})

describe('unenroll', () => {
  test('an unverified factor can be removed at once', async () => {
    const { client } = await newcomer()
    const { id } = await enrol(client)
    expect(await client.auth.mfa.unenroll({ factorId: id })).toEqual({ data: { id }, error: null })
    expect((await client.auth.mfa.listFactors()).data?.all).toEqual([])
  })

  test('a verified factor requires aal2, and removing it ends aal2 at the next refresh', async () => {
    const { client, email, factor } = await proven()
    const weak = officialClient(backend)
    await weak.auth.signInWithPassword({ email, password: 'harbour-demo' })
    expect((await weak.auth.mfa.unenroll({ factorId: factor.id })).error).toMatchObject({
      status: 422,
      code: 'insufficient_aal',
      message: 'AAL2 required to unenroll verified factor',
    })
    expect((await client.auth.mfa.unenroll({ factorId: factor.id })).data).toEqual({ id: factor.id })
    await client.auth.refreshSession()
    expect((await client.auth.getClaims()).data?.claims).toMatchObject({
      aal: 'aal1',
      amr: [{ method: 'password' }],
    })
  })
})

test('the secret is returned once and never again', async () => {
  const { client, user } = await newcomer()
  const { totp } = await enrol(client)
  const reported = [
    await admin.auth.admin.mfa.listFactors({ userId: user?.id ?? '' }),
    await admin.auth.admin.getUserById(user?.id ?? ''),
    await client.auth.getUser(),
    await client.auth.mfa.listFactors(),
  ]
  expect(JSON.stringify(reported)).toContain('"unverified"')
  expect(JSON.stringify(reported)).not.toContain(totp.secret)
})

test('the audit log has the actions without secrets', async () => {
  const { factor, user } = await proven()
  const response = await fetch(`${backend.url}/auth/v1/admin/audit?per_page=4`, {
    headers: { apikey: backend.secretKey },
  })
  const entries = (await response.json()) as { payload: Record<string, unknown> }[]
  expect(entries.map(({ payload }) => [payload['action'], payload['actor_id'], payload['log_type']])).toEqual(
    expect.arrayContaining([
      ['factor_in_progress', user?.id, 'factor'],
      ['challenge_created', user?.id, 'factor'],
      ['verification_attempted', user?.id, 'factor'],
    ]),
  )
  expect(JSON.stringify(entries)).not.toContain(factor.totp.secret)
})

describe('admin.mfa', () => {
  test('lists the factors of a user', async () => {
    const { user, factor } = await proven()
    expect((await admin.auth.admin.mfa.listFactors({ userId: user?.id ?? '' })).data).toEqual({
      factors: [
        {
          id: factor.id,
          friendly_name: 'Phone',
          factor_type: 'totp',
          status: 'verified',
          created_at: expect.any(String),
          updated_at: expect.any(String),
          phone: '',
          last_challenged_at: expect.any(String),
        },
      ],
    })
  })

  test('deletes a factor, which ends aal2 in the user’s sessions', async () => {
    const { client, user, factor } = await proven()
    const answer = await admin.auth.admin.mfa.deleteFactor({ userId: user?.id ?? '', id: factor.id })
    // The client wraps the response in one more `data` than its types say.
    expect(answer).toMatchObject({ data: { data: { id: factor.id } }, error: null })
    await client.auth.refreshSession()
    expect(await levels(client)).toEqual(['aal1', 'aal1'])
  })
})
