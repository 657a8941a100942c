// The client over a made-up backend: ordinary supabase-js calls, each gated, none of them refreshing in secret.
import { createClient } from '@supabase/supabase-js'
import { afterEach, describe, expect, test, vi } from 'vitest'
import {
  createChartroomClient,
  RequestError,
  type ChartroomClient,
  type ChartroomOptions,
} from '../../src/index.ts'
import { readTrace, systems, verify } from '../../src/replay.ts'
import { memoryStorage } from '../../src/services/session-store.ts'
import {
  fakeBackend,
  json,
  jwt,
  KEY,
  sessionBody,
  storedSession,
  URL_BASE,
  type Answer,
} from '../harness/fake-backend.ts'

const clients: ChartroomClient[] = []
afterEach(async () => {
  await Promise.all(clients.splice(0).map(client => client.dispose()))
})

function start(routes: Readonly<Record<string, Answer>> = {}, options: Partial<ChartroomOptions> = {}) {
  const { fetch, asked } = fakeBackend(routes)
  const storage = options.storage ?? memoryStorage()
  const client = createChartroomClient({ url: URL_BASE, key: KEY, fetch, storage, ...options })
  clients.push(client)
  return { client, asked, storage }
}

const signIn = { 'POST /auth/v1/token?grant_type=password': () => json(sessionBody('first')) }
const credentials = { email: 'skipper@harbour.test', password: 'harbour-demo' }

describe('options', () => {
  test.each(['', 'harbour', 'ftp://harbour.test', 'javascript:alert(1)'])(
    'url %j is refused, saying what is wanted',
    url => {
      expect(() => createChartroomClient({ url, key: KEY })).toThrow(
        '`url` must be the http(s) address of a backend, e.g. https://example.supabase.co',
      )
    },
  )

  test('an empty key is refused', () => {
    expect(() => createChartroomClient({ url: URL_BASE, key: '' })).toThrow(
      '`key` must be the publishable key',
    )
  })
})

