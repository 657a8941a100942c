// Signing in through a social provider: to the page, back with tokens or a code, and every way it can fail.
import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import { beforeEach, describe, expect, test } from 'vitest'
import { subjectOf } from '../../../../backend/auth/oauth/profile.ts'
import { officialClient, startTestBackend } from '../../../harness/backend.ts'
import { follow, signInAt } from '../../../harness/provider.ts'

const clock = { ahead: 0, now: () => Date.now() + clock.ahead }
const backend = await startTestBackend({
  clock,
  auth: {
    siteUrl: 'http://localhost:3000',
    redirectUrls: ['http://app.harbour.test/**'],
    external: { google: { enabled: true }, github: { enabled: true } },
  },
})
const APP = 'http://app.harbour.test/welcome'

beforeEach(() => {
  clock.ahead = 0
})

const pkceClient = () => {
  const kept = new Map<string, string>()
  return createClient(backend.url, backend.publishableKey, {
    auth: {
      flowType: 'pkce',
      autoRefreshToken: false,
      detectSessionInUrl: false,
      storage: {
        getItem: key => kept.get(key) ?? null,
        setItem: (key, value) => void kept.set(key, value),
        removeItem: key => void kept.delete(key),
      },
    },
  })
}

const addressFor = async (
  client: SupabaseClient,
  redirectTo: string | undefined = APP,
  provider: 'google' | 'github' = 'google',
) => {
  const { data, error } = await client.auth.signInWithOAuth({
    provider,
    options: { skipBrowserRedirect: true, scopes: 'email', ...(redirectTo ? { redirectTo } : {}) },
  })
  if (error) throw error
  return data.url
}

describe('signInWithOAuth', () => {
  test('implicit: the tokens come back in the hash, the identity is kept', async () => {
    const client = officialClient(backend)
    const { end, hash } = await signInAt(await addressFor(client), { email: 'Ann@Sea.test', name: 'Ann Sea' })
    expect(`${end.origin}${end.pathname}${end.search}`).toBe(APP)
    expect(Object.keys(hash)).toEqual([
      'access_token',
      'expires_at',
      'expires_in',
      'provider_refresh_token',
      'provider_token',
      'refresh_token',
      'sb',
      'token_type',
    ])
    const { data } = await client.auth.setSession({
      access_token: hash['access_token'] ?? '',
      refresh_token: hash['refresh_token'] ?? '',
    })
    const sub = subjectOf('google', 'ann@sea.test')
    const known = {
      iss: `${backend.url}/_chartroom/oauth/google`,
      sub,
      name: 'Ann Sea',
      full_name: 'Ann Sea',
      email: 'ann@sea.test',
      email_verified: true,
      phone_verified: false,
      provider_id: sub,
    }
    expect(data.user).toMatchObject({
      email: 'ann@sea.test',
      app_metadata: { provider: 'google', providers: ['google'] },
      user_metadata: known,
      is_anonymous: false,
    })
    expect(data.user?.email_confirmed_at).toEqual(expect.any(String))
    expect(data.user?.identities).toEqual([
      {
        identity_id: expect.any(String),
        id: sub,
        user_id: data.user?.id,
        identity_data: known,
        provider: 'google',
        last_sign_in_at: expect.any(String),
        created_at: expect.any(String),
        updated_at: expect.any(String),
        email: 'ann@sea.test',
      },
    ])
    const { data: claims } = await client.auth.getClaims()
    expect(claims?.claims.amr).toEqual([{ method: 'oauth', timestamp: expect.any(Number) }])
  })

  test('PKCE: a code comes back, and becomes a session with the provider’s tokens once', async () => {
    const client = pkceClient()
    const { end, query, hash } = await signInAt(await addressFor(client, APP, 'github'), {
      person: 'pilot@harbour.test',
    })
    expect([end.origin + end.pathname, Object.keys(query), hash]).toEqual([APP, ['code'], {}])
    const { data, error } = await client.auth.exchangeCodeForSession(query['code'] ?? '')
    expect(error).toBe(null)
    expect(data.session).toMatchObject({
      provider_token: expect.any(String),
      provider_refresh_token: expect.any(String),
    })
    expect(data.user?.user_metadata).toMatchObject({ user_name: 'pilot', preferred_username: 'pilot' })
    const again = await fetch(`${backend.url}/auth/v1/token?grant_type=pkce`, {
      method: 'POST',
      headers: { apikey: backend.publishableKey },
      body: JSON.stringify({ auth_code: query['code'], code_verifier: 'x'.repeat(56) }),
    })
    expect([again.status, await again.json()]).toMatchObject([404, { error_code: 'flow_state_not_found' }])
  })

  test('the same person comes back to the same account, renewed', async () => {
    const client = officialClient(backend)
    const users = []
    for (const name of ['Bo', 'Bo Buoy']) {
      const { hash } = await signInAt(await addressFor(client), { email: 'bo@sea.test', name })
      users.push((await client.auth.getUser(hash['access_token'])).data.user)
    }
    expect(users[1]?.id).toBe(users[0]?.id)
    expect(users.map(user => user?.user_metadata['full_name'])).toEqual(['Bo', 'Bo Buoy'])
    expect(users[1]?.identities?.map(({ identity_data }) => identity_data?.['name'])).toEqual(['Bo Buoy'])
  })
})

