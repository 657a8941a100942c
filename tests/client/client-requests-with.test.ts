// Requests with options: what reaches the backend, and what is retried, queued, superseded and aborted.
import type { SupabaseClient } from '@supabase/supabase-js'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { RequestError, type RecordedClient } from '../../src/public/index.ts'
import type { RequestInfo } from '../../src/machines/index.ts'
import { startClient } from '../harness/client.ts'
import { json, jwt, KEY, sessionBody, storedSession } from '../harness/fake-backend.ts'

afterEach(() => vi.unstubAllGlobals())

const never = () => new Promise<Response>(() => undefined)

describe('access', () => {
  test('`public` sends only the key even when signed in; `user` fails when signed out', async () => {
    const { client, requests } = startClient({}, { storage: storedSession('first') })
    await client.with({ access: 'public' }).from('vessels').select()
    await client.supabase.from('vessels').select()
    expect(requests.map(({ authorization }) => authorization)).toEqual([
      `Bearer ${KEY}`,
      `Bearer ${jwt('first')}`,
    ])

    const nobody = startClient()
    const { error } = await nobody.client.with({ access: 'user' }).from('vessels').select()
    expect(error?.message).toBe('RequestError: Sign in first: this requires a session.')
    expect(nobody.requests).toEqual([])
  })

  test('a custom Authorization header is kept and waits for no session', async () => {
    const { client, requests } = startClient({}, { storage: storedSession('first') })
    await client.supabase.from('vessels').select().setHeader('Authorization', 'Bearer theirs')
    expect(requests.map(({ authorization }) => authorization)).toEqual(['Bearer theirs'])
  })
})

describe('retries', () => {
  const timings = { backoffMin: 1, backoffMax: 2 }

  test('a write is retried with its idempotency key, and not without one', async () => {
    const keys: (string | null)[] = []
    const fetch: typeof globalThis.fetch = (_, init) => {
      keys.push(new Headers(init?.headers).get('idempotency-key'))
      return Promise.resolve(keys.length < 3 ? json({}, 503) : json([{ id: 1 }], 201))
    }
    const { client } = startClient({}, { fetch, timings })
    const row = { name: 'Fulmar' } as never
    const keyed = await client.with({ idempotencyKey: 'k-1' }).from('vessels').insert(row)
    expect([keyed.status, keys]).toEqual([201, ['k-1', 'k-1', 'k-1']])
    const header = await client.supabase.from('vessels').insert(row).setHeader('Idempotency-Key', 'k-2')
    expect([header.status, keys.slice(3)]).toEqual([201, ['k-2']])
  })

  test('a function that may refuse the header in its preflight gets it only from the app, and is sent once', async () => {
    vi.stubGlobal('location', new URL('https://app.test/'))
    const keys: (string | null)[] = []
    const fetch: typeof globalThis.fetch = (_, init) => {
      keys.push(new Headers(init?.headers).get('idempotency-key'))
      return Promise.resolve(json({}, 503))
    }
    const { client } = startClient({}, { fetch, timings })
    const keyed = client.with({ idempotencyKey: 'k-1' })
    await keyed.functions.invoke('pay')
    expect(keys.splice(0)).toEqual([null])
    await keyed.from('vessels').insert({ name: 'Fulmar' } as never)
    expect(keys.splice(0)).toEqual(['k-1', 'k-1', 'k-1'])
    await client.supabase.functions.invoke('pay', { headers: { 'Idempotency-Key': 'k-2' } })
    expect(keys.splice(0)).toEqual(['k-2', 'k-2', 'k-2'])
    vi.stubGlobal('location', new URL(client.url))
    await keyed.functions.invoke('pay')
    vi.unstubAllGlobals()
    await keyed.functions.invoke('pay')
    expect(keys).toEqual(Array(6).fill('k-1'))
  })

  test('a plain response that breaks off is retried like a missing one', async () => {
    const { client, requests } = startClient(
      { 'GET /rest/v1/vessels': (_, n) => (n === 1 ? broken('[{"id":') : json([{ id: 1 }])) },
      { timings },
    )
    const { data } = await client.supabase.from('vessels').select()
    expect([data, requests.length]).toEqual([[{ id: 1 }], 2])
  })

  test.each([
    ['seconds', () => '120'],
    ['a date', () => new Date(Date.now() + 120_000).toUTCString()],
  ])('Retry-After in %s beyond the deadline fails at once', async (_, after) => {
    const { client, requests } = startClient({
      'GET /rest/v1/vessels': () => json({}, 429, { 'retry-after': after() }),
    })
    const { error } = await client.supabase.from('vessels').select()
    expect(error?.message).toMatch(
      /^RequestError: The backend is rate limiting requests. Try again in 1(19|20) s\.$/,
    )
    expect(requests.length).toBe(1)
  })

  test('a 400 from storage for an expired token refreshes the token and retries', async () => {
    const { client, requests } = startClient(
      {
        'POST /auth/v1/token?grant_type=refresh_token': () => json(sessionBody('second')),
        'POST /storage/v1/object/list/charts': ({ authorization }) =>
          authorization === `Bearer ${jwt('second')}`
            ? json([])
            : json(
                { statusCode: '403', error: 'Unauthorized', message: '"exp" claim timestamp check failed' },
                400,
              ),
      },
      { storage: storedSession('first') },
    )
    expect(await client.supabase.storage.from('charts').list()).toEqual({ data: [], error: null })
    expect(requests.map(({ path }) => path)).toEqual([
      '/storage/v1/object/list/charts',
      '/auth/v1/token?grant_type=refresh_token',
      '/storage/v1/object/list/charts',
    ])
  })

  test('a 400 from storage for a policy is returned unchanged', async () => {
    const message = 'new row violates row-level security policy'
    const { client, requests } = startClient(
      {
        'POST /storage/v1/object/list/charts': () =>
          json({ statusCode: '403', error: 'Unauthorized', message }, 400),
      },
      { storage: storedSession('first') },
    )
    expect((await client.supabase.storage.from('charts').list()).error?.message).toBe(message)
    expect(requests.length).toBe(1)
  })
})

