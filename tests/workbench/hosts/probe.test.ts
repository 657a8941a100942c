// Probing a backend: every possible response has its own message.
import { expect, test } from 'vitest'
import { readAddress, readPasted } from '../../../src/services/workbench/hosts/index.ts'
import { isSecretKey, readKey } from '../../../src/services/workbench/hosts/api-key.ts'
import { probeBackend } from '../../../src/services/workbench/hosts/probe.ts'

const url = 'http://127.0.0.1:4411'
const key = 'sb_publishable_x'
const jwt = (claims: object) => `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.sig`
const settings = { external: { email: true }, disable_signup: false }

/** A backend that answers auth settings and the REST root with these. */
const backend = (auth: Response, rest: Response) => (input: string | URL | Request) =>
  Promise.resolve(String(input instanceof Request ? input.url : input).includes('/auth/v1/') ? auth : rest)

const json = (status: number, body: unknown) => Response.json(body, { status })

test('a backend whose REST root is closed to publishable keys is still accepted', async () => {
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

test('a hosted project that calls a legacy key invalid for the root only is accepted', async () => {
  const rest = json(401, {
    message: 'Invalid API key',
    hint: 'Only the `service_role` API key can be used for this endpoint.',
  })
  const probed = await probeBackend({ url, key }, { fetch: backend(json(200, settings), rest) })
  expect(probed).toMatchObject({ ok: true })
})

test.each([
  [
    json(402, { message: 'exceed_egress_quota' }),
    'url',
    'The host restricts this project. exceed_egress_quota.',
  ],
  [json(540, { message: 'Project paused' }), 'url', 'This project is paused. Project paused.'],
  [
    json(401, { message: 'Legacy API keys are disabled', hint: 'They were disabled on 2026-05-13.' }),
    'key',
    'They were disabled on 2026-05-13. Connect with the publishable key',
  ],
] as const)('what the host says instead of the backend is shown', async (auth, field, message) => {
  const probed = await probeBackend({ url, key }, { fetch: backend(auth, json(401, {})) })
  expect(probed).toMatchObject({
    ok: false,
    problem: 'unavailable',
    field,
    message: expect.stringContaining(message),
  })
})

test.each([
  ['keyRefused', 'key', json(401, { message: 'Invalid API key' }), json(401, { message: 'Invalid API key' })],
  ['keyRefused', 'key', json(200, settings), json(401, { message: 'Invalid API key' })],
  ['notSupabase', 'url', new Response('<html>'), new Response('<html>')],
  ['notSupabase', 'url', json(404, {}), json(404, {})],
  ['notSupabase', 'url', json(200, settings), json(404, {})],
  ['unwell', 'url', json(500, {}), json(200, {})],
  ['tooMany', 'url', json(429, {}), json(200, {})],
  ['tooMany', 'url', json(200, settings), json(429, { message: 'slow' })],
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
  ['badUrl', { url: jwt({ role: 'anon' }).replace('e30', 'eyJhbGciOiJIUzI1NiJ9'), key }],
  ['secretKey', { url: 'sb_secret_abc', key }],
  ['secretKey', { url: jwt({ role: 'service_role' }), key }],
  ['missingKey', { url, key: ' ' }],
  ['secretKey', { url, key: 'sb_secret_abc' }],
  ['secretKey', { url, key: 'SUPABASE_SECRET_KEY=sb_secret_abc' }],
  ['secretKey', { url, key: jwt({ role: 'service_role' }) }],
  ['secretKey', { url, key: 'sbp_abc' }],
  ['sessionToken', { url, key: jwt({ role: 'authenticated' }) }],
  ['keyExpired', { url, key: jwt({ role: 'anon', exp: 1 }) }],
  [
    'otherProject',
    {
      url: 'https://abcdefghijklmnopqrst.supabase.co',
      key: jwt({ role: 'anon', ref: 'tsrqponmlkjihgfedcba' }),
    },
  ],
])('%s is reported before anything is sent', async (problem, typed) => {
  const never = () => Promise.reject(new Error('no request expected'))
  expect(await probeBackend(typed, { fetch: never })).toMatchObject({ ok: false, problem })
})

test('a rate-limited host is still a host, and its wait is shown', async () => {
  const limited = () => Promise.resolve(Response.json({}, { status: 429, headers: { 'retry-after': '7' } }))
  expect(await probeBackend({ url, key }, { fetch: limited })).toEqual({
    ok: false,
    problem: 'tooMany',
    field: 'url',
    message: 'Too many requests to 127.0.0.1:4411. Try again in 7 s.',
  })
})

test('an offline device is reported as offline', async () => {
  const silent = () => Promise.reject(new TypeError('Failed to fetch'))
  expect(await probeBackend({ url, key }, { fetch: silent, online: () => false })).toEqual({
    ok: false,
    problem: 'unreachable',
    field: 'url',
    message: 'This device is offline, so 127.0.0.1:4411 can’t be checked. Your input is kept.',
  })
})

test('a server blocked only by CORS is distinguished from a missing one', async () => {
  const blocked = (_: unknown, init?: RequestInit) =>
    init?.mode === 'no-cors'
      ? Promise.resolve(new Response())
      : Promise.reject(new TypeError('Failed to fetch'))
  const silent = () => Promise.reject(new TypeError('Failed to fetch'))
  expect(await probeBackend({ url, key }, { fetch: blocked })).toMatchObject({ problem: 'blocked' })
  expect(await probeBackend({ url, key }, { fetch: silent })).toMatchObject({ problem: 'unreachable' })
})

test('a backend that never responds is aborted at the deadline', async () => {
  const hangs = (_: unknown, init?: RequestInit) =>
    new Promise<Response>((_resolve, reject) => {
      init?.signal?.addEventListener('abort', () => reject(new DOMException('late', 'AbortError')))
    })
  expect(await probeBackend({ url, key }, { fetch: hangs, deadline: 20 })).toMatchObject({
    problem: 'timeout',
  })
})

test.each([
  ['sb_secret_abc', true],
  [jwt({ role: 'service_role' }), true],
  [jwt({ role: 'anon' }), false],
  ['sb_publishable_abc', false],
  ['not.a.jwt', false],
])('isSecretKey(%s) is %s', (text, expected) => {
  expect(isSecretKey(text)).toBe(expected)
})

const ref = 'abcdefghijklmnopqrst'
const hosted = `https://${ref}.supabase.co`

test.each([
  ['https://x.supabase.co/rest/v1', 'https://x.supabase.co', 'path'],
  ['x.supabase.co', 'https://x.supabase.co', 'url'],
  ['127.0.0.1:4411/', 'http://127.0.0.1:4411', 'url'],
  ['localhost:54321', 'http://localhost:54321', 'url'],
  ['http://localhost', 'http://localhost', 'url'],
  [`  ${hosted}  `, hosted, 'url'],
  [`${hosted}/storage/v1/object/public/charts/a.png`, hosted, 'path'],
  [`wss://${ref}.supabase.co/realtime/v1/websocket?vsn=1.0.0`, hosted, 'socket'],
  [ref, hosted, 'project'],
  [`https://supabase.com/dashboard/project/${ref}/editor/17?schema=public`, hosted, 'dashboard'],
  [`supabase.com/dashboard/project/${ref}`, hosted, 'dashboard'],
  [`https://${ref}.storage.supabase.co/storage/v1/s3`, hosted, 'path'],
  [`postgresql://postgres:hunter2@db.${ref}.supabase.co:5432/postgres`, hosted, 'database'],
  [
    `postgres://postgres.${ref}:hunter2@aws-0-eu-central-1.pooler.supabase.com:6543/postgres`,
    hosted,
    'database',
  ],
  ['http://127.0.0.1:54323/project/default', 'http://127.0.0.1:54321', 'studio'],
  ['postgresql://postgres:postgres@127.0.0.1:54322/postgres', 'http://127.0.0.1:54321', 'database'],
  [`NEXT_PUBLIC_SUPABASE_URL="${hosted}"`, hosted, 'setting'],
  [`VITE_SUPABASE_URL: ${hosted},`, hosted, 'setting'],
])('the address %s is read as %s (%s)', (text, address, form) => {
  expect(readAddress(text)).toEqual({ url: address, form })
})

test.each([['http://user:pw@x.test'], [''], ['just words'], ['postgres://a:b@db.example.test/x']])(
  '%s is not an address',
  text => {
    expect(readAddress(text)).toBeUndefined()
  },
)

test.each([
  ['SUPABASE_ANON_KEY=sb_publishable_abc', { key: 'sb_publishable_abc', kind: 'publishable' }],
  ["'sb_publishable_abc',", { key: 'sb_publishable_abc', kind: 'publishable' }],
  [
    `Bearer ${jwt({ role: 'anon', ref, exp: 2_000_000_000 })}`,
    {
      key: jwt({ role: 'anon', ref, exp: 2_000_000_000 }),
      kind: 'anon',
      role: 'anon',
      project: ref,
      expiresAt: 2_000_000_000_000,
    },
  ],
  [
    jwt({ role: 'authenticated' }),
    { key: jwt({ role: 'authenticated' }), kind: 'session', role: 'authenticated' },
  ],
  ['sbp_abc', { key: 'sbp_abc', kind: 'management' }],
  ['whatever', { key: 'whatever', kind: 'unknown' }],
])('the key %s is classified by its content', (text, expected) => {
  expect(readKey(text)).toEqual(expected)
})

test('a settings file gives address and key at once, and its secret key is ignored', () => {
  const text = `# .env\nSUPABASE_URL=${hosted}\nSUPABASE_ANON_KEY=sb_publishable_abc\nSUPABASE_SERVICE_ROLE_KEY=${jwt({ role: 'service_role' })}\nDATABASE_URL=postgresql://postgres:pw@db.${ref}.supabase.co/postgres`
  expect(readPasted(text)).toEqual({ url: hosted, key: 'sb_publishable_abc', leftOut: true })
  expect(readPasted(hosted)).toBeUndefined()
  expect(readPasted('sb_publishable_abc')).toBeUndefined()
})
