// The gateway: CORS, limits, errors and access.
import { request } from 'node:http'
import { connect } from 'node:net'
import { networkInterfaces } from 'node:os'
import { expect, test } from 'vitest'
import { openGateway } from '../../backend/gateway/index.ts'
import { startBackend } from '../../backend/index.ts'
import { startTestBackend } from '../harness/backend.ts'
import { movableClock } from '../harness/mail.ts'

const clock = movableClock()
const backend = await startTestBackend({
  clock,
  accessTokenSeconds: 1,
  site: ({ url }) => new Response(`site ${new URL(url).pathname}`),
})
const key = { apikey: backend.publishableKey }

test.each([
  'auth/v1/token',
  'rest/v1/vessels',
  'storage/v1/object/charts/a',
  'functions/v1/tide',
  'realtime/v1/api/broadcast',
])('a preflight for %s allows what the official client sends', async path => {
  const response = await fetch(`${backend.url}/${path}`, {
    method: 'OPTIONS',
    headers: {
      origin: 'http://localhost:5173',
      'access-control-request-method': 'PATCH',
      'access-control-request-headers': 'authorization,apikey,content-type,x-client-info,x-upsert,prefer',
    },
  })
  expect(response.status).toBe(204)
  expect(response.headers.get('access-control-allow-origin')).toBe('http://localhost:5173')
  expect(response.headers.get('access-control-allow-methods')).toContain('PATCH')
  expect(response.headers.get('access-control-allow-headers')).toBe(
    'authorization,apikey,content-type,x-client-info,x-upsert,prefer',
  )
})

test('responses and errors of every service have CORS headers, once', async () => {
  const paths = [
    'auth/v1/health',
    'rest/v1/vessels',
    'storage/v1/bucket',
    'functions/v1/none',
    'realtime/v1/none',
  ]
  const origin = 'http://localhost:5173'
  for (const path of paths) {
    for (const headers of [key, {}]) {
      const response = await fetch(`${backend.url}/${path}`, { headers: { ...headers, origin } })
      expect([path, response.headers.get('access-control-allow-origin')]).toEqual([path, origin])
      expect(response.headers.get('vary')?.toLowerCase()).toContain('origin')
      expect(response.headers.get('access-control-expose-headers')?.toLowerCase()).toContain('content-range')
      expect(response.headers.get('content-type')).toContain('application/json')
    }
  }
})

test('a request without a key is told so', async () => {
  const response = await fetch(`${backend.url}/rest/v1/vessels`)
  expect(response.status).toBe(401)
  expect(await response.json()).toEqual({
    message: 'No API key found in request',
    hint: 'No `apikey` request header or url param was found.',
  })
})

test('a body that is too large gives 413, with or without a declared length', async () => {
  const body = 'x'.repeat(1024 * 1024 + 1)
  const announced = await fetch(`${backend.url}/auth/v1/signup`, { method: 'POST', headers: key, body })
  // Undici requires `duplex` with a stream; the DOM types lack it.
  const init = { method: 'POST', headers: key, body: new Blob([body]).stream(), duplex: 'half' }
  const chunked = await fetch(`${backend.url}/auth/v1/signup`, init)
  const message = 'The body is larger than 1 MB'
  for (const response of [announced, chunked]) {
    expect(response.status).toBe(413)
    expect(await response.json()).toEqual({
      statusCode: '413',
      error: 'Payload too large',
      code: 'EntityTooLarge',
      message,
      msg: message,
    })
  }
})

test('a body that is not JSON gives an error with a code', async () => {
  const headers = { ...key, 'content-type': 'application/json' }
  const response = await fetch(`${backend.url}/rest/v1/vessels`, { method: 'POST', headers, body: '{' })
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({ code: 'PGRST102' })
})