describe('auth', () => {
  test('sign in: the user, a stored session in the official shape, calls as the user', async () => {
    const { client, asked, storage } = start(signIn)
    expect(await client.auth.signInWithPassword(credentials)).toEqual({
      ok: true,
      value: { id: 'skipper-id', email: 'skipper@harbour.test' },
    })
    expect(JSON.parse((await storage.getItem('sb-harbour.test-auth-token')) ?? '')).toMatchObject({
      access_token: jwt('first'),
      refresh_token: 'refresh-first-0123456789',
      user: { id: 'skipper-id' },
    })
    await client.supabase.from('vessels').select()
    expect(asked.at(-1)).toMatchObject({
      method: 'GET',
      path: '/rest/v1/vessels?select=*',
      authorization: `Bearer ${jwt('first')}`,
      apikey: KEY,
    })
  })

  test('a wrong password: the failure in words, the code of the server', async () => {
    const { client } = start({
      'POST /auth/v1/token': () =>
        json({ code: 'invalid_credentials', message: 'Invalid login credentials' }, 400, {
          'x-supabase-api-version': '2024-01-01',
        }),
    })
    const failure = {
      kind: 'auth',
      code: 'invalid_credentials',
      status: 400,
      message: 'E-mail or password is wrong.',
    }
    expect(await client.auth.signInWithPassword(credentials)).toEqual({ ok: false, failure })
    expect(client.status().session).toEqual({ phase: 'signedOut', reason: 'never', failure })
  })

  test('an unreachable backend is told as such', async () => {
    const { client } = start({ 'POST /auth/v1/token': () => Promise.reject(new TypeError('fetch failed')) })
    expect(await client.auth.signInWithPassword(credentials)).toEqual({
      ok: false,
      failure: { kind: 'network', message: 'The backend cannot be reached.' },
    })
  })

  test('429 carries its Retry-After', async () => {
    const { client } = start({
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

  test('sign up without a session: the address is to be confirmed', async () => {
    const { client } = start({ 'POST /auth/v1/signup': () => json(sessionBody('x').user) })
    expect(await client.auth.signUp(credentials)).toEqual({
      ok: true,
      value: { user: { id: 'skipper-id', email: 'skipper@harbour.test' }, confirmationRequired: true },
    })
  })

  test('sign out: the storage is empty, the server is told with the token, later calls are anonymous', async () => {
    const { client, asked, storage } = start({
      ...signIn,
      'POST /auth/v1/logout': () => new Response(null, { status: 204 }),
    })
    await client.auth.signInWithPassword(credentials)
    expect(await client.auth.signOut()).toEqual({ ok: true, value: undefined })
    expect(await storage.getItem('sb-harbour.test-auth-token')).toBeNull()
    expect(asked.at(-1)).toMatchObject({
      path: '/auth/v1/logout?scope=local',
      authorization: `Bearer ${jwt('first')}`,
    })
    await client.supabase.from('vessels').select()
    expect(asked.at(-1)?.authorization).toBe(`Bearer ${KEY}`)
  })

  test('refresh: rotates, stores and uses the new token; refused for good: signed out with the reason', async () => {
    const { client, asked, storage } = start({
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
    expect(asked.at(-1)?.body).toBe(JSON.stringify({ refresh_token: 'refresh-first-0123456789' }))
    expect(await storage.getItem('sb-harbour.test-auth-token')).toContain('refresh-second-0123456789')
    await client.supabase.from('vessels').select()
    expect(asked.at(-1)?.authorization).toBe(`Bearer ${jwt('second')}`)
    expect(await client.auth.refresh()).toMatchObject({ ok: false })
    await vi.waitFor(() =>
      expect(client.status().session).toMatchObject({ phase: 'signedOut', reason: 'reuseDetected' }),
    )
  })
})

describe('the stored session', () => {
  test('is taken up, with its age counted in', async () => {
    const { client } = start({}, { storage: storedSession('kept', { age: 600 }) })
    await vi.waitFor(() => expect(client.status().session.phase).toBe('authenticated'))
    const { session } = client.status()
    const left = session.phase === 'authenticated' ? session.token.expiresAt - client.now() : 0
    expect(left).toBeGreaterThan(2_990_000)
    expect(left).toBeLessThanOrEqual(3_000_000)
  })

  test('past its life: refreshed before any request goes out', async () => {
    const { client, asked } = start(
      { 'POST /auth/v1/token?grant_type=refresh_token': () => json(sessionBody('new')) },
      { storage: storedSession('old', { age: 7200 }) },
    )
    await client.supabase.from('vessels').select()
    expect(asked.map(({ path, authorization }) => [path, authorization])).toEqual([
      ['/auth/v1/token?grant_type=refresh_token', `Bearer ${KEY}`],
      ['/rest/v1/vessels?select=*', `Bearer ${jwt('new')}`],
    ])
  })

  test.each(['{', '"text"', '{"access_token":1}', '[]', 'null'])(
    'unreadable (%s): signed out as corrupt, and a new sign-in mends it',
    async text => {
      const storage = memoryStorage()
      await storage.setItem('sb-harbour.test-auth-token', text)
      const { client } = start(signIn, { storage })
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
    },
  )

  test('rotated by another tab in the meantime: taken over instead of spending our token twice', async () => {
    const { client, asked, storage } = start({}, { storage: storedSession('mine', { age: 60 }) })
    await vi.waitFor(() => expect(client.status().session.phase).toBe('authenticated'))
    await storage.setItem(
      'sb-harbour.test-auth-token',
      JSON.stringify({ ...sessionBody('theirs'), received_at: Date.now() }),
    )
    expect(await client.auth.refresh()).toEqual({ ok: true, value: undefined })
    await client.supabase.from('vessels').select()
    expect(asked.map(({ authorization }) => authorization)).toEqual([`Bearer ${jwt('theirs')}`])
  })
})

test('signed out while a refresh is under way: nothing is written back', async () => {
  let answer: (response: Response) => void = () => undefined
  const { client, storage } = start({
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
  expect(await storage.getItem('sb-harbour.test-auth-token')).toBeNull()
  await client.supabase.from('vessels').select()
  expect(await storage.getItem('sb-harbour.test-auth-token')).toBeNull()
})

describe('no hidden refresh', () => {
  /** 60 s of life left: inside the official client's margin of 90 s, outside ours as set here. */
  const storage = () => storedSession('last-minute', { age: 3540 })
  const timings = { refreshBefore: 20_000 }

  test('bare supabase-js refreshes behind a query, even with autoRefreshToken off', async () => {
    const { fetch, asked } = fakeBackend({ 'POST /auth/v1/token': () => json(sessionBody('hidden')) })
    const held = JSON.parse(String(await storage().getItem('sb-harbour.test-auth-token'))) as object
    const kept = memoryStorage()
    await kept.setItem('k', JSON.stringify({ ...held, expires_at: Math.floor(Date.now() / 1000) + 60 }))
    const bare = createClient(URL_BASE, KEY, {
      auth: { storage: kept, storageKey: 'k', autoRefreshToken: false },
      global: { fetch },
    })
    await bare.from('vessels').select()
    expect(asked.map(({ path }) => path)).toContain('/auth/v1/token?grant_type=refresh_token')
  })

  test('ours never does: queries, writes, rpc, storage, functions all go out with the token as it is', async () => {
    const { client, asked } = start({}, { storage: storage(), timings })
    const { supabase } = client
    await supabase.from('vessels').select()
    await supabase.from('vessels').insert({ name: 'Fulmar' } as never)
    await supabase.rpc('tide')
    await supabase.storage.from('charts').list()
    await supabase.storage.from('charts').upload('a.txt', 'x')
    await supabase.storage.from('charts').download('a.txt')
    await supabase.functions.invoke('tide', { body: { port: 'Dover' } })
    expect(asked.map(({ authorization }) => authorization)).toEqual(
      Array.from({ length: 7 }, () => `Bearer ${jwt('last-minute')}`),
    )
    expect(asked.filter(({ path }) => path.startsWith('/auth/'))).toEqual([])
  })
})

describe('requests', () => {
  test('401: refreshed once, repeated with the new token, answered as if nothing had been', async () => {
    const { client, asked } = start(
      {
        'POST /auth/v1/token?grant_type=refresh_token': () => json(sessionBody('second')),
        'GET /rest/v1/vessels': ({ authorization }) =>
          authorization === `Bearer ${jwt('second')}`
            ? json([{ id: 1 }])
            : json({ code: 'PGRST303', message: 'JWT expired' }, 401),
      },
      { storage: storedSession('first') },
    )
    expect(await client.supabase.from('vessels').select()).toMatchObject({ data: [{ id: 1 }], error: null })
    expect(asked.map(({ path }) => path)).toEqual([
      '/rest/v1/vessels?select=*',
      '/auth/v1/token?grant_type=refresh_token',
      '/rest/v1/vessels?select=*',
    ])
  })

  test('aborted by its own signal: rejects with its reason, and the call is gone', async () => {
    const { client } = start({ 'GET /rest/v1/slow': () => new Promise<Response>(() => undefined) })
    const controller = new AbortController()
    const call = client.supabase.from('slow').select().abortSignal(controller.signal)
    const settled = call.then(result => result.error?.message)
    await vi.waitFor(() => expect(client.status().requests).toEqual({ waiting: 0, sending: 1 }))
    controller.abort()
    expect(await settled).toContain('AbortError')
    await vi.waitFor(() => expect(client.status().requests).toEqual({ waiting: 0, sending: 0 }))
  })

  test('a body can be read at leisure after the request settled', async () => {
    const { client } = start({
      'GET /storage/v1/object/charts/big': () => new Response('x'.repeat(1_000_000)),
    })
    const { data } = await client.supabase.storage.from('charts').download('big')
    expect((await data?.text())?.length).toBe(1_000_000)
  })

  test('dispose: what is in flight fails as disposed, nothing is left running', async () => {
    const { client } = start({ 'POST /functions/v1/slow': () => new Promise<Response>(() => undefined) })
    const call = client.supabase.functions.invoke('slow')
    await vi.waitFor(() => expect(client.status().requests.sending).toBe(1))
    await client.dispose()
    const { error }: { error: unknown } = await call
    const cause: unknown = (error as { context?: unknown } | null)?.context
    expect(cause).toBeInstanceOf(RequestError)
    expect((cause as RequestError).failure).toEqual({ kind: 'disposed', message: 'The client was disposed.' })
    expect(client.status().session).toEqual({ phase: 'disposed' })
  })
})

test('after dispose every call fails as disposed, none hangs', async () => {
  const { client, asked } = start(signIn)
  const bridge = client.channel('bridge')
  await client.dispose()
  const failure = { kind: 'disposed', message: 'The client was disposed.' }
  expect(await client.auth.signInWithPassword(credentials)).toEqual({ ok: false, failure })
  expect(await client.auth.signOut()).toEqual({ ok: false, failure })
  expect(await bridge.send('hail', {})).toMatchObject({ ok: false })
  expect(await client.channel('late').send('hail', {})).toMatchObject({ ok: false })
  const answer: unknown = await client.supabase.from('vessels').select()
  expect(answer).toMatchObject({ error: { message: 'RequestError: The client was disposed.' } })
  expect(asked).toEqual([])
})

test('a recording that reached its limit gives way to a new one, which replays', async () => {
  const { client } = start(signIn, { recordingLimit: 40 })
  await client.auth.signInWithPassword(credentials)
  for (let n = 0; n < 30; n++) await client.supabase.from('vessels').select()
  const trace = await vi.waitFor(async () => {
    const file = await client.recording.download()
    const read = await readTrace(new Uint8Array(await file.arrayBuffer()))
    if (read.kind !== 'trace') throw new Error(read.message)
    expect(read.trace.keyframe).toBeDefined()
    return read.trace
  })
  await client.supabase.from('vessels').select()
  expect(trace.views.length).toBeLessThan(100)
  expect(verify(trace, systems)).toMatchObject({ outcome: 'exact', compared: trace.views.length })
})

test('no secret is in the recording of all this', async () => {
  const { client } = start({
    ...signIn,
    'POST /auth/v1/token?grant_type=refresh_token': () => json(sessionBody('second')),
  })
  await client.auth.signInWithPassword(credentials)
  await client.auth.refresh()
  await client.supabase.from('vessels').select()
  const file = await client.recording.download()
  const text = await new Response(file.stream().pipeThrough(new DecompressionStream('gzip'))).text()
  expect(text).toContain('session.signIn')
  const secrets = [KEY, credentials.password, jwt('first'), jwt('second'), 'refresh-first', 'refresh-second']
  expect(secrets.filter(secret => text.includes(secret))).toEqual([])
})
