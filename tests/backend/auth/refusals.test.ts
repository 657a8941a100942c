// Unsupported features are refused like the official server refuses disabled ones.
import { createClient } from '@supabase/supabase-js'
import { describe, expect, test } from 'vitest'
import { officialClient, startTestBackend } from '../../harness/backend.ts'

const backend = await startTestBackend()
const ID = '00000000-0000-4000-8000-000000000000'

const client = (key = backend.publishableKey) =>
  createClient(backend.url, key, {
    auth: {
      persistSession: false,
      autoRefreshToken: false,
      experimental: { passkey: true, recoveryCodes: true },
    },
  }).auth

const signedIn = async () => {
  const auth = client()
  const { error } = await auth.signInWithPassword({ email: 'skipper@harbour.test', password: 'harbour-demo' })
  if (error) throw error
  return auth
}

const refusal = async (call: Promise<{ error: unknown }>) => {
  const error = (await call).error as { status?: number; code?: string; message?: string } | null
  return [error?.status, error?.code, error?.message]
}

const SAML = [404, 'saml_provider_disabled', 'SAML 2.0 is disabled']
const PASSKEYS = [404, 'passkey_disabled', 'Passkeys are disabled']
const OAUTH_SERVER = [404, 'feature_disabled', 'OAuth server is disabled']
const CUSTOM = [404, 'feature_disabled', 'Custom OAuth providers are disabled']

test('signInWithSSO', async () => {
  expect(await refusal(client().signInWithSSO({ domain: 'harbour.test' }))).toEqual(SAML)
})

test('signInWithWeb3', async () => {
  const message = 'harbour.test wants you to sign in'
  const refused = [422, 'web3_provider_disabled', 'Web3 provider is disabled']
  const { auth } = officialClient(backend)
  const solana = { chain: 'solana', message, signature: new Uint8Array(64) } as const
  expect(await refusal(auth.signInWithWeb3(solana))).toEqual(refused)
  expect(await refusal(auth.signInWithWeb3({ chain: 'ethereum', message, signature: '0x00' }))).toEqual(
    refused,
  )
})

test('phone: signUp, signInWithPassword, signInWithOtp, mfa.enroll', async () => {
  const auth = client()
  const phone = '+4512345678'
  expect(await refusal(auth.signUp({ phone, password: 'harbour-demo' }))).toEqual([
    400,
    'phone_provider_disabled',
    'Phone signups are disabled',
  ])
  expect(await refusal(auth.signInWithPassword({ phone, password: 'harbour-demo' }))).toEqual([
    422,
    'phone_provider_disabled',
    'Phone logins are disabled',
  ])
  expect((await refusal(auth.signInWithOtp({ phone }))).slice(0, 2)).toEqual([400, 'phone_provider_disabled'])
  const user = await signedIn()
  expect(await refusal(user.mfa.enroll({ factorType: 'phone', phone, friendlyName: 'Phone' }))).toEqual([
    422,
    'mfa_phone_enroll_not_enabled',
    'MFA enroll is disabled for Phone',
  ])
})

test('mfa.webauthn: security keys', async () => {
  const { mfa } = await signedIn()
  const refused = [422, 'mfa_webauthn_enroll_not_enabled', 'MFA enroll is disabled for WebAuthn']
  expect(await refusal(mfa.enroll({ factorType: 'webauthn', friendlyName: 'Key' }))).toEqual(refused)
  expect(await refusal(mfa.webauthn.enroll({ friendlyName: 'Key' }))).toEqual(refused)
})

test('mfa.recoveryCodes', async () => {
  const { mfa } = await signedIn()
  const { recoveryCodes } = mfa
  const calls = [
    recoveryCodes.getStatus(),
    recoveryCodes.generate(),
    recoveryCodes.verify({ code: 'x' }),
    recoveryCodes.regenerate(),
    recoveryCodes.unenroll(),
  ]
  for (const call of calls) {
    expect(await refusal(call)).toEqual([404, 'feature_disabled', 'MFA recovery codes are disabled'])
  }
})

