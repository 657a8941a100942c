// What breaks apps on the official client (CLIENT-BEHAVIOR, rows 1, 5, 6, 7, 9 and 10), through the official
// methods.
import { AuthApiError, AuthRetryableFetchError, createClient } from '@supabase/supabase-js'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { credentials, signIn, startClient } from '../harness/client.ts'
import { fakeBackend, json, jwt, KEY, sessionBody, storedSession, URL_BASE } from '../harness/fake-backend.ts'
import { memoryStorage } from '../../src/services/client/index.ts'
import type { SessionStorage } from '../../src/public/index.ts'

const STORED = 'sb-harbour-auth-token'
const REFRESH = 'POST /auth/v1/token?grant_type=refresh_token'
const unreachable = () => Promise.reject(new TypeError('fetch failed'))
const refreshes = (asked: readonly { readonly path: string }[]) =>
  asked.filter(({ path }) => path.endsWith('grant_type=refresh_token')).length

afterEach(() => vi.unstubAllGlobals())

test('row 1: a listener may await any method, also a refresh inside TOKEN_REFRESHED', async () => {
  const { client } = startClient({
    ...signIn,
    [REFRESH]: (_, n) => json(sessionBody(`rotated-${n}`)),
    'GET /auth/v1/user': () => json(sessionBody('x').user),
  })
  const { auth } = client.supabase
  const done: string[] = []
  auth.onAuthStateChange(async (event, session) => {
    await auth.getSession()
    if (session) await auth.getUser()
    await client.supabase.from('vessels').select()
    if (event === 'TOKEN_REFRESHED' && !done.includes(event)) await auth.refreshSession()
    done.push(event)
  })
  expect((await auth.signInWithPassword(credentials)).error).toBeNull()
  expect((await auth.refreshSession()).error).toBeNull()
  await vi.waitFor(() =>
    expect(done.toSorted()).toEqual(['INITIAL_SESSION', 'SIGNED_IN', 'TOKEN_REFRESHED', 'TOKEN_REFRESHED']),
  )
  expect((await auth.signOut()).error).toBeNull()
})

test('row 5: offline with an expired token: an error, the session is kept, nothing is sent', async () => {
  vi.stubGlobal('navigator', { onLine: false })
  const { client, requests, storage } = startClient(
    {},
    { storage: storedSession('old', { age: 7200 }), timings: { tokenTimeout: 50 } },
  )
  const { auth } = client.supabase
  expect(await auth.getSession()).toEqual({
    data: { session: null },
    error: new AuthRetryableFetchError('This device is offline.', 0),
  })
  expect((await auth.getUser()).error).toBeInstanceOf(AuthRetryableFetchError)
  expect((await client.supabase.from('vessels').select()).error).not.toBeNull()
  expect(requests).toEqual([])
  expect(await storage.getItem(STORED)).toContain('refresh-old-0123456789')
  expect(client.status().session).toMatchObject({ phase: 'authenticated' })
})

test('row 5: an expired token, an unreachable server: getSession fails at its deadline', async () => {
  const { client } = startClient(
    { [REFRESH]: unreachable },
    { storage: storedSession('old', { age: 7200 }), timings: { tokenTimeout: 50 } },
  )
  expect((await client.supabase.auth.getSession()).error).toEqual(
    new AuthRetryableFetchError('No live access token was available in time.', 0),
  )
})

test('row 5: an expired token and a reachable server: getSession returns the new one', async () => {
  const { client, requests } = startClient(
    { [REFRESH]: () => json(sessionBody('new')) },
    { storage: storedSession('old', { age: 7200 }) },
  )
  expect((await client.supabase.auth.getSession()).data.session?.access_token).toBe(jwt('new'))
  expect(refreshes(requests)).toBe(1)
})

test('row 6: a clock that makes tokens look expired on arrival triggers no refresh', async () => {
  const { client, requests } = startClient({
    'POST /auth/v1/token': () => json({ ...sessionBody('skewed'), expires_at: 1_000_000 }),
  })
  const { auth } = client.supabase
  await auth.signInWithPassword(credentials)
  for (let n = 0; n < 4; n++) expect((await auth.getSession()).data.session?.access_token).toBe(jwt('skewed'))
  expect(refreshes(requests)).toBe(0)
})

