// Faults on requests, seen by the official client.
import { describe, expect, test } from 'vitest'
import { fieldOf } from '../../../backend/shared/fields.ts'
import { officialClient, signedIn, startOwnBackend } from '../../harness/backend.ts'
import { faultScene } from '../../harness/faults.ts'

const backend = await startOwnBackend()
const { given, keep, story } = faultScene(backend)
const key = { apikey: backend.publishableKey }
const vessels = { family: 'rest', path: '/rest/v1/vessels' } as const

const ask = async (
  path: string,
  init: { method?: string; headers?: Record<string, string>; signal?: AbortSignal } = {},
) => {
  const response = await fetch(`${backend.url}${path}`, { ...init, headers: { ...key, ...init.headers } })
  const body: unknown = await response.json()
  return {
    status: response.status,
    fault: response.headers.get('x-chartroom-fault'),
    headers: response.headers,
    body,
  }
}

describe('a response', () => {
  test('with only a REST code has its default status and message', async () => {
    const skipper = await signedIn(backend, 'skipper')
    given({ id: 'full', when: vessels, do: { code: '53300' } })
    const { error, status, data } = await skipper.from('vessels').select()
    const message = 'remaining connection slots are reserved'
    expect({ status, data, error }).toMatchObject({
      status: 503,
      data: null,
      error: { code: '53300', message },
    })
    expect(story()).toEqual(['full#1 GET /rest/v1/vessels'])
  })

  test('of auth follows the requested API version', async () => {
    given({ id: 'storm', when: { family: 'auth' }, do: { code: 'over_request_rate_limit', retryAfter: 7 } })
    const path = '/auth/v1/token?grant_type=password'
    const old = await ask(path, { method: 'POST' })
    const young = await ask(path, { method: 'POST', headers: { 'x-supabase-api-version': '2024-01-01' } })
    const message = 'Request rate limit reached'
    expect([old.status, old.body, old.fault, old.headers.get('retry-after')]).toEqual([
      429,
      { code: 429, error_code: 'over_request_rate_limit', msg: message },
      'storm#1',
      '7',
    ])
    expect([young.status, young.body, young.fault]).toEqual([
      429,
      { code: 'over_request_rate_limit', message },
      'storm#2',
    ])
    const { error } = await officialClient(backend).auth.signInAnonymously()
    expect([error?.status, error?.code, error?.message]).toEqual([429, 'over_request_rate_limit', message])
  })

  test('of storage is a 400 with the status in its body, except for server failures', async () => {
    given(
      { id: 'gone', when: { family: 'storage', path: '**/gone.txt' }, do: { code: 'NoSuchKey' } },
      { id: 'slow', when: { family: 'storage' }, do: { code: 'DatabaseTimeout' } },
    )
    expect(await ask('/storage/v1/object/charts/gone.txt')).toMatchObject({
      status: 400,
      fault: 'gone#1, slow#1',
      body: { statusCode: '404', error: 'not_found', code: 'NoSuchKey', message: 'Object not found' },
    })
    expect(await ask('/storage/v1/bucket')).toMatchObject({
      status: 544,
      body: {
        statusCode: '544',
        code: 'DatabaseTimeout',
        message: 'The connection to the database timed out',
      },
    })
  })

  test('of functions is a gateway error, which the client distinguishes from the function’s own', async () => {
    given({ when: { family: 'functions' }, do: { code: 'WORKER_LIMIT' } })
    const { error, response } = await officialClient(backend).functions.invoke('tide')
    expect([fieldOf(error, 'name'), response?.status]).toEqual(['FunctionsRelayError', 546])
  })

  test('with only a status, or with a custom code', async () => {
    given(
      { id: 'own', when: vessels, do: { status: 418, code: 'KETTLE', message: 'Tea first' }, times: 1 },
      { id: 'plain', when: { family: 'realtime' }, do: { status: 500, message: 'No' } },
    )
    expect(await ask('/rest/v1/vessels')).toMatchObject({
      status: 418,
      fault: 'own#1',
      body: { code: 'KETTLE', message: 'Tea first', details: null, hint: null },
    })
    expect(await ask('/realtime/v1/api/broadcast', { method: 'POST' })).toMatchObject({
      status: 500,
      fault: 'plain#1',
    })
  })

  test('can be read with its fault by a page of another loopback origin', async () => {
    given({ when: vessels, do: { status: 503 } })
    const { headers } = await ask('/rest/v1/vessels', { headers: { origin: 'http://localhost:5173' } })
    expect(headers.get('access-control-allow-origin')).toBe('http://localhost:5173')
    expect(headers.get('access-control-expose-headers')?.split(',')).toContain('x-chartroom-fault')
  })
})

