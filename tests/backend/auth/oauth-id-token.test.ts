// Signing in with an ID token that the provider gave straight to the app.
import { createHash } from 'node:crypto'
import { generateKeyPair, SignJWT } from 'jose'
import { describe, expect, test } from 'vitest'
import { officialClient, startTestBackend } from '../../harness/backend.ts'
import { signInAt, type Choice } from '../../harness/provider.ts'

const clock = { ahead: 0, now: () => Date.now() + clock.ahead }
const backend = await startTestBackend({
  clock,
  auth: { external: { google: { enabled: true }, apple: { enabled: true }, azure: { enabled: false } } },
})

/** What a provider's own button gives an app. */
const tokensOf = async (provider: string, choice: Choice, nonce?: string) => {
  const query = new URLSearchParams({
    client_id: 'chartroom',
    response_type: 'id_token',
    redirect_uri: 'http://localhost:3000/',
    ...(nonce ? { nonce: createHash('sha256').update(nonce).digest('hex') } : {}),
  })
  const { hash } = await signInAt(`${backend.url}/_chartroom/oauth/${provider}?${query}`, choice)
  return { token: hash['id_token'] ?? '', access_token: hash['access_token'] ?? '' }
}

const post = async (body: Record<string, unknown>, headers: Record<string, string> = {}) => {
  const response = await fetch(`${backend.url}/auth/v1/token?grant_type=id_token`, {
    method: 'POST',
    headers: { apikey: backend.publishableKey, ...headers },
    body: JSON.stringify(body),
  })
  return [response.status, await response.json()]
}

const oauth = (error: string, error_description: string) => [400, { error, error_description }]
const refused = (error_code: string, msg: string) => [400, { code: 400, error_code, msg }]

describe('signInWithIdToken', () => {
  test('with nonce and access token', async () => {
    const { auth } = officialClient(backend)
    const given = await tokensOf('google', { email: 'id@sea.test', name: 'Ida' }, 'a nonce')
    const { data, error } = await auth.signInWithIdToken({ provider: 'google', nonce: 'a nonce', ...given })
    expect(error).toBe(null)
    expect(data.user).toMatchObject({
      email: 'id@sea.test',
      app_metadata: { provider: 'google', providers: ['google'] },
      identities: [{ provider: 'google', identity_data: { full_name: 'Ida', email_verified: true } }],
    })
    expect((await auth.getClaims()).data?.claims.amr).toMatchObject([{ method: 'oauth' }])
  })

  test('without either, and as the same person as by redirect', async () => {
    const { auth } = officialClient(backend)
    const { token } = await tokensOf('google', { email: 'both@sea.test' })
    const { data } = await auth.signInWithIdToken({ provider: 'google', token })
    const { hash } = await signInAt(`${backend.url}/auth/v1/authorize?provider=google`, {
      email: 'both@sea.test',
    })
    expect((await auth.getUser(hash['access_token'])).data.user?.id).toBe(data.user?.id)
  })

  test('of a provider named by its issuer', async () => {
    const { token } = await tokensOf('google', { email: 'iss@sea.test' })
    const issuer = `${backend.url}/_chartroom/oauth/google`
    expect(await post({ id_token: token, issuer, client_id: 'chartroom' })).toMatchObject([
      200,
      { user: { email: 'iss@sea.test' } },
    ])
  })
})

describe('refusals', () => {
  const forged = async (issuer: string) => {
    const { privateKey } = await generateKeyPair('ES256')
    return new SignJWT({ email: 'skipper@harbour.test', email_verified: true })
      .setProtectedHeader({ alg: 'ES256' })
      .setIssuer(issuer)
      .setAudience('chartroom')
      .setExpirationTime('1h')
      .sign(privateKey)
  }

  test('nothing to go by', async () => {
    expect(await post({})).toEqual(oauth('invalid request', 'id_token required'))
    expect(await post({ id_token: 'x' })).toEqual(
      oauth('invalid request', 'provider or client_id and issuer required'),
    )
  })

  test.for([
    ['no token', 'x'],
    ['a token without a signature', 'eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.'],
  ] as const)('%s', async ([, token]) => {
    expect(await post({ provider: 'google', id_token: token })).toEqual(
      oauth('invalid request', 'Bad ID token'),
    )
  })

  test('a token of another signer', async () => {
    const id_token = await forged(`${backend.url}/_chartroom/oauth/google`)
    expect(await post({ provider: 'google', id_token })).toEqual(oauth('invalid request', 'Bad ID token'))
  })

  test('a token of another provider, or too old a one', async () => {
    const { token: id_token } = await tokensOf('apple', { email: 'id@sea.test' })
    expect(await post({ provider: 'google', id_token })).toEqual(oauth('invalid request', 'Bad ID token'))
    clock.ahead += 3_601_000
    expect(await post({ provider: 'apple', id_token })).toEqual(oauth('invalid request', 'Bad ID token'))
  })

  test('an access token that is not the ID token’s', async () => {
    const { token: id_token } = await tokensOf('google', { email: 'id@sea.test' })
    expect(await post({ provider: 'google', id_token, access_token: 'another' })).toEqual(
      oauth('invalid request', 'Bad ID token'),
    )
  })

  test('nonces that do not belong together', async () => {
    const { token: withNonce } = await tokensOf('google', { email: 'id@sea.test' }, 'one')
    const { token: without } = await tokensOf('google', { email: 'id@sea.test' })
    const half = oauth(
      'invalid request',
      'Passed nonce and nonce in id_token should either both exist or not.',
    )
    expect(await post({ provider: 'google', id_token: withNonce })).toEqual(half)
    expect(await post({ provider: 'google', id_token: without, nonce: 'one' })).toEqual(half)
    expect(await post({ provider: 'google', id_token: withNonce, nonce: 'other' })).toEqual(
      oauth('invalid nonce', 'Nonces mismatch'),
    )
  })

  test('providers whose tokens are not taken', async () => {
    const { token: id_token } = await tokensOf('google', { email: 'id@sea.test' })
    const not = (name: string) => refused('validation_failed', `Custom OIDC provider "${name}" not allowed`)
    expect(await post({ provider: 'github', id_token })).toEqual(not('github'))
    expect(await post({ provider: 'nobody', id_token })).toEqual(not('nobody'))
    expect(await post({ provider: '', issuer: 'https://evil.example', client_id: 'x', id_token })).toEqual(
      not(''),
    )
    expect(await post({ provider: 'kakao', id_token })).toEqual(
      refused(
        'provider_disabled',
        `Provider (issuer "${backend.url}/_chartroom/oauth/kakao") is not enabled`,
      ),
    )
  })

  test('Apple and Azure look at the issuer first', async () => {
    const { token: id_token } = await tokensOf('google', { email: 'id@sea.test' })
    expect(await post({ provider: 'apple', id_token })).toEqual(
      refused('validation_failed', 'Detected ID token issuer is not an Apple ID token issuer'),
    )
    expect(await post({ provider: 'azure', id_token: 'x' })).toEqual(
      refused('validation_failed', 'Unable to detect issuer in ID token for Azure provider'),
    )
  })
})
