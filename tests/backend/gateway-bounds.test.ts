// The gateway's limits: host names, URLs, time, and requests per connection.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect, type Socket } from 'node:net'
import { networkInterfaces } from 'node:os'
import { afterEach, expect, test } from 'vitest'
import { isKnownHost, parseHost } from '../../backend/shared/hosts.ts'
import { createBoundedServer, listen, portOf } from '../../backend/gateway/server.ts'
import { startOwnBackend } from '../harness/backend.ts'

const backend = await startOwnBackend()
const sockets: Socket[] = []
afterEach(() => sockets.splice(0).forEach(socket => socket.destroy()))

/** All bytes of the response, until the peer closes or `enough` matches. */
function exchange(port: number, text: string | Uint8Array, enough?: RegExp): Promise<string> {
  return new Promise(resolve => {
    let received = ''
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }, () => socket.write(text))
    sockets.push(socket)
    socket.on('data', data => {
      received += String(data)
      if (enough?.test(received)) resolve(received)
    })
    socket.on('error', () => resolve(received))
    socket.on('end', () => resolve(received))
  })
}

const statuses = (received: string) =>
  [...received.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(found => Number(found[1]))
const get = (path: string, more = '', host = `127.0.0.1:${backend.port}`) =>
  `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${more}\r\n`
const isWell = async () => (await fetch(`${backend.url}/_chartroom/health`)).status

const own = Object.values(networkInterfaces())
  .flatMap(list => list ?? [])
  .find(one => !one.internal && one.family === 'IPv4')?.address

test.each([
  ['127.0.0.1:8000', '127.0.0.1', true],
  ['localhost:8000', '127.0.0.1', true],
  ['LOCALHOST:8000', '127.0.0.1', true],
  ['[::1]:8000', '127.0.0.1', true],
  ['127.0.1.1:8000', '127.0.0.1', true],
  ['app.localhost:8000', '127.0.0.1', true],
  ['127.0.0.1.evil.test:8000', '127.0.0.1', false],
  ['localhost.:8000', '127.0.0.1', false],
  ['127.0.0.1', '127.0.0.1', false],
  ['127.0.0.1:8001', '127.0.0.1', false],
  ['localhost.evil.test:8000', '127.0.0.1', false],
  ['evil.test:8000', '127.0.0.1', false],
  ['user@localhost:8000', '127.0.0.1', false],
  ['localhost:8000/path', '127.0.0.1', false],
  ['', '127.0.0.1', false],
  [undefined, '127.0.0.1', false],
  ['boat.test:8000', 'boat.test', true],
  ['other.test:8000', 'boat.test', false],
  ['localhost:8000', 'boat.test', true],
  [`${own ?? '127.0.0.1'}:8000`, '0.0.0.0', true],
  [`${own ?? '127.0.0.1'}:8000`, '::', true],
  ['198.51.100.7:8000', '0.0.0.0', false],
  ['evil.test:8000', '0.0.0.0', false],
])('%s of a server at %s: %s', (header, host, known) => {
  expect(isKnownHost(header, host, 8_000)).toBe(known)
})

test('a name that a proxy keeps is answered with any port, but the tools are not', async () => {
  const proxied = await startOwnBackend({ allowHosts: ['API.example.test', '[::2]'] })
  const ask = (host: string, path = '/auth/v1/health') =>
    exchange(proxied.port, get(path, 'Connection: close\r\n', host))
  for (const host of ['api.example.test', 'api.example.test:8443', '[::2]:1', `localhost:${proxied.port}`])
    expect([host, statuses(await ask(host))]).toEqual([host, [200]])
  for (const host of ['example.test', 'x.api.example.test', 'api.example.test.evil.test', 'localhost:1'])
    expect([host, statuses(await ask(host))]).toEqual([host, [403]])
  expect(statuses(await ask('api.example.test', '/_chartroom/inbox.json'))).toEqual([403])
  const page = get(
    '/auth/v1/health',
    'Connection: close\r\nOrigin: https://api.example.test\r\n',
    'api.example.test',
  )
  expect(statuses(await exchange(proxied.port, page))).toEqual([403])
})

test.each(['', '*', '*.example.test', 'example.test:80', 'https://example.test', 'a/b', 'user@example.test'])(
  'allowing the host %j is an error',
  name => expect(() => parseHost(name)).toThrow('is not a host name'),
)

test('with a host of its own it answers there, under that name and the local ones', async () => {
  const wide = await startOwnBackend({ host: '0.0.0.0' })
  const ask = (host: string) => exchange(wide.port, get('/auth/v1/health', 'Connection: close\r\n', host))
  expect(statuses(await ask(`localhost:${wide.port}`))).toEqual([200])
  expect(statuses(await ask(`evil.test:${wide.port}`))).toEqual([403])
  expect((await fetch(`http://${own ?? '127.0.0.1'}:${wide.port}/auth/v1/health`)).status).toBe(200)
})

test.each([
  ['the address of another server', get('http://evil.test/rest/v1/'), [400]],
  ['a very long URL', get(`/rest/v1/vessels?id=in.(${'1,'.repeat(20_000)}1)`), [414]],
  ['two hosts', get('/', `Host: 127.0.0.1:${backend.port}\r\n`), [403]],
  ['an enormous head', get('/', `x-a: ${'a'.repeat(70_000)}\r\n`), [431]],
  ['two lengths', get('/', 'Content-Length: 1\r\nContent-Length: 2\r\n'), [400]],
  ['a length and chunks', get('/', 'Content-Length: 1\r\nTransfer-Encoding: chunked\r\n'), [400]],
  ['an invalid length', get('/', 'Content-Length: -5\r\n'), [400]],
  ['no host', 'GET / HTTP/1.1\r\n\r\n', [400]],
  ['bytes that are not HTTP', Uint8Array.from({ length: 64 }, (_, index) => 255 - index), [400]],
  ['a bare line feed in a header', get('/', 'x-a: b\nx: c\r\n\r\n'), [400]],
])('rejects %s and keeps working', async (_what, bytes, expected) => {
  expect(statuses(await exchange(backend.port, bytes)).slice(0, 1)).toEqual(expected)
  expect(await isWell()).toBe(200)
})

test.each([
  ['chunks with a wrong size', 'Transfer-Encoding: chunked', 'ffff\r\n{}\r\n'],
  ['an incomplete body', 'Content-Length: 5000', '{"a":'],
])('%s end with their connection', async (_what, header, body) => {
  const head = `POST /rest/v1/log_entries HTTP/1.1\r\nHost: 127.0.0.1:${backend.port}\r\napikey: ${backend.publishableKey}\r\n`
  const socket = connect(backend.port, '127.0.0.1')
  sockets.push(socket)
  // Unread data would keep it from closing.
  socket.resume()
  await new Promise(resolve => socket.write(`${head}${header}\r\n\r\n${body}`, resolve))
  socket.end()
  await new Promise(resolve => socket.once('close', resolve))
  expect(await isWell()).toBe(200)
})

test('a legitimate pipeline is answered in order, an endless one is cut', async () => {
  const three = await exchange(
    backend.port,
    get('/_chartroom/health').repeat(2) + get('/nowhere', 'Connection: close\r\n'),
  )
  expect(statuses(three)).toEqual([200, 200, 404])
  const slow = createBoundedServer((_incoming, outgoing) => outgoing.write('x'))
  await listen(slow, 0, '127.0.0.1')
  const endless = await exchange(portOf(slow), get('/').repeat(200))
  expect(statuses(endless).length).toBeLessThan(2)
  slow.closeAllConnections()
  slow.close()
})

test.each([
  ['an endless head', 'GET / HTTP/1.1\r\nHost: a\r\nx: '],
  ['an endless body', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nabc'],
  ['no data', ''],
])('%s times out', async (_what, text) => {
  const timeoutMs = { head: 100, request: 200, write: 30_000, check: 20 }
  const server = createBoundedServer(incoming => incoming.resume(), timeoutMs)
  await listen(server, 0, '127.0.0.1')
  expect(statuses(await exchange(portOf(server), text))).toEqual([408])
  server.close()
})

test('a new client is answered while others keep the database busy', async () => {
  const query = get('/rest/v1/vessels?select=name', `apikey: ${backend.secretKey}\r\n`)
  let waiting = 10 * 30
  const first = Promise.withResolvers<void>()
  const done = Promise.withResolvers<void>()
  for (let client = 0; client < 10; client += 1) {
    const socket = connect(backend.port, '127.0.0.1', () => socket.write(query.repeat(30)))
    sockets.push(socket)
    socket.on('data', data => {
      first.resolve()
      waiting -= statuses(String(data)).filter(status => status === 200).length
      if (waiting === 0) done.resolve()
    })
  }
  await first.promise
  const health = get('/_chartroom/health')
  const newcomers = Array.from({ length: 10 }, () => exchange(backend.port, health, /\}$/))
  const answers = (await Promise.all(newcomers)).flatMap(statuses)
  expect(answers).toEqual(Array.from({ length: 10 }, () => 200))
  expect(waiting).toBeGreaterThan(150)
  await done.promise
})

test('a reader that takes nothing is disconnected, a slow response is not', async () => {
  const large = Buffer.alloc(16 * 1024 * 1024)
  const server = createBoundedServer(
    (incoming, outgoing) => {
      if (incoming.url === '/late') setTimeout(() => outgoing.end('late'), 900)
      else outgoing.end(large)
    },
    { head: 15_000, request: 120_000, write: 300, check: 5_000 },
  )
  await listen(server, 0, '127.0.0.1')
  const stuck = connect(portOf(server), '127.0.0.1')
  stuck.write(get('/large'))
  stuck.pause()
  const [accepted] = await once(server, 'connection')
  const cut = once(accepted, 'close')
  const late = await fetch(`http://127.0.0.1:${portOf(server)}/late`)
  expect(await late.text()).toBe('late')
  await cut
  stuck.destroy()
  server.closeAllConnections()
  server.close()
})

test('a taken port is reported', async () => {
  await expect(listen(createServer(), backend.port, '127.0.0.1')).rejects.toThrow(/EADDRINUSE/)
})

test.each([
  ['graphql/v1', 501],
  ['pg/tables', 501],
  ['rest-admin/v1/ready', 404],
  ['rest/v2/vessels', 404],
  ['auth/v1', 404],
  ['storage/v1', 404],
  ['auth/v1/.well-known/jwks.json', 200],
])('%s without a key is a %i', async (path, status) => {
  const key = ['auth/v1', 'storage/v1'].includes(path) ? { apikey: backend.publishableKey } : {}
  const response = await fetch(`${backend.url}/${path}`, { headers: key })
  expect([response.status, response.headers.get('content-type')]).toEqual([
    status,
    // The auth server's own 404 is plain text.
    expect.stringContaining(path === 'auth/v1' ? 'text/plain' : 'json'),
  ])
})

test('rest/v1 without a path describes itself; forwarding headers are not trusted', async () => {
  const headers = {
    apikey: backend.secretKey,
    'x-forwarded-host': 'evil.test',
    'x-forwarded-proto': 'https',
    forwarded: 'host=evil.test;proto=https',
  }
  const body: unknown = await (await fetch(`${backend.url}/rest/v1`, { headers })).json()
  expect(body).toMatchObject({ host: `127.0.0.1:${backend.port}`, schemes: ['http'] })
  const head = await fetch(`${backend.url}/rest/v1/`, { method: 'HEAD', headers })
  expect([head.status, await head.text()]).toEqual([200, ''])
})

test('rejected keys have their reason in a header that pages may read', async () => {
  const response = await fetch(`${backend.url}/rest/v1/vessels`, { headers: { apikey: 'wrong' } })
  expect([response.status, response.headers.get('sb-error-code'), await response.json()]).toEqual([
    401,
    'UNAUTHORIZED_INVALID_API_KEY',
    { message: 'Invalid API key', hint: 'Double check your Supabase `apikey`' },
  ])
  const exposed = response.headers.get('access-control-expose-headers')?.split(',')
  expect(exposed).toEqual(expect.arrayContaining(['sb-error-code', 'x-total-count', 'link', 'retry-after']))
})

test('a page of another origin can read that its URL is too long', async () => {
  const address = `${backend.url}/rest/v1/vessels?id=in.(${'1,'.repeat(20_000)}1)`
  const headers = { origin: 'http://localhost:5173', 'access-control-request-method': 'GET' }
  const preflight = await fetch(address, { method: 'OPTIONS', headers })
  const answer = await fetch(address, { headers: { origin: headers.origin } })
  expect(
    [preflight, answer].map(one => [one.status, one.headers.get('access-control-allow-origin')]),
  ).toEqual([
    [204, headers.origin],
    [414, headers.origin],
  ])
})