test('row 7: returning to the page emits no event', async () => {
  const page = {
    window: new EventTarget(),
    document: Object.assign(new EventTarget(), { visibilityState: 'visible' }),
  }
  vi.stubGlobal('window', page.window)
  vi.stubGlobal('document', page.document)
  const { client } = startClient(signIn)
  const { auth } = client.supabase
  const received: string[] = []
  auth.onAuthStateChange(event => void received.push(event))
  await auth.signInWithPassword(credentials)
  const { version } = client.recording?.trace ?? {}
  for (const visibilityState of ['hidden', 'visible', 'hidden', 'visible']) {
    const before = version?.()
    Object.assign(page.document, { visibilityState })
    page.document.dispatchEvent(new Event('visibilitychange'))
    expect(version?.()).not.toBe(before)
  }
  await auth.getSession()
  expect(received).toEqual(['INITIAL_SESSION', 'SIGNED_IN'])
})

test("row 9: the sign-out has a reason, and the refresh the server's error", async () => {
  const { client, storage } = startClient({
    ...signIn,
    [REFRESH]: () =>
      json({ code: 'refresh_token_already_used', message: 'Invalid Refresh Token: Already Used' }, 400, {
        'x-supabase-api-version': '2024-01-01',
      }),
  })
  const { auth } = client.supabase
  const received: string[] = []
  auth.onAuthStateChange(event => void received.push(event))
  await auth.signInWithPassword(credentials)
  const { data, error } = await auth.refreshSession()
  expect(data).toEqual({ user: null, session: null })
  expect(error).toBeInstanceOf(AuthApiError)
  expect(error?.code).toBe('refresh_token_already_used')
  await vi.waitFor(() => expect(received.at(-1)).toBe('SIGNED_OUT'))
  expect(client.status().session).toMatchObject({ phase: 'signedOut', reason: 'reuseDetected' })
  expect(await storage.getItem(STORED)).toBeNull()
})

test("the server's error is returned while the storage still removes the session", async () => {
  const memory = memoryStorage()
  const isAnswered = Promise.withResolvers<void>()
  onTestFinished(() => isAnswered.resolve())
  const slow: SessionStorage = {
    getItem: key => memory.getItem(key),
    setItem: (key, value) => memory.setItem(key, value),
    removeItem: async key => {
      await isAnswered.promise
      await memory.removeItem(key)
    },
  }
  const routes = {
    ...signIn,
    [REFRESH]: () =>
      json(
        { code: 'refresh_token_not_found', message: 'Invalid Refresh Token: Refresh Token Not Found' },
        400,
        {
          'x-supabase-api-version': '2024-01-01',
        },
      ),
  }
  const { client } = startClient(routes, { storage: slow })
  const official = createClient(URL_BASE, KEY, {
    auth: { storage: memoryStorage(), autoRefreshToken: false },
    global: { fetch: fakeBackend(routes).fetch },
  })
  const [theirs, ours] = await Promise.all(
    [official.auth, client.supabase.auth].map(async auth => {
      await auth.signInWithPassword(credentials)
      const { data, error } = await auth.refreshSession()
      return { data, name: error?.name, code: error?.code, status: error?.status }
    }),
  )
  expect(theirs).toEqual({
    data: { user: null, session: null },
    name: 'AuthApiError',
    code: 'refresh_token_not_found',
    status: 400,
  })
  expect(ours).toEqual(theirs)
})

test('row 10: signing out while unreachable ends the local session, with the failure', async () => {
  const { client, requests, storage } = startClient({ ...signIn, 'POST /auth/v1/logout': unreachable })
  const { auth } = client.supabase
  const received: string[] = []
  auth.onAuthStateChange(event => void received.push(event))
  await auth.signInWithPassword(credentials)
  expect((await auth.signOut()).error).toBeInstanceOf(AuthRetryableFetchError)
  expect(received).toEqual(['INITIAL_SESSION', 'SIGNED_IN', 'SIGNED_OUT'])
  expect(await auth.getSession()).toEqual({ data: { session: null }, error: null })
  expect(await storage.getItem(STORED)).toBeNull()
  expect(await auth.signOut()).toEqual({ error: null })
  await client.supabase.from('vessels').select()
  expect(requests.at(-1)?.authorization).toBe(`Bearer ${KEY}`)
  expect((await auth.signInWithPassword(credentials)).error).toBeNull()
})