test('an expired token gives 401 and PGRST303', async () => {
  const account = backend.accounts[0]
  const session = await fetch(`${backend.url}/auth/v1/token?grant_type=password`, {
    method: 'POST',
    headers: { ...key, 'content-type': 'application/json' },
    body: JSON.stringify(account),
  })
  const authorization = `Bearer ${Reflect.get(Object(await session.json()), 'access_token')}`
  const read = () => fetch(`${backend.url}/rest/v1/vessels`, { headers: { ...key, authorization } })
  expect((await read()).status).toBe(200)
  // A second, and the 30 by which PostgREST lets clocks differ.
  clock.advance(32)
  expect((await read()).status).toBe(401)
  expect(await (await read()).json()).toMatchObject({ code: 'PGRST303', message: 'JWT expired' })
})

test('unknown paths go to the site, backend paths do not', async () => {
  expect(await (await fetch(`${backend.url}/any/where`)).text()).toBe('site /any/where')
  expect(await (await fetch(`${backend.url}/_chartroom/health`)).json()).toEqual({ status: 'ok' })
  expect(await (await fetch(`${backend.url}/_chartroom/config`)).text()).toBe('site /_chartroom/config')
})

test('a page under another name is not served', async () => {
  const answer = await new Promise<{ status: number | undefined; body: string }>((resolve, reject) => {
    const headers = { host: `evil.example:${backend.port}`, ...key }
    request(`${backend.url}/rest/v1/vessels`, { headers }, response => {
      let body = ''
      response.on('data', chunk => (body += chunk))
      response.on('end', () => resolve({ status: response.statusCode, body }))
    })
      .on('error', reject)
      .end()
  })
  expect(answer).toEqual({
    status: 403,
    body: JSON.stringify({
      message: 'This backend does not serve this host name',
      hint: 'If a proxy of yours keeps the name, start the backend with --allow-host NAME',
    }),
  })
})

test('nothing listens beyond loopback', async () => {
  const others = Object.values(networkInterfaces()).flatMap(list => list ?? [])
  const outside = others.filter(one => !one.internal && one.family === 'IPv4').map(one => one.address)
  for (const host of [...outside, '127.0.0.2']) {
    const refused = await new Promise(resolve => {
      const socket = connect({ host, port: backend.port }, () => resolve('connected'))
      socket.on('error', error => resolve(Reflect.get(error, 'code')))
    })
    expect([host, refused]).toEqual([host, 'ECONNREFUSED'])
  }
})

test('a backend without a site returns 404 with JSON', async () => {
  const bare = await startTestBackend()
  const response = await fetch(`${bare.url}/any/where`)
  expect([response.status, await response.json()]).toEqual([404, { message: 'Not Found' }])
})

test('a taken port rejects with EADDRINUSE', async () => {
  await expect(startBackend({ data: 'memory', port: backend.port })).rejects.toThrow(
    expect.objectContaining({ code: 'EADDRINUSE', message: expect.stringContaining('EADDRINUSE') }),
  )
})

test('other origins cannot read the app, including loopback origins', async () => {
  const response = await fetch(`${backend.url}/any/where`, { headers: { origin: 'http://localhost:5173' } })
  expect(response.headers.get('access-control-allow-origin')).toBe(null)
})

test('during startup, every service responds with 503 to pages of any origin', async () => {
  const gateway = await openGateway(0)
  const ask = (method: string) =>
    fetch(`http://127.0.0.1:${gateway.port}/rest/v1/vessels`, {
      method,
      headers: { origin: 'http://elsewhere.test', 'access-control-request-method': 'GET' },
    })
  const [answer, preflight] = [await ask('GET'), await ask('OPTIONS')]
  await gateway.stop()
  expect([answer.status, await answer.json()]).toEqual([503, { message: 'The backend is starting' }])
  expect([answer.headers.get('Retry-After'), answer.headers.get('Refresh')]).toEqual(['1', '1'])
  expect(answer.headers.get('access-control-allow-origin')).toBe('http://elsewhere.test')
  expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([
    204,
    'http://elsewhere.test',
  ])
})
