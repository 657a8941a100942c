// The client's session against a simulated backend: sign-in and sign-out, stored sessions, and failures.
import { describe, expect, test, vi } from 'vitest'
import { createChartroomClient } from '../../src/public/index.ts'
import { memoryStorage } from '../../src/services/client/index.ts'
import { credentials, signIn, startClient } from '../harness/client.ts'
import { json, jwt, KEY, sessionBody, storedSession, URL_BASE } from '../harness/fake-backend.ts'

describe('options', () => {
  test.each(['harbour', 'ftp://harbour.test', 'javascript:alert(1)'])(
    'url %j is rejected with the expected format',
    url => {
      expect(() => createChartroomClient({ url, key: KEY })).toThrow(
        '`url` must be the http(s) URL of a backend, e.g. https://example.supabase.co',
      )
    },
  )

  test.each(['', undefined])('key %j is rejected as a missing setting', key => {
    expect(() => createChartroomClient({ url: URL_BASE, key: key as string })).toThrow(
      '`key` is not set. Pass the publishable key',
    )
  })
})

describe('auth', () => {
  test('sign in: stores a session in the official format, and requests use it', async () => {
    const { client, requests, storage } = startClient(signIn)
    expect(await client.auth.signInWithPassword(credentials)).toEqual({
      ok: true,
      value: { id: 'skipper-id', email: 'skipper@harbour.test' },
    })
    expect(JSON.parse((await storage.getItem('sb-harbour-auth-token')) ?? '')).toMatchObject({
      access_token: jwt('first'),
      refresh_token: 'refresh-first-0123456789',
      user: { id: 'skipper-id' },
    })
    await client.supabase.from('vessels').select()
    expect(requests.at(-1)).toMatchObject({
      method: 'GET',
      path: '/rest/v1/vessels?select=*',
      authorization: `Bearer ${jwt('first')}`,
      apikey: KEY,
    })
  })

  test("a wrong password: returns the failure text and the server's code", async () => {
    const { client } = startClient({
      'POST /auth/v1/token': () =>
        json({ code: 'invalid_credentials', message: 'Invalid login credentials' }, 400, {
          'x-supabase-api-version': '2024-01-01',
        }),
    })
    const failure = {
      kind: 'auth',
      code: 'invalid_credentials',
      status: 400,
      message: 'Wrong email or password.',
    }
    expect(await client.auth.signInWithPassword(credentials)).toEqual({ ok: false, failure })
    expect(client.status().session).toEqual({ phase: 'signedOut', reason: 'never', failure })
  })

  test('an unreachable backend is reported as unreachable', async () => {
    const { client } = startClient({
      'POST /auth/v1/token': () => Promise.reject(new TypeError('fetch failed')),
    })
    expect(await client.auth.signInWithPassword(credentials)).toEqual({
      ok: false,
      failure: { kind: 'network', message: 'The backend cannot be reached.' },
    })
  })

  test('429 carries its Retry-After', async () => {
    const { client } = startClient({
      'POST /auth/v1/token': () =>
        json({ code: 'over_request_rate_limit', message: 'slow' }, 429, {
          'retry-after': '30',
          'x-supabase-api-version': '2024-01-01',
        }),
    })
    expect(await client.auth.signInWithPassword(credentials)).toMatchObject({
      ok: false,
      failure: { kind: 'rateLimit', status: 429, retryAfter: 30 },
    })
  })

  test('sign up without a session: the email must be confirmed', async () => {
    const { client } = startClient({ 'POST /auth/v1/signup': () => json(sessionBody('x').user) })
    expect(await client.auth.signUp(credentials)).toEqual({
      ok: true,
      value: { user: { id: 'skipper-id', email: 'skipper@harbour.test' }, confirmationRequired: true },
    })
  })

  test('sign out: clears the storage, notifies the server, and later requests are anonymous', async () => {
    const { client, requests, storage } = startClient({
      ...signIn,
      'POST /auth/v1/logout': () => new Response(null, { status: 204 }),
    })
    await client.auth.signInWithPassword(credentials)
    expect(await client.auth.signOut()).toEqual({ ok: true, value: undefined })
    expect(await storage.getItem('sb-harbour-auth-token')).toBeNull()
    expect(requests.at(-1)).toMatchObject({
      path: '/auth/v1/logout?scope=local',
      authorization: `Bearer ${jwt('first')}`,
    })
    await client.supabase.from('vessels').select()
    expect(requests.at(-1)?.authorization).toBe(`Bearer ${KEY}`)
  })

  test('refresh: stores and uses the new token; a final rejection signs out with the reason', async () => {
    const { client, requests, storage } = startClient({
      ...signIn,
      'POST /auth/v1/token?grant_type=refresh_token': (_, n) =>
        n === 1
          ? json(sessionBody('second'))
          : json(
              { error_code: 'refresh_token_already_used', msg: 'Invalid Refresh Token: Already Used' },
              400,
            ),
    })
    expect(await client.auth.refresh()).toMatchObject({ ok: false, failure: { code: 'signed_out' } })
    await client.auth.signInWithPassword(credentials)
    expect(await client.auth.refresh()).toEqual({ ok: true, value: undefined })
    expect(requests.at(-1)?.body).toBe(JSON.stringify({ refresh_token: 'refresh-first-0123456789' }))
    expect(await storage.getItem('sb-harbour-auth-token')).toContain('refresh-second-0123456789')
    await client.supabase.from('vessels').select()
    expect(requests.at(-1)?.authorization).toBe(`Bearer ${jwt('second')}`)
    expect(await client.auth.refresh()).toMatchObject({ ok: false })
    await vi.waitFor(() =>
      expect(client.status().session).toMatchObject({ phase: 'signedOut', reason: 'reuseDetected' }),
    )
  })
})

