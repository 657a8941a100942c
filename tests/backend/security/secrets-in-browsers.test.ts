// A key that bypasses policies does not belong in a page: the backend rejects it wherever a browser sends it.
import { SignJWT } from 'jose'
import { WebSocket } from 'ws'
import { describe, expect, test } from 'vitest'
import { CLI_KEYS } from '../../../backend/keys/index.ts'
import { startTestBackend } from '../../harness/backend.ts'

const [own, cli] = await Promise.all([startTestBackend(), startTestBackend({ keys: 'cli' })])

const signed = (claims: Record<string, string>) =>
  new SignJWT(claims)
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setExpirationTime('1h')
    .sign(new TextEncoder().encode(CLI_KEYS.jwtSecret))
const serviceRole = await signed({ role: 'service_role' })
const anon = await signed({ role: 'anon' })
const admin = await signed({ role: 'supabase_admin' })
const user = '11111111-2222-3333-4444-555555555555'
const userAsService = await signed({ role: 'service_role', sub: user })

const BROWSERS: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  ['an origin', { origin: 'http://localhost:3000' }],
  ['a fetch site', { 'sec-fetch-site': 'same-site' }],
  ['a fetch destination', { 'sec-fetch-dest': 'empty' }],
  ['a user agent', { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64)' }],
]

const PATHS = [
  'rest/v1/log_entries?select=id',
  'auth/v1/admin/users',
  'storage/v1/bucket',
  'functions/v1/echo',
  'realtime/v1/api/broadcast',
]

describe.each([
  ['the secret key as apikey', own, { apikey: own.secretKey }],
  ['the secret key as bearer', own, { apikey: own.publishableKey, authorization: `Bearer ${own.secretKey}` }],
  ['the secret key as bearer only', own, { authorization: `Bearer ${own.secretKey}` }],
  ['the secret key of the CLI', cli, { apikey: CLI_KEYS.secretKey }],
  ['the service_role key of the CLI as apikey', cli, { apikey: serviceRole }],
  [
    'the service_role key of the CLI as bearer',
    cli,
    { apikey: anon, authorization: `Bearer ${serviceRole}` },
  ],
  ['a token for an administrator', cli, { apikey: anon, authorization: `bearer ${admin}` }],
  [
    "a user's token with the role of a server",
    cli,
    { apikey: anon, authorization: `Bearer ${userAsService}` },
  ],
])('%s', (_name, backend, keys: Record<string, string>) => {
  test.each(BROWSERS)('is refused by every family with %s', async (_sign, browser) => {
    for (const path of PATHS) {
      const response = await fetch(`${backend.url}/${path}`, {
        ...(path.includes('broadcast') ? { method: 'POST', body: '{}' } : {}),
        headers: { ...keys, ...browser },
      })
      expect([path, response.status]).toEqual([path, 401])
    }
  })
})

test('the refusal has a reason', async () => {
  const headers = { apikey: own.secretKey, origin: 'http://localhost:3000' }
  const response = await fetch(`${own.url}/rest/v1/vessels`, { headers })
  expect(await response.json()).toEqual({ message: 'Forbidden use of secret API key in browser' })
})

test('programs may use them', async () => {
  const all: readonly Record<string, string>[] = [
    { apikey: serviceRole },
    { apikey: anon, authorization: `Bearer ${serviceRole}` },
    { apikey: CLI_KEYS.secretKey },
  ]
  for (const headers of all) {
    const response = await fetch(`${cli.url}/rest/v1/log_entries?select=id&limit=1`, { headers })
    expect([response.status, await response.json()]).toEqual([200, [{ id: expect.any(Number) }]])
  }
})

test('a browser with public keys is accepted', async () => {
  for (const [, browser] of BROWSERS) {
    const response = await fetch(`${cli.url}/rest/v1/vessels?limit=1`, {
      headers: { apikey: anon, ...browser },
    })
    expect(response.status).toBe(200)
  }
})

describe('a socket of a browser', () => {
  const origin = 'http://localhost:3000'
  const address = (apikey: string) =>
    `${cli.url.replace('http', 'ws')}/realtime/v1/websocket?vsn=2.0.0&apikey=${apikey}`

  test.each([
    ['the secret key', CLI_KEYS.secretKey],
    ['the service_role key', serviceRole],
  ])('is refused with %s', async (_name, apikey) => {
    const socket = new WebSocket(address(apikey), { headers: { origin } })
    const status = await new Promise(resolve => {
      socket.on('unexpected-response', (_request, response) => resolve(response.resume().statusCode))
      socket.on('open', () => resolve('open'))
    })
    socket.on('error', () => undefined)
    socket.terminate()
    expect(status).toBe(401)
  })

  test.each([
    ['cannot join a channel with the service_role token', origin, 'error'],
    ['a program can', undefined, 'ok'],
  ])('%s', async (_name, from, status) => {
    const socket = new WebSocket(address(anon), { headers: from === undefined ? {} : { origin: from } })
    const reply = new Promise<string>((resolve, reject) => {
      socket.on('message', (data: Buffer) => resolve(data.toString()))
      socket.on('error', reject)
    })
    socket.on('open', () =>
      socket.send(
        JSON.stringify(['1', '1', 'realtime:harbour', 'phx_join', { config: {}, access_token: serviceRole }]),
      ),
    )
    const frame: unknown = JSON.parse(await reply)
    socket.close()
    expect(frame).toEqual(['1', '1', 'realtime:harbour', 'phx_reply', expect.objectContaining({ status })])
  })
})
