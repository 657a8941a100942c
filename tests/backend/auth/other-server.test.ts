// Another auth server behind /auth/v1: what reaches it, what comes back, and its users.
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import { text } from 'node:stream/consumers'
import { decodeJwt, jwtVerify, SignJWT } from 'jose'
import { beforeEach, describe, expect, test } from 'vitest'
import { startBackend } from '../../../backend/index.ts'
import { CLI_KEYS } from '../../../backend/keys/index.ts'
import { CHEAP, startTestBackend } from '../../harness/backend.ts'
import { atFileEnd } from '../../harness/endings.ts'

interface Received {
  readonly method: string
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

interface Reply {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** A server that records requests, and replies with what the test sets. */
async function startServer() {
  const received: Received[] = []
  const state: { reply: (request: Received) => Reply } = { reply: () => ({ status: 200, body: '{}' }) }
  const server = createServer((incoming, outgoing) => {
    const { method = '', url = '', headers } = incoming
    void text(incoming).then(body => {
      const request = { method, url, headers, body }
      received.push(request)
      const reply = state.reply(request)
      outgoing.writeHead(reply.status, reply.headers).end(reply.body)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  atFileEnd(() => stop(server))
  return { url: `http://127.0.0.1:${portOf(server)}`, received, state, server }
}

function portOf(server: Server): number {
  const address = server.address()
  return typeof address === 'object' && address ? address.port : 0
}

function stop(server: Server): void {
  server.closeAllConnections()
  server.close()
}

/** The only key that both servers have. */
const SECRET = new TextEncoder().encode(CLI_KEYS.jwtSecret)

const other = await startServer()
const backend = await startTestBackend({ authUrl: `${other.url}/base/` })
const created = other.received.splice(0)

beforeEach(() => {
  other.received.length = 0
  other.state.reply = () => ({ status: 200, body: '{}' })
  backend.faults.clear()
})

const { publishableKey: apikey, secretKey } = backend

const send = (path: string, init: RequestInit = {}) =>
  fetch(`${backend.url}/auth/v1/${path}`, { redirect: 'manual', ...init })

/** The claims of the bearer that the server received last, signed with the shared secret. */
async function bearerClaims() {
  const token = other.received.at(-1)?.headers.authorization?.replace('Bearer ', '') ?? ''
  return (await jwtVerify(token, SECRET)).payload
}

describe('a request', () => {
  test('arrives with its method, path, query, headers and body', async () => {
    await send('token?grant_type=password&x=%26', {
      method: 'POST',
      headers: { apikey, 'content-type': 'application/json', 'x-client-info': 'a-test' },
      body: '{"email":"skipper@harbour.test"}',
    })
    expect(other.received).toMatchObject([
      {
        method: 'POST',
        url: '/base/token?grant_type=password&x=%26',
        headers: {
          'content-type': 'application/json',
          'x-client-info': 'a-test',
          'x-forwarded-for': '127.0.0.1',
        },
        body: '{"email":"skipper@harbour.test"}',
      },
    ])
  })

  test.each([
    ['the publishable key', { apikey }, 'anon'],
    ['the publishable key as the bearer, too', { apikey, authorization: `Bearer ${apikey}` }, 'anon'],
    ['the secret key', { apikey: secretKey }, 'service_role'],
  ])('with %s carries the token of its role', async (_, headers, role) => {
    await send('settings', { headers })
    expect(await bearerClaims()).toMatchObject({ role })
  })

  test('with a user’s token carries that token', async () => {
    await send('user', { headers: { apikey, authorization: 'Bearer a.user.token' } })
    expect(other.received[0]?.headers.authorization).toBe('Bearer a.user.token')
  })

  test('without a key is refused, unless it is a link', async () => {
    expect((await send('user')).status).toBe(401)
    expect((await send('verify?token=x')).status).toBe(200)
    expect(other.received.map(({ url, headers }) => [url, headers.authorization])).toEqual([
      ['/base/verify?token=x', undefined],
    ])
  })
})

describe('a response', () => {
  test('arrives with its status, headers and body, and the gateway’s own CORS', async () => {
    other.state.reply = () => ({
      status: 422,
      headers: { 'x-sb-error-code': 'weak_password', 'access-control-allow-origin': '*' },
      body: '{"error_code":"weak_password"}',
    })
    const response = await send('signup', {
      method: 'POST',
      headers: { apikey, origin: 'http://localhost:3000' },
      body: '{}',
    })
    expect([response.status, await response.json()]).toEqual([422, { error_code: 'weak_password' }])
    expect(response.headers.get('x-sb-error-code')).toBe('weak_password')
    expect(response.headers.get('access-control-allow-origin')).toBe('http://localhost:3000')
  })

  test('that redirects is not followed', async () => {
    const location = 'http://localhost:3000/#access_token=x'
    other.state.reply = () => ({ status: 303, headers: { location } })
    const response = await send('verify?token=x')
    expect([response.status, response.headers.get('location')]).toEqual([303, location])
  })

  test('of an unreachable server is 502 and says which', async () => {
    const gone = await startServer()
    const lonely = await startTestBackend({ authUrl: gone.url })
    stop(gone.server)
    const response = await fetch(`${lonely.url}/auth/v1/health`)
    expect(response.status).toBe(502)
    expect(await response.json()).toEqual({
      message: expect.stringMatching(
        `^The auth server at ${gone.url} can't be reached: .*ECONNREFUSED`,
      ) as string,
    })
  })

  test('is not awaited when a fault answers', async () => {
    backend.faults.add({ when: { path: '/auth/v1/token' }, do: { code: 'over_request_rate_limit' } })
    const response = await send('token?grant_type=password', { method: 'POST', headers: { apikey } })
    expect([response.status, other.received]).toEqual([429, []])
  })
})

test('a user’s token of the other server is accepted by REST', async () => {
  const [skipper] = created.map(({ body }) => JSON.parse(body) as { id: string })
  const token = await new SignJWT({ sub: skipper?.id ?? '', role: 'authenticated' })
    .setProtectedHeader({ alg: 'HS256' })
    .setExpirationTime('1h')
    .sign(SECRET)
  const response = await fetch(`${backend.url}/rest/v1/log_entries?select=id`, {
    headers: { apikey, authorization: `Bearer ${token}` },
  })
  expect([response.status, ((await response.json()) as unknown[]).length]).toEqual([200, 40])
})

describe('the demo’s users', () => {
  test('are created with the ids that its rows refer to', async () => {
    expect(created.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'POST /base/admin/users',
      'POST /base/admin/users',
    ])
    expect(created.map(({ body }) => JSON.parse(body) as unknown)).toEqual(
      backend.accounts.map(account => ({
        ...account,
        id: expect.any(String) as string,
        email_confirm: true,
      })),
    )
    expect(decodeJwt(created[0]?.headers.authorization?.slice(7) ?? '')['role']).toBe('service_role')
  })

  test('may exist', async () => {
    const server = await startServer()
    server.state.reply = ({ method }) => ({ status: method === 'POST' ? 422 : 200, body: '{}' })
    await startTestBackend({ authUrl: server.url })
    expect(
      server.received.map(({ method, url }) => `${method} ${url.replace(/[\da-f-]{36}/, ':id')}`),
    ).toEqual(['POST /admin/users', 'GET /admin/users/:id', 'POST /admin/users', 'GET /admin/users/:id'])
  })

  test('with other ids, or a server that refuses them, stop the start', async () => {
    const server = await startServer()
    server.state.reply = ({ method }) =>
      method === 'POST' ? { status: 422, body: '{"error_code":"email_exists"}' } : { status: 404 }
    await expect(startBackend({ data: 'memory', auth: CHEAP, authUrl: server.url })).rejects.toThrow(
      /does not accept the user skipper@harbour.test with the id [\da-f-]{36}: {"error_code":"email_exists"}/,
    )
  })
})

test.each(['ftp://127.0.0.1', 'auth.example.test'])('%s is no URL of an auth server', async authUrl => {
  await expect(startBackend({ data: 'memory', auth: CHEAP, authUrl })).rejects.toThrow(
    `The URL of the auth server must start with http, not ${authUrl}.`,
  )
})