describe('selection', () => {
  const statuses = async (count: number) => {
    const all: number[] = []
    for (let n = 0; n < count; n += 1) all.push((await ask('/rest/v1/vessels')).status)
    return all
  }

  test.each([
    ['the n-th', { nth: 2 }, undefined, [200, 503, 200, 200, 200, 200]],
    ['several', { nth: [1, 4] }, undefined, [503, 200, 200, 503, 200, 200]],
    ['from … to', { from: 2, to: 3 }, undefined, [200, 503, 503, 200, 200, 200]],
    ['every', { from: 2, every: 2 }, undefined, [200, 503, 200, 503, 200, 503]],
    ['limited times', {}, 2, [503, 503, 200, 200, 200, 200]],
    ['never', { probability: 0 }, undefined, [200, 200, 200, 200, 200, 200]],
  ])('%s', async (_name, when, times, expected) => {
    given({ when: { ...vessels, ...when }, do: { status: 503 }, ...(times === undefined ? {} : { times }) })
    expect(await statuses(6)).toEqual(expected)
  })

  test('by method, query and regular expression', async () => {
    given({
      id: 'one',
      when: { method: 'GET', path: '/vessels$/', query: { select: 'name' } },
      do: { status: 503 },
    })
    expect((await ask('/rest/v1/vessels?select=name')).fault).toBe('one#1')
    expect((await ask('/rest/v1/vessels?select=id')).fault).toBe(null)
    expect((await ask('/rest/v1/voyages?select=name')).fault).toBe(null)
  })

  test('by user address or id, with any credentials; by key type', async () => {
    const [skipper, mate] = [await signedIn(backend, 'skipper'), await signedIn(backend, 'mate')]
    const { data } = await mate.auth.getUser()
    given(
      { id: 'skipper', when: { user: 'Skipper@harbour.test' }, do: { status: 429 } },
      { id: 'mate', when: { user: data.user?.id ?? '' }, do: { status: 502 } },
      { id: 'anon', when: { user: 'anon' }, do: { status: 501 } },
      { id: 'service', when: { user: 'service' }, do: { status: 500 } },
    )
    expect((await skipper.from('vessels').select()).status).toBe(429)
    expect((await mate.from('vessels').select()).status).toBe(502)
    expect((await officialClient(backend).from('vessels').select()).status).toBe(501)
    expect((await officialClient(backend, backend.secretKey).from('vessels').select()).status).toBe(500)
    const { error } = await skipper.auth.refreshSession()
    expect(error?.status).toBe(429)
    expect(story().at(-1)).toBe('skipper#2 POST /auth/v1/token')
  })
})

test('reports and applies a delay and its jitter', async () => {
  given({ id: 'late', when: vessels, do: { delay: 60, jitter: 40 } })
  const since = performance.now()
  expect((await ask('/rest/v1/vessels')).fault).toBe('late#1')
  const [hit] = backend.faults.hits().slice(-1)
  expect(hit?.delay).toBeGreaterThanOrEqual(60)
  expect(hit?.delay).toBeLessThanOrEqual(100)
  expect(performance.now() - since).toBeGreaterThanOrEqual((hit?.delay ?? 0) - 2)
})

test('a body that is too large stays too large when a fault reads it', async () => {
  given({ when: { user: 'skipper@harbour.test' }, do: { delay: 1 } }, { do: { token: 'expired' } })
  const init = {
    method: 'POST',
    headers: key,
    body: new Blob(['x'.repeat(2_000_000)]).stream(),
    duplex: 'half',
  }
  const response = await fetch(`${backend.url}/auth/v1/token?grant_type=refresh_token`, init)
  expect(response.status).toBe(413)
})

test('a write keeps its body when its token is replaced', async () => {
  const skipper = await signedIn(backend, 'skipper')
  given({ id: 'kept', when: { method: 'POST', user: 'anon' }, do: { token: 'expired' } })
  const { error } = await skipper.from('vessels').insert({ name: 'Petrel' })
  expect(error).toBe(null)
  const sent = {
    method: 'POST',
    headers: { ...key, 'content-type': 'application/json' },
    body: '{"port":"sallow quay"}',
  }
  const answer = await fetch(`${backend.url}/functions/v1/tide`, {
    ...sent,
    headers: { ...sent.headers, authorization: `Bearer ${backend.publishableKey}` },
  })
  expect([answer.status, answer.headers.get('x-chartroom-fault')]).toEqual([200, 'kept#1'])
  expect(JSON.stringify(await answer.json())).toContain('sallow quay')
})

describe('holds', () => {
  test('requests complete in the order chosen by the test', async () => {
    const [first, second] = [
      keep('first', { path: '/rest/v1/vessels' }),
      keep('second', { path: '/rest/v1/voyages' }),
    ]
    const done: string[] = []
    const calls = ['vessels', 'voyages'].map(name => ask(`/rest/v1/${name}`).then(() => done.push(name)))
    await Promise.all([first.arrived(), second.arrived()])
    await second.release()
    await calls[1]
    await first.release()
    await calls[0]
    expect(done).toEqual(['voyages', 'vessels'])
  })

  test('a response is held after execution and may be replaced', async () => {
    const skipper = await signedIn(backend, 'skipper')
    const response = keep('late', { ...vessels, method: 'POST' }, 'response')
    const insert = skipper
      .from('vessels')
      .insert({ name: 'Fulmar' })
      .then(answer => answer)
    const { at, method, path, user } = await response.arrived()
    const { data } = await skipper.auth.getUser()
    expect({ at, method, path, user }).toEqual({
      at: 'response',
      method: 'POST',
      path: '/rest/v1/vessels',
      user: data.user?.id,
    })
    expect((await skipper.from('vessels').select().eq('name', 'Fulmar')).data).toHaveLength(1)
    await response.release({ code: 'PGRST003' })
    expect(await insert).toMatchObject({ status: 504, error: { code: 'PGRST003' } })
  })

  test('a disconnected client is not waited for', async () => {
    const request = keep('left', vessels)
    const controller = new AbortController()
    const call = ask('/rest/v1/vessels', { signal: controller.signal })
    await request.arrived()
    controller.abort()
    await expect(call).rejects.toThrow('aborted')
    await expect.poll(() => backend.faults.heldRequests()).toEqual([])
  })
})
