// Requests of the client against a simulated backend: ordinary supabase-js, gated, recorded, without hidden
// refreshes.
import { gunzipSync } from 'node:zlib'
import { createClient } from '@supabase/supabase-js'
import { describe, expect, test, vi } from 'vitest'
import { RequestError } from '../../src/public/index.ts'
import { recordEverything } from '../../src/public/devtools/recording.ts'
import { readTrace, systems, verify } from '../../src/public/devtools/replay.ts'
import { memoryStorage } from '../../src/services/client/index.ts'
import { credentials, signIn, startClient } from '../harness/client.ts'
import { fakeBackend, json, jwt, KEY, sessionBody, storedSession, URL_BASE } from '../harness/fake-backend.ts'

describe('hidden refreshes', () => {
  /** 60 s of life left: inside the official client's margin of 90 s, outside the margin set here. */
  const storage = () => storedSession('last-minute', { age: 3540 })
  const timings = { refreshBefore: 20_000 }

  test('bare supabase-js refreshes before a query, even with autoRefreshToken off', async () => {
    const { fetch, requests } = fakeBackend({ 'POST /auth/v1/token': () => json(sessionBody('hidden')) })
    const held = JSON.parse(String(await storage().getItem('sb-harbour-auth-token'))) as object
    const kept = memoryStorage()
    await kept.setItem('k', JSON.stringify({ ...held, expires_at: Math.floor(Date.now() / 1000) + 60 }))
    const bare = createClient(URL_BASE, KEY, {
      auth: { storage: kept, storageKey: 'k', autoRefreshToken: false },
      global: { fetch },
    })
    await bare.from('vessels').select()
    expect(requests.map(({ path }) => path)).toContain('/auth/v1/token?grant_type=refresh_token')
  })

  test('Chartroom never refreshes: every kind of request uses the current token', async () => {
    const { client, requests } = startClient({}, { storage: storage(), timings })
    const { supabase } = client
    await supabase.from('vessels').select()
    await supabase.from('vessels').insert({ name: 'Fulmar' } as never)
    await supabase.rpc('tide')
    await supabase.storage.from('charts').list()
    await supabase.storage.from('charts').upload('a.txt', 'x')
    await supabase.storage.from('charts').download('a.txt')
    await supabase.functions.invoke('tide', { body: { port: 'Dover' } })
    expect(requests.map(({ authorization }) => authorization)).toEqual(
      Array.from({ length: 7 }, () => `Bearer ${jwt('last-minute')}`),
    )
    expect(requests.filter(({ path }) => path.startsWith('/auth/'))).toEqual([])
  })
})

describe('requests', () => {
  test('401: refreshes once and retries with the new token, invisibly to the caller', async () => {
    const { client, requests } = startClient(
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
    expect(requests.map(({ path }) => path)).toEqual([
      '/rest/v1/vessels?select=*',
      '/auth/v1/token?grant_type=refresh_token',
      '/rest/v1/vessels?select=*',
    ])
  })

  test('a request aborted by its own signal rejects with the reason and is removed', async () => {
    const { client } = startClient({ 'GET /rest/v1/slow': () => new Promise<Response>(() => undefined) })
    const controller = new AbortController()
    const call = client.supabase.from('slow').select().abortSignal(controller.signal)
    const settled = call.then(result => result.error?.message)
    await vi.waitFor(() => expect(client.status().requests.sending).toBe(1))
    controller.abort()
    expect(await settled).toContain('AbortError')
    await vi.waitFor(() => expect(client.status().requests.sending).toBe(0))
  })

  test('a body can be read later, after the request has settled', async () => {
    const { client } = startClient({
      'GET /storage/v1/object/charts/big': () => new Response('x'.repeat(1_000_000)),
    })
    const { data } = await client.supabase.storage.from('charts').download('big')
    expect((await data?.text())?.length).toBe(1_000_000)
  })

  test('dispose: requests in flight fail as disposed and nothing keeps running', async () => {
    const { client } = startClient({
      'POST /functions/v1/slow': () => new Promise<Response>(() => undefined),
    })
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

test('after dispose every request fails as disposed and none hangs', async () => {
  const { client, requests } = startClient(signIn)
  const bridge = client.channel('bridge')
  await client.dispose()
  const failure = { kind: 'disposed', message: 'The client was disposed.' }
  expect(await client.auth.signInWithPassword(credentials)).toEqual({ ok: false, failure })
  expect(await client.auth.signOut()).toEqual({ ok: false, failure })
  expect(await bridge.send('hail', {})).toMatchObject({ ok: false })
  expect(await client.channel('late').send('hail', {})).toMatchObject({ ok: false })
  const answer: unknown = await client.supabase.from('vessels').select()
  expect(answer).toMatchObject({ error: { message: 'RequestError: The client was disposed.' } })
  expect(requests).toEqual([])
})

test('a recording at its limit drops its beginning, and the rest replays', async () => {
  const { client } = startClient(signIn, { recording: recordEverything({ ring: { stimuli: 40 } }) })
  await client.auth.signInWithPassword(credentials)
  for (let n = 0; n < 60; n++) {
    await client.supabase.from('vessels').select()
    // Step subscribers are notified once per task.
    await new Promise(resolve => setTimeout(resolve, 0))
  }
  const trace = await vi.waitFor(async () => {
    const file = await client.recording.download()
    const read = await readTrace(new Uint8Array(await file.arrayBuffer()))
    if (read.kind !== 'trace') throw new Error(read.message)
    expect(read.trace.keyframes[0]?.at).toBe(0)
    return read.trace
  })
  await client.supabase.from('vessels').select()
  expect(trace.stimuli.length).toBeGreaterThanOrEqual(40)
  expect(trace.stimuli.length).toBeLessThan(80)
  expect(verify(trace, systems)).toMatchObject({ outcome: 'exact', compared: trace.steps.length })
})

test('the recording contains no secret', async () => {
  const { client } = startClient({
    ...signIn,
    'POST /auth/v1/token?grant_type=refresh_token': () => json(sessionBody('second')),
  })
  await client.auth.signInWithPassword(credentials)
  await client.auth.refresh()
  await client.supabase.from('vessels').select()
  const file = await client.recording.download()
  const text = gunzipSync(await file.arrayBuffer()).toString()
  expect(text).toContain('session.signIn')
  const secrets = [KEY, credentials.password, jwt('first'), jwt('second'), 'refresh-first', 'refresh-second']
  expect(secrets.filter(secret => text.includes(secret))).toEqual([])
})