describe('where it ends', () => {
  test.for([
    ['nowhere asked', undefined, 'http://localhost:3000/'],
    ['an address that is not allowed', 'https://evil.example/', 'http://localhost:3000/'],
    ['a loopback port of the site', 'http://localhost:5173/x', 'http://localhost:5173/x'],
  ] as const)('%s', async ([, asked, reached]) => {
    const start = new URL(await addressFor(officialClient(backend)))
    start.searchParams.delete('redirect_to')
    if (asked !== undefined) start.searchParams.set('redirect_to', asked)
    const { end, hash } = await signInAt(start.href, { email: 'end@sea.test' })
    expect([end.origin + end.pathname, typeof hash['access_token']]).toEqual([reached, 'string'])
  })
})

describe('refusals', () => {
  test.for([
    ['switched off', 'discord', 'provider is not enabled'],
    ['unknown', 'nobody', 'Provider nobody could not be found'],
    ['no name', '', 'Provider  could not be found'],
    ['custom', 'custom:mine', 'custom OAuth providers are disabled'],
  ] as const)('a provider: %s', async ([, provider, why]) => {
    const response = await fetch(`${backend.url}/auth/v1/authorize?provider=${provider}`)
    expect([response.status, await response.json()]).toEqual([
      400,
      { code: 400, error_code: 'validation_failed', msg: `Unsupported provider: ${why}` },
    ])
  })

  test('half a PKCE challenge', async () => {
    const response = await fetch(
      `${backend.url}/auth/v1/authorize?provider=google&code_challenge=${'x'.repeat(43)}`,
    )
    expect(await response.json()).toMatchObject({
      msg: 'PKCE flow requires code_challenge_method and code_challenge',
    })
  })

  test('the person declines', async () => {
    const { end, query, hash } = await signInAt(await addressFor(officialClient(backend)), 'decline')
    const params = { error: 'access_denied', error_description: 'The user canceled the sign-in' }
    expect([end.origin + end.pathname, query, hash]).toEqual([APP, params, { ...params, sb: '' }])
  })

  const bad = (code: string, description: string) => ({
    error: 'invalid_request',
    error_code: code,
    error_description: description,
  })

  test('an implicit flow is used up by its first end', async () => {
    const { callback } = await signInAt(await addressFor(officialClient(backend)), { email: 'once@sea.test' })
    const { end, query } = await follow(callback)
    expect([end.origin, query]).toEqual([
      'http://localhost:3000',
      bad('bad_oauth_state', 'OAuth state not found or expired'),
    ])
  })

  test('a PKCE flow too', async () => {
    const { callback } = await signInAt(await addressFor(pkceClient()), { email: 'once@sea.test' })
    expect((await follow(callback)).query).toEqual(
      bad('flow_state_already_used', 'State has already been used'),
    )
  })

  test('a flow ends after five minutes', async () => {
    const start = await addressFor(officialClient(backend))
    const page = (await fetch(start, { redirect: 'manual' })).headers.get('location') ?? ''
    clock.ahead = 301_000
    expect((await signInAt(page, { email: 'late@sea.test' })).query).toEqual(
      bad('bad_oauth_state', 'OAuth state has expired'),
    )
  })

  test.for([
    ['without a state', '', bad('bad_oauth_callback', 'OAuth state parameter missing')],
    ['with a made-up state', '?state=x', bad('bad_oauth_state', 'OAuth state parameter is invalid')],
    [
      'with an unknown state',
      '?state=00000000-0000-4000-8000-000000000000',
      bad('bad_oauth_state', 'OAuth state not found or expired'),
    ],
  ] as const)('a callback %s goes to the site', async ([, search, params]) => {
    const { end, query } = await follow(`${backend.url}/auth/v1/callback${search}`)
    expect([end.origin, query]).toEqual(['http://localhost:3000', params])
  })

  test('a callback with a code that the provider never gave', async () => {
    const start = await addressFor(officialClient(backend))
    const page = new URL((await fetch(start, { redirect: 'manual' })).headers.get('location') ?? '')
    const state = page.searchParams.get('state') ?? ''
    const { end, query } = await follow(`${backend.url}/auth/v1/callback?state=${state}&code=made-up`)
    expect([end.origin + end.pathname, query]).toEqual([
      APP,
      {
        error: 'server_error',
        error_code: 'unexpected_failure',
        error_description: 'Unable to exchange external code: made',
      },
    ])
  })
})