describe('passkeys', () => {
  test('of users', async () => {
    const { passkey } = await signedIn()
    const credential = { id: 'x' } as never
    const calls = [
      passkey.startRegistration(),
      passkey.verifyRegistration({ challengeId: ID, credential }),
      passkey.startAuthentication(),
      passkey.verifyAuthentication({ challengeId: ID, credential }),
      passkey.list(),
      passkey.update({ passkeyId: ID, friendlyName: 'x' }),
      passkey.delete({ passkeyId: ID }),
    ]
    for (const call of calls) expect(await refusal(call)).toEqual(PASSKEYS)
  })

  test('of users, for servers: none exist', async () => {
    const { admin } = client(backend.secretKey)
    const { data } = await admin.listUsers()
    const userId = data.users[0]?.id ?? ''
    expect(await admin.passkey.listPasskeys({ userId })).toMatchObject({ data: [], error: null })
    expect(await refusal(admin.passkey.deletePasskey({ userId, passkeyId: ID }))).toEqual([
      404,
      'validation_failed',
      'Passkey not found',
    ])
    expect(await refusal(admin.passkey.listPasskeys({ userId: ID }))).toEqual([
      404,
      'user_not_found',
      'User not found',
    ])
  })
})

describe('the OAuth server', () => {
  test('its consent pages', async () => {
    const { oauth } = await signedIn()
    const calls = [
      oauth.getAuthorizationDetails(ID),
      oauth.approveAuthorization(ID),
      oauth.denyAuthorization(ID),
      oauth.listGrants(),
      oauth.revokeGrant({ clientId: ID }),
    ]
    for (const call of calls) expect(await refusal(call)).toEqual(OAUTH_SERVER)
  })

  test('its clients', async () => {
    const { oauth } = client(backend.secretKey).admin
    const calls = [
      oauth.listClients(),
      oauth.createClient({ client_name: 'x', redirect_uris: ['http://localhost/'] }),
      oauth.getClient(ID),
      oauth.updateClient(ID, { client_name: 'y' }),
      oauth.deleteClient(ID),
      oauth.regenerateClientSecret(ID),
    ]
    for (const call of calls) expect(await refusal(call)).toEqual(OAUTH_SERVER)
    expect((await refusal(client().admin.oauth.listClients()))[1]).toBe('not_admin')
  })

  test('custom providers', async () => {
    const { customProviders } = client(backend.secretKey).admin
    const provider = { provider_type: 'oauth2', identifier: 'custom:x', name: 'x', client_id: 'x' } as never
    const calls = [
      customProviders.listProviders(),
      customProviders.createProvider(provider),
      customProviders.getProvider('custom:x'),
      customProviders.updateProvider('custom:x', { name: 'y' }),
      customProviders.deleteProvider('custom:x'),
    ]
    for (const call of calls) expect(await refusal(call)).toEqual(CUSTOM)
  })
})

describe('routes that the client does not call', () => {
  test('posts by identity providers need no key', async () => {
    const response = await fetch(`${backend.url}/auth/v1/sso/saml/acs`, { method: 'POST' })
    expect([response.status, response.headers.get('x-sb-error-code')]).toEqual([
      404,
      'saml_provider_disabled',
    ])
  })

  test.for([
    ['GET', '/sso/saml/metadata', 'saml_provider_disabled'],
    ['POST', '/sso/saml/acs', 'saml_provider_disabled'],
    ['GET', '/oauth/authorize', 'feature_disabled'],
    ['POST', '/oauth/token', 'feature_disabled'],
    ['GET', '/scim/v2/Schemas', 'feature_disabled'],
    ['GET', '/.well-known/oauth-authorization-server', 'feature_disabled'],
  ] as const)('%s %s', async ([method, path, code]) => {
    const response = await fetch(`${backend.url}/auth/v1${path}`, {
      method,
      headers: { apikey: backend.publishableKey },
    })
    expect([response.status, response.headers.get('x-sb-error-code')]).toEqual([404, code])
  })

  test('there are no single sign-on providers, and none can be created', async () => {
    const headers = { apikey: backend.secretKey }
    const address = `${backend.url}/auth/v1/admin/sso/providers`
    expect(await (await fetch(address, { headers })).json()).toEqual({ items: [] })
    const made = await fetch(address, { method: 'POST', headers, body: '{"type":"saml"}' })
    expect((await made.json()).error_code).toBe('saml_provider_disabled')
    expect((await (await fetch(`${address}/${ID}`, { headers })).json()).error_code).toBe(
      'sso_provider_not_found',
    )
    const asUser = await fetch(address, { headers: { apikey: backend.publishableKey } })
    expect(asUser.status).toBe(403)
  })
})
