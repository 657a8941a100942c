// The faults API: for tools and the app's own origin; a foreign page can neither read nor use it.
import { request } from 'node:http'
import { describe, expect, test } from 'vitest'
import { startOwnBackend } from '../../harness/backend.ts'
import { faultScene } from '../../harness/faults.ts'

const backend = await startOwnBackend()
const { keep } = faultScene(backend)
const own = `${backend.url}/_chartroom/faults`

async function call(method: string, path = '', body?: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(`${own}${path}`, {
    method,
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}
const getVessels = async () => {
  const headers = { apikey: backend.publishableKey }
  const response = await fetch(`${backend.url}/rest/v1/vessels?select=name`, { headers })
  await response.text()
  return response.status
}

describe('the plan', () => {
  test('accepts one fault, several or a story, reports its hits, and removes them again', async () => {
    expect(
      await call('POST', '', { id: 'one', when: { path: '/rest/v1/vessels' }, do: { status: 503 } }),
    ).toEqual({
      status: 201,
      body: { added: ['one'] },
    })
    expect((await call('POST', '', [{ do: { delay: 1 } }, { do: { delay: 1 } }])).body).toEqual({
      added: ['fault-1', 'fault-2'],
    })
    expect((await call('POST', '', { story: 'tide' })).body).toEqual({
      added: ['tide.requests', 'tide.joins'],
    })
    const before = backend.faults.hits().length
    expect(await getVessels()).toBe(503)
    const { body } = await call('GET', `?since=${backend.faults.hits().at(before)?.seq ?? 0}`)
    expect(body).toMatchObject({
      plan: { seed: 1 },
      held: [],
      hits: [{ fault: 'fault-1' }, { fault: 'fault-2' }, { fault: 'tide.requests' }],
    })
    const hit = backend.faults.hits().at(before)
    expect(hit).toEqual({
      seq: expect.any(Number),
      at: expect.any(Number),
      fault: 'one',
      n: 1,
      family: 'rest',
      method: 'GET',
      path: '/rest/v1/vessels',
      user: 'anon',
    })
    expect((await call('DELETE', '/tide')).body).toEqual({ removed: 2 })
    expect(await call('DELETE', '/one')).toEqual({ status: 200, body: { removed: 1 } })
    expect((await call('DELETE', '/one')).status).toBe(404)
    expect((await call('DELETE')).body).toEqual({ removed: 2 })
    expect(await getVessels()).toBe(200)
  })

  test('is replaced as a whole and restarts the counts', async () => {
    const plan = {
      seed: 3,
      faults: [{ when: { path: '/rest/v1/vessels' }, do: { status: 503 }, times: 1 }],
    }
    for (let round = 0; round < 2; round += 1) {
      expect(await call('PUT', '', plan)).toEqual({ status: 200, body: { added: ['fault-1'] } })
      expect([await getVessels(), await getVessels()]).toEqual([503, 200])
    }
    expect((await call('GET')).body['plan']).toEqual({
      seed: 3,
      faults: [{ ...plan.faults[0], id: 'fault-1', hits: 1 }],
    })
  })

  test('that is invalid is rejected completely, with every mistake', async () => {
    const { status, body } = await call('PUT', '', {
      faults: [{ do: { delay: 1 } }, { do: { delay: -1 } }, { do: {} }],
    })
    expect([status, body['problems']]).toEqual([
      400,
      [
        {
          path: 'faults.1.do.delay',
          message: 'must be a whole number of milliseconds from 0 to 600000, not -1',
        },
        {
          path: 'faults.2.do',
          message: 'has no action; add one, e.g. { "delay": 500 }',
        },
      ],
    ])
    expect(backend.faults.plan().faults).toEqual([])
    await call('POST', '', { id: 'one', do: { delay: 1 } })
    expect((await call('POST', '', { id: 'one', do: { delay: 1 } })).body['problems']).toEqual([
      { path: 'id', message: '"one" is taken; use another id, or remove that fault first' },
    ])
  })
})

test('limits the number of faults', async () => {
  const many = Array.from({ length: 400 }, () => ({ do: { delay: 1 } }))
  expect([(await call('POST', '', many)).status, (await call('POST', '', many)).status]).toEqual([201, 201])
  expect(await call('POST', '', many)).toMatchObject({
    status: 400,
    body: {
      problems: [{ path: 'faults', message: 'there can be at most 1000 faults; remove some first' }],
    },
  })
})

test('lists and releases held requests, with or without a response', async () => {
  const request = keep('kept', { path: '/rest/v1/vessels' })
  const asked = getVessels()
  const { id, since } = await request.arrived()
  expect((await call('GET')).body['held']).toEqual([
    {
      id,
      fault: 'kept',
      at: 'request',
      family: 'rest',
      method: 'GET',
      path: '/rest/v1/vessels',
      user: 'anon',
      since,
    },
  ])
  expect((await call('POST', `/held/${id}/release`, { delay: 1 })).status).toBe(400)
  expect(await call('POST', `/held/${id}/release`, { code: 'PGRST003' })).toEqual({
    status: 200,
    body: { released: true },
  })
  expect(await asked).toBe(504)
  expect((await call('POST', `/held/${id}/release`, {})).status).toBe(404)
})

test('streams hits as they happen, and replays missed ones', async () => {
  await call('POST', '', { id: 'seen', when: { path: '/rest/v1/vessels' }, do: { delay: 1 } })
  await getVessels()
  const last = backend.faults.hits().at(-1)?.seq ?? 0
  const controller = new AbortController()
  const headers = { accept: 'text/event-stream', 'last-event-id': String(last - 1) }
  const { body } = await fetch(own, { headers, signal: controller.signal })
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader()
  let received = ''
  const until = async (part: string) => {
    while (!received.includes(part)) received += (await reader?.read())?.value ?? ''
  }
  await until(`id: ${last}\nevent: hit\n`)
  await getVessels()
  await until(`id: ${last + 1}\nevent: hit\ndata: {"seq":${last + 1},`)
  controller.abort()
})

describe('access', () => {
  const fault = { do: { delay: 1 } }

  test.each([
    ['a page of another origin', { origin: 'http://elsewhere.test' }, 403],
    ['a page of another port', { origin: 'http://127.0.0.1:1' }, 403],
    ['a sandboxed page', { origin: 'null' }, 403],
    ['a page that the browser marks as cross-site', { 'sec-fetch-site': 'cross-site' }, 403],
    ['a page that the browser marks as same-site only', { 'sec-fetch-site': 'same-site' }, 403],
    ['a proxy on this machine', { 'x-forwarded-for': '203.0.113.7' }, 403],
    ['a form', { 'content-type': 'application/x-www-form-urlencoded' }, 415],
    ['a page that sends plain text', { 'content-type': 'text/plain' }, 415],
    ['the app', { origin: backend.url, 'sec-fetch-site': 'same-origin' }, 201],
    ['a tool', {}, 201],
  ])('%s', async (_name, headers, status) => {
    expect((await call('POST', '', fault, headers)).status).toBe(status)
    expect(backend.faults.clear()).toBe(status === 201 ? 1 : 0)
  })

  test.each(['GET', 'DELETE'])('denies a page of another origin: %s', async method => {
    backend.faults.add(fault)
    expect((await call(method, '', undefined, { origin: 'http://elsewhere.test' })).status).toBe(403)
    expect(backend.faults.plan().faults).toHaveLength(1)
  })

  test('a preflight allows nothing', async () => {
    const headers = { origin: 'http://elsewhere.test', 'access-control-request-method': 'DELETE' }
    const response = await fetch(own, { method: 'OPTIONS', headers })
    expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([403, null])
  })

  test('a page under a host name that resolves to this machine has no access', async () => {
    const status = await new Promise(resolve => {
      const headers = { host: `evil.example:${backend.port}` }
      request(own, { headers }, response => resolve(response.resume().statusCode)).end()
    })
    expect(status).toBe(403)
  })

  test('moving the clock requires the secret key, in any request format', async () => {
    const clock = { do: { clock: -1_000 } }
    for (const [method, body] of [
      ['POST', clock],
      ['POST', [fault, clock]],
      ['PUT', { faults: [clock] }],
    ] as const) {
      expect((await call(method, '', body)).status).toBe(403)
      expect((await call(method, '', body, { apikey: backend.publishableKey })).status).toBe(403)
    }
    expect(backend.faults.plan().faults).toEqual([])
    expect((await call('POST', '', clock, { apikey: backend.secretKey })).status).toBe(201)
  })
})

test.each([
  ['not JSON', '{', 400],
  ['too large', `"${'x'.repeat(1024 * 1024)}"`, 413],
  ['deep', `${'['.repeat(50_000)}${']'.repeat(50_000)}`, 400],
  ['a __proto__ object', '{"__proto__":{"do":{"delay":1}}}', 400],
])('rejects a body that is %s', async (_name, body, status) => {
  expect((await call('POST', '', body)).status).toBe(status)
})

test.each(['?since=x', '?since=-1', '?since=1e99'])('rejects an invalid query: %s', async path => {
  expect((await call('GET', path)).status).toBe(400)
})
