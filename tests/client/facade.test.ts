// The auth facade against a simulated backend, as used by an app written for supabase-js.
import { AuthApiError, AuthSessionMissingError, type SupabaseClient } from '@supabase/supabase-js'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { describeFailure } from '../../src/public/index.ts'
import { atAddress } from '../harness/address.ts'
import { credentials, signIn, startClient } from '../harness/client.ts'
import { json, jwt, KEY, sessionBody, storedSession } from '../harness/fake-backend.ts'

const STORED = 'sb-harbour-auth-token'
const { user } = sessionBody('x')
const refreshed = { 'POST /auth/v1/token?grant_type=refresh_token': () => json(sessionBody('second')) }
const WAIT = { 'retry-after': '40', 'x-supabase-api-version': '2024-01-01' }
const refusal = (code: string, message: string, status: number) =>
  json({ code, message }, status, { 'x-supabase-api-version': '2024-01-01' })

/** What the app's listeners receive, e.g. `SIGNED_IN first`: the event and the name of the token. */
function listen({ auth }: SupabaseClient) {
  const received: string[] = []
  auth.onAuthStateChange((event, session) => {
    const payload = session?.access_token.split('.')[1]
    received.push(
      `${event} ${payload === undefined ? '-' : (JSON.parse(atob(payload)) as { name: string }).name}`,
    )
  })
  return received
}

async function signedIn(routes: Parameters<typeof startClient>[0] = {}) {
  const started = startClient({ ...signIn, ...routes })
  const { supabase } = started.client
  const received = listen(supabase)
  await supabase.auth.signInWithPassword(credentials)
  return { ...started, supabase, received }
}

afterEach(() => vi.unstubAllGlobals())

describe('the session', () => {
  test('emits the official events for signing in and out', async () => {
    const { client, requests } = startClient({
      ...signIn,
      ...refreshed,
      'GET /auth/v1/user': () => json(user),
    })
    const { supabase } = client
    const { auth } = supabase
    const received = listen(supabase)
    expect(await auth.getSession()).toEqual({ data: { session: null }, error: null })
    expect(await auth.signInWithPassword(credentials)).toEqual({
      data: { user, session: expect.objectContaining({ access_token: jwt('first'), user }) },
      error: null,
    })
    expect((await auth.getSession()).data.session).toMatchObject({ access_token: jwt('first'), user })
    expect(await auth.getUser()).toEqual({ data: { user }, error: null })
    expect((await auth.refreshSession()).data).toMatchObject({
      user,
      session: { access_token: jwt('second') },
    })
    expect(await auth.signOut()).toEqual({ error: null })
    expect(received).toEqual([
      'INITIAL_SESSION -',
      'SIGNED_IN first',
      'TOKEN_REFRESHED second',
      'SIGNED_OUT -',
    ])
    expect(requests.map(({ method, path, authorization }) => [`${method} ${path}`, authorization])).toEqual([
      ['POST /auth/v1/token?grant_type=password', `Bearer ${KEY}`],
      ['GET /auth/v1/user', `Bearer ${jwt('first')}`],
      ['POST /auth/v1/token?grant_type=refresh_token', `Bearer ${KEY}`],
      ['POST /auth/v1/logout?scope=global', `Bearer ${jwt('second')}`],
    ])
  })

  test('the error of a rejected sign-in is the official one, and is described with the wait', async () => {
    const { client } = startClient({
      'POST /auth/v1/token': () => json({ code: 'over_request_rate_limit', msg: 'slow down' }, 429, WAIT),
    })
    const { error } = await client.supabase.auth.signInWithPassword(credentials)
    expect(error).toEqual(new AuthApiError('slow down', 429, 'over_request_rate_limit'))
    expect(await describeFailure(error)).toMatchObject({ kind: 'rateLimit', status: 429, retryAfter: 40 })
  })

  test("a rejected sign-in returns the server's error", async () => {
    const { client } = startClient({
      'POST /auth/v1/token': () => refusal('invalid_credentials', 'Invalid login credentials', 400),
    })
    const { data, error } = await client.supabase.auth.signInWithPassword(credentials)
    expect(data).toEqual({ user: null, session: null })
    expect(error).toEqual(new AuthApiError('Invalid login credentials', 400, 'invalid_credentials'))
    expect(error).toBeInstanceOf(AuthApiError)
  })

  test('account methods fail when signed out', async () => {
    const { auth } = startClient().client.supabase
    const missing = new AuthSessionMissingError()
    expect(await auth.getUser()).toEqual({ data: { user: null }, error: missing })
    expect(await auth.updateUser({ data: {} })).toEqual({ data: { user: null }, error: missing })
    expect(await auth.refreshSession()).toEqual({ data: { user: null, session: null }, error: missing })
    expect(await auth.signOut()).toEqual({ error: null })
  })

  test('a stored session is reported to early listeners once it is read, and to late ones', async () => {
    const { client } = startClient(
      { 'GET /auth/v1/user': () => json(user) },
      { storage: storedSession('kept') },
    )
    const early = listen(client.supabase)
    expect((await client.supabase.auth.getUser()).data.user).toEqual(user)
    const late = listen(client.supabase)
    await vi.waitFor(() => expect(late).toEqual(['INITIAL_SESSION kept']))
    expect(early).toEqual(['SIGNED_IN kept', 'INITIAL_SESSION kept'])
  })

  test('an unsubscribed listener receives nothing more', async () => {
    const { client } = startClient(signIn)
    const received: string[] = []
    const { data } = client.supabase.auth.onAuthStateChange(event => void received.push(event))
    await client.supabase.auth.getSession()
    await vi.waitFor(() => expect(received).toEqual(['INITIAL_SESSION']))
    data.subscription.unsubscribe()
    await client.supabase.auth.signInWithPassword(credentials)
    expect(received).toEqual(['INITIAL_SESSION'])
  })

  test('an app may modify the session object without effect on ours', async () => {
    const { supabase } = await signedIn()
    const { data } = await supabase.auth.getSession()
    if (data.session) data.session.user.id = 'another user'
    expect((await supabase.auth.getSession()).data.session?.user.id).toBe('skipper-id')
  })
})