describe('limits', () => {
  /** What the machines know of each request. */
  async function limitsOf(
    options: Parameters<typeof startClient>[1],
    run: (client: RecordedClient) => unknown,
  ) {
    const { client } = startClient({ 'POST /functions/v1/': () => json({}) }, options)
    await run(client)
    return client.recording.trace.stimuli.flatMap(({ event }) => {
      const { type, info } = event as Partial<{ type: string; info: RequestInfo }>
      if (type !== 'request.start' || !info) return []
      const { method, family, unbounded } = info
      return [`${method} ${family}${unbounded === true ? ' unbounded' : ''}`]
    })
  }
  const call = async ({ supabase: typed, fetch }: RecordedClient) => {
    const supabase = typed as unknown as SupabaseClient
    await supabase.functions.invoke('report')
    await supabase.functions.invoke('report', { method: 'GET' })
    await supabase.rpc('report')
    await supabase.rpc('report', {}, { get: true })
    await supabase.from('vessels').select()
    await supabase.from('vessels').insert({ name: 'Fulmar' })
    await supabase.storage.from('charts').upload('a.txt', 'x')
    await supabase.auth.resetPasswordForEmail('skipper@harbour.test')
    await fetch('/functions/v1/report')
  }
  const calls = [
    'POST functions',
    'GET functions',
    'POST rest',
    'GET rest',
    'GET rest',
    'POST rest',
    'POST storage',
    'POST auth',
    'GET functions',
  ]

  test('functions, procedures, writes and uploads have none, like in supabase-js', async () => {
    const limits = await limitsOf({}, call)
    expect(limits).toEqual(
      calls.map(one => (/functions|POST (rest|storage)/.test(one) ? `${one} unbounded` : one)),
    )
  })

  test('`timings.requestTimeout` limits all requests', async () => {
    expect(await limitsOf({ timings: { requestTimeout: 50_000 } }, call)).toEqual(calls)
  })
})

describe('cancellation', () => {
  test('supersede: the older request fails with its reason and its connection is aborted', async () => {
    const signals: (AbortSignal | null | undefined)[] = []
    const fetch: typeof globalThis.fetch = (_, init) => {
      signals.push(init?.signal)
      return signals.length === 1 ? never() : Promise.resolve(json([]))
    }
    const { client } = startClient({}, { fetch })
    const search = client.with({ supersede: 'search' })
    const older = search
      .from('vessels')
      .select()
      .throwOnError()
      .then(String, (error: unknown) => error)
    await vi.waitFor(() => expect(signals.length).toBe(1))
    await search.from('vessels').select()
    expect(await older).toEqual(
      new RequestError({
        kind: 'aborted',
        code: 'superseded',
        message: 'A newer request replaced this one.',
      }),
    )
    expect(signals.map(signal => signal?.aborted)).toEqual([true, false])
  })

  test('a signal aborts requests, also where the official method takes none', async () => {
    const { client } = startClient({ 'POST /storage/v1/object/charts/a.txt': never })
    const unmount = new AbortController()
    const upload = client.with({ signal: unmount.signal }).storage.from('charts').upload('a.txt', 'x')
    await vi.waitFor(() => expect(client.status().requests.sending).toBe(1))
    unmount.abort(new DOMException('The page was left.', 'AbortError'))
    expect((await upload).error).toMatchObject({ originalError: unmount.signal.reason as object })
    expect(client.status().requests.sending).toBe(0)
  })
})

test('requests wait for the boot, then start one by one, urgent ones first', async () => {
  const order: string[] = []
  const { client } = startClient(
    {
      'GET /rest/v1/': async ({ path }) => {
        order.push(path)
        await Promise.resolve()
        return json([])
      },
    },
    { maxConcurrent: 1 },
  )
  const low = client.with({ priority: 'low' })
  const high = client.with({ priority: 'high' })
  await Promise.all([
    client.supabase.from('first').select('id'),
    low.from('low').select('id'),
    high.from('high').select('id'),
  ])
  expect(order).toEqual(['/rest/v1/high?select=id', '/rest/v1/first?select=id', '/rest/v1/low?select=id'])
})

test('clients with the same options are shared', () => {
  const { client } = startClient()
  expect(client.with({ priority: 'low', access: 'user' })).toBe(
    client.with({ access: 'user', priority: 'low' }),
  )
  expect(client.with({ priority: 'low' })).not.toBe(client.with({ priority: 'high' }))
})

/** A body that ends with an error. */
const broken = (text: string) =>
  new Response(
    new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode(text))
      },
      pull: controller => controller.error(new TypeError('terminated')),
    }),
    { headers: { 'content-type': 'application/json' } },
  )