describe('the stored session', () => {
  test('is adopted, with its age taken into account', async () => {
    const { client } = startClient({}, { storage: storedSession('kept', { age: 600 }) })
    await vi.waitFor(() => expect(client.status().session.phase).toBe('authenticated'))
    const { session } = client.status()
    const left = session.phase === 'authenticated' ? session.token.expiresAt - client.now() : 0
    expect(left).toBeGreaterThan(2_990_000)
    expect(left).toBeLessThanOrEqual(3_000_000)
  })

  test('past its life is refreshed before any request is sent', async () => {
    const { client, requests } = startClient(
      { 'POST /auth/v1/token?grant_type=refresh_token': () => json(sessionBody('new')) },
      { storage: storedSession('old', { age: 7200 }) },
    )
    await client.supabase.from('vessels').select()
    expect(requests.map(({ path, authorization }) => [path, authorization])).toEqual([
      ['/auth/v1/token?grant_type=refresh_token', `Bearer ${KEY}`],
      ['/rest/v1/vessels?select=*', `Bearer ${jwt('new')}`],
    ])
  })

  test.each([
    '{',
    '"text"',
    '{"access_token":1}',
    '[]',
    'null',
    JSON.stringify({ ...sessionBody('x'), expires_at: 'soon' }),
    JSON.stringify({ ...sessionBody('x'), received_at: 'now' }),
  ])('that is unreadable (%s) signs out as corrupt, and a new sign-in repairs it', async text => {
    const storage = memoryStorage()
    await storage.setItem('sb-harbour-auth-token', text)
    const { client } = startClient(signIn, { storage })
    await vi.waitFor(() =>
      expect(client.status().session).toEqual({
        phase: 'signedOut',
        reason: 'corrupt',
        failure: {
          kind: 'auth',
          code: 'stored_session_unreadable',
          message: 'The stored session could not be read. Sign in again.',
        },
      }),
    )
    expect((await client.auth.signInWithPassword(credentials)).ok).toBe(true)
  })

  test('that another tab has rotated is adopted instead of spending our token again', async () => {
    const { client, requests, storage } = startClient({}, { storage: storedSession('mine', { age: 60 }) })
    await vi.waitFor(() => expect(client.status().session.phase).toBe('authenticated'))
    await storage.setItem(
      'sb-harbour-auth-token',
      JSON.stringify({ ...sessionBody('theirs'), received_at: Date.now() }),
    )
    expect(await client.auth.refresh()).toEqual({ ok: true, value: undefined })
    await client.supabase.from('vessels').select()
    expect(requests.map(({ authorization }) => authorization)).toEqual([`Bearer ${jwt('theirs')}`])
  })
})

test('is not written back when the user signs out during a refresh', async () => {
  let answer: (response: Response) => void = () => undefined
  const { client, storage } = startClient({
    ...signIn,
    'POST /auth/v1/token?grant_type=refresh_token': () =>
      new Promise<Response>(resolve => (answer = resolve)),
    'POST /auth/v1/logout': () => new Response(null, { status: 204 }),
  })
  await client.auth.signInWithPassword(credentials)
  const refreshed = client.auth.refresh()
  await vi.waitFor(() => expect(client.status().session).toMatchObject({ token: { state: 'refreshing' } }))
  const signedOut = client.auth.signOut()
  answer(json(sessionBody('too-late')))
  expect(await signedOut).toEqual({ ok: true, value: undefined })
  expect((await refreshed).ok).toBe(false)
  expect(await storage.getItem('sb-harbour-auth-token')).toBeNull()
  await client.supabase.from('vessels').select()
  expect(await storage.getItem('sb-harbour-auth-token')).toBeNull()
})