describe('account methods', () => {
  test('sessions have the official fields only', async () => {
    const { supabase } = await signedIn(refreshed)
    const sessions: unknown[] = []
    supabase.auth.onAuthStateChange((_, session) => sessions.push(session))
    sessions.push((await supabase.auth.getSession()).data.session)
    const { data } = await supabase.auth.refreshSession()
    await vi.waitFor(() => expect(sessions).toHaveLength(3))
    for (const session of [...sessions, data.session])
      expect(Object.keys(session ?? {}).sort()).toEqual(Object.keys(sessionBody('x')).sort())
  })

  test('updateUser: sent as the user, emitted as USER_UPDATED, stored with the same tokens', async () => {
    const { supabase, received, storage, requests } = await signedIn({
      'PUT /auth/v1/user': () => json({ ...user, user_metadata: { boat: 'Gull' } }),
    })
    const { data, error } = await supabase.auth.updateUser({ data: { boat: 'Gull' } })
    expect([data.user?.user_metadata, error]).toEqual([{ boat: 'Gull' }, null])
    expect(requests.at(-1)?.authorization).toBe(`Bearer ${jwt('first')}`)
    expect(received.slice(2)).toEqual(['USER_UPDATED first'])
    expect(JSON.parse((await storage.getItem(STORED)) ?? '')).toMatchObject({
      access_token: jwt('first'),
      refresh_token: 'refresh-first-0123456789',
      user: { user_metadata: { boat: 'Gull' } },
    })
  })

  test('mfa.verify: its session replaces the current one', async () => {
    const { client, supabase, received, storage, requests } = await signedIn({
      'POST /auth/v1/factors/totp/verify': () =>
        json({ ...sessionBody('strong'), access_token: jwt('strong', 'aal2') }),
    })
    const verified = await supabase.auth.mfa.verify({ factorId: 'totp', challengeId: 'c', code: '123456' })
    expect(verified.error).toBeNull()
    expect(received.slice(2)).toEqual(['MFA_CHALLENGE_VERIFIED strong'])
    expect(client.status().session).toMatchObject({ phase: 'authenticated', aal: 'aal2' })
    expect(await storage.getItem(STORED)).toContain('refresh-strong-0123456789')
    await supabase.from('vessels').select()
    expect(requests.at(-1)?.authorization).toBe(`Bearer ${jwt('strong', 'aal2')}`)
    expect((await supabase.auth.mfa.getAuthenticatorAssuranceLevel()).data?.currentLevel).toBe('aal2')
  })

  test.each([401, 403])('%d for a token that should be valid: one refresh and one retry', async status => {
    const { supabase, requests } = await signedIn({
      ...refreshed,
      'GET /auth/v1/user': ({ authorization }) =>
        authorization === `Bearer ${jwt('second')}`
          ? json(user)
          : refusal('bad_jwt', 'token is expired', status),
    })
    expect(await supabase.auth.getUser()).toEqual({ data: { user }, error: null })
    expect(requests.slice(1).map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /auth/v1/user',
      'POST /auth/v1/token?grant_type=refresh_token',
      'GET /auth/v1/user',
    ])
  })

  test('a session unknown to the server: signed out, with the reason', async () => {
    const { client, supabase, received } = await signedIn({
      'GET /auth/v1/user': () =>
        refusal('session_not_found', 'Session from session_id claim in JWT does not exist', 403),
      'POST /auth/v1/token?grant_type=refresh_token': () =>
        refusal('refresh_token_not_found', 'Invalid Refresh Token: Refresh Token Not Found', 400),
    })
    expect((await supabase.auth.getUser()).error).toEqual(new AuthSessionMissingError())
    await vi.waitFor(() => expect(received.at(-1)).toBe('SIGNED_OUT -'))
    expect(client.status().session).toMatchObject({ phase: 'signedOut', reason: 'remoteRevoked' })
  })
})

