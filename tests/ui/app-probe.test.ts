// Probing a backend: every answer it can give has its own message.
import { expect, test } from 'vitest'
import { baseUrl, isSecretKey, probeBackend } from '../../src/services/probe.ts'

const url = 'http://127.0.0.1:4411'
const key = 'sb_publishable_x'
const settings = { external: { email: true }, disable_signup: false }

/** A backend that answers auth settings and the REST root with these. */
const backend = (auth: Response, rest: Response) => (input: string | URL | Request) =>
  Promise.resolve(String(input instanceof Request ? input.url : input).includes('/auth/v1/') ? auth : rest)

const json = (status: number, body: unknown) => Response.json(body, { status })

test('a backend whose REST root is closed to publishable keys is accepted all the same', async () => {
  const rest = json(401, { message: 'Access to schema is forbidden' })
  expect(
    await probeBackend(
      { url: `${url}/rest/v1/`, key: ` ${key} ` },
      { fetch: backend(json(200, settings), rest) },
    ),
  ).toEqual({
    ok: true,
    url,
    key,
    signUpAllowed: true,
  })
})

test.each([
  ['keyRefused', 'key', json(401, { message: 'Invalid API key' }), json(401, { message: 'Invalid API key' })],
  ['keyRefused', 'key', json(200, settings), json(401, { message: 'Invalid API key' })],
  ['notSupabase', 'url', new Response('<html>'), new Response('<html>')],
  ['notSupabase', 'url', json(404, {}), json(404, {})],
  ['notSupabase', 'url', json(200, settings), json(404, {})],
  ['unwell', 'url', json(500, {}), json(200, {})],
] as const)('%s belongs to the %s', async (problem, field, auth, rest) => {
  expect(await probeBackend({ url, key }, { fetch: backend(auth, rest) })).toMatchObject({
    ok: false,
    problem,
    field,
  })
})

test.each([
  ['badUrl', { url: 'harbour', key }],
  ['badUrl', { url: 'ftp://harbour.test', key }],
  ['missingKey', { url, key: ' ' }],
  ['secretKey', { url, key: 'sb_secret_abc' }],
])('%s is told before anything is sent', async (problem, typed) => {
  const never = () => Promise.reject(new Error('must not be asked'))
  expect(await probeBackend(typed, { fetch: never })).toMatchObject({ ok: false, problem })
})

test('a server that only CORS keeps from us is told from one that is not there', async () => {
  const blocked = (_: unknown, init?: RequestInit) =>
    init?.mode === 'no-cors'
      ? Promise.resolve(new Response())
      : Promise.reject(new TypeError('Failed to fetch'))
  const silent = () => Promise.reject(new TypeError('Failed to fetch'))
  expect(await probeBackend({ url, key }, { fetch: blocked })).toMatchObject({ problem: 'blocked' })
  expect(await probeBackend({ url, key }, { fetch: silent })).toMatchObject({ problem: 'unreachable' })
})

test('a backend that never answers is given up at the deadline', async () => {
  const hangs = (_: unknown, init?: RequestInit) =>
    new Promise<Response>((_resolve, reject) => {
      init?.signal?.addEventListener('abort', () => reject(new DOMException('late', 'AbortError')))
    })
  expect(await probeBackend({ url, key }, { fetch: hangs, deadline: 20 })).toMatchObject({
    problem: 'timeout',
  })
})

const jwt = (claims: object) => `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.sig`

test.each([
  ['sb_secret_abc', true],
  [jwt({ role: 'service_role' }), true],
  [jwt({ role: 'anon' }), false],
  ['sb_publishable_abc', false],
  ['not.a.jwt', false],
])('isSecretKey(%s) is %s', (text, expected) => {
  expect(isSecretKey(text)).toBe(expected)
})

test.each([
  ['https://x.supabase.co/rest/v1', 'https://x.supabase.co'],
  ['x.supabase.co', 'https://x.supabase.co'],
  ['127.0.0.1:4411/', 'http://127.0.0.1:4411'],
  ['localhost:54321', 'http://localhost:54321'],
  ['http://localhost', 'http://localhost'],
  ['http://user:pw@x.test', undefined],
  ['', undefined],
  ['just words', undefined],
])('baseUrl(%s) is %s', (text, expected) => {
  expect(baseUrl(text)).toBe(expected)
})