describe('initialize', () => {
  test('a failed link is reported, even with an existing session', async () => {
    atAddress('https://app.test/#error=access_denied&error_code=otp_expired&sb=')
    const { client } = startClient({}, { storage: storedSession('kept') })
    const { error } = await client.supabase.auth.initialize()
    expect([error?.name, error?.code]).toEqual(['AuthApiError', 'otp_expired'])
    expect(client.status().session).toMatchObject({ phase: 'authenticated' })
  })

  test('does not return the error of a later failed sign-in', async () => {
    const { auth } = startClient({
      'POST /auth/v1/token': () => refusal('invalid_credentials', 'Invalid login credentials', 400),
    }).client.supabase
    await auth.signInWithPassword(credentials)
    expect(await auth.initialize()).toEqual({ error: null })
  })
})

describe('throwOnError', () => {
  const throwing = (routes: Parameters<typeof startClient>[0] = {}) =>
    startClient(routes, { throwOnError: true }).client.supabase.auth

  test('errors are thrown instead of returned', async () => {
    const auth = throwing({
      'POST /auth/v1/token': () => refusal('invalid_credentials', 'Invalid login credentials', 400),
      'POST /auth/v1/otp': () => refusal('over_request_rate_limit', 'Slow down', 429),
    })
    expect(auth.isThrowOnErrorEnabled()).toBe(true)
    await expect(auth.signInWithPassword(credentials)).rejects.toMatchObject({ code: 'invalid_credentials' })
    await expect(auth.signInWithOtp({ email: credentials.email })).rejects.toMatchObject({ status: 429 })
    await expect(auth.refreshSession()).rejects.toBeInstanceOf(AuthSessionMissingError)
  })

  test('also by signing out while the server is unreachable, and by a failed link', async () => {
    const auth = throwing({ ...signIn, 'POST /auth/v1/logout': () => refusal('unexpected', 'Down', 500) })
    await auth.signInWithPassword(credentials)
    await expect(auth.signOut()).rejects.toMatchObject({ status: 500 })
    atAddress('https://app.test/#error=access_denied&error_code=otp_expired&sb=')
    await expect(throwing().initialize()).rejects.toMatchObject({ code: 'otp_expired' })
  })

  test('successful results are returned', async () => {
    const auth = throwing(signIn)
    expect((await auth.signInWithPassword(credentials)).error).toBeNull()
    expect((await auth.getSession()).data.session?.access_token).toBe(jwt('first'))
  })
})

test('works through the proxies of reactive frameworks', async () => {
  const reactive = <T extends object>(target: T): T =>
    new Proxy(target, {
      get(from, name, receiver) {
        const value: unknown = Reflect.get(from, name, receiver)
        return typeof value === 'object' && value !== null && !(value instanceof Map)
          ? reactive(value)
          : value
      },
    })
  const { client } = startClient(signIn)
  const { auth } = reactive(client.supabase)
  const received = listen(client.supabase)
  expect((await auth.signInWithPassword(credentials)).error).toBeNull()
  expect((await auth.getSession()).data.session?.access_token).toBe(jwt('first'))
  expect(await auth.signOut()).toEqual({ error: null })
  expect(received).toEqual(['INITIAL_SESSION -', 'SIGNED_IN first', 'SIGNED_OUT -'])
  expect(reactive(client.supabase).channel('bridge').subscribe().topic).toBe('realtime:bridge')
})
