// The auth service responds below 500 to any request and keeps working.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyText } from '../../harness/any-text.ts'
import { officialClient, startTestBackend } from '../../harness/backend.ts'

const clock = { ahead: 0, now: () => Date.now() + clock.ahead }
const backend = await startTestBackend({ clock, auth: { jwtExpiry: 1e9, sms: { enableSignup: true } } })
const ID = '00000000-0000-4000-8000-000000000000'

const signUp = async (email: string) => {
  const { data, error } = await officialClient(backend).auth.signUp({ email, password: 'harbour-demo' })
  if (error) throw error
  return data
}

const skipper = await signUp('target@sea.test')
const userId = skipper.user?.id ?? ''
const token = skipper.session?.access_token ?? ''
const anonymous = (await officialClient(backend).auth.signInAnonymously()).data.session?.access_token ?? ''
const factorId = await (async () => {
  const { auth } = officialClient(backend)
  await auth.signInWithPassword({ email: 'target@sea.test', password: 'harbour-demo' })
  const { data } = await auth.mfa.enroll({ factorType: 'totp', friendlyName: 'Phone' })
  await auth.mfa.challenge({ factorId: data?.id ?? '' })
  return data?.id ?? ''
})()

const ROUTES = [
  ['GET', 'POST'].map(method => [method, '/verify']),
  ['password', 'refresh_token', 'pkce', 'id_token', 'web3', 'x', ''].map(grant => [
    'POST',
    `/token?grant_type=${grant}`,
  ]),
  [
    '/signup',
    '/recover',
    '/resend',
    '/otp',
    '/magiclink',
    '/invite',
    '/logout?scope=x',
    '/sso',
    '/callback',
  ].map(path => ['POST', path]),
  ['/user', '/settings', '/reauthenticate', '/authorize', '/callback', '/user/identities/authorize'].map(
    path => ['GET', path],
  ),
  [
    ['PUT', '/user'],
    ['DELETE', `/user/identities/${ID}`],
    ['POST', '/factors'],
    ['POST', `/factors/${factorId}/challenge`],
    ['POST', `/factors/${factorId}/verify`],
    ['DELETE', `/factors/${ID}`],
    ['GET', '/admin/users'],
    ['POST', '/admin/users'],
    ['POST', '/admin/generate_link'],
    ['GET', '/admin/audit'],
    ['GET', `/admin/users/${ID}`],
    ['PUT', `/admin/users/${userId}`],
    ['DELETE', `/admin/users/${ID}`],
    ['GET', `/admin/users/${userId}/factors`],
    ['PUT', `/admin/users/${userId}/factors/${factorId}`],
    ['DELETE', `/admin/users/${userId}/factors/${ID}`],
    ['POST', '/admin/sso/providers'],
    ['POST', '/passkeys/registration/options'],
    ['POST', '/oauth/clients/register'],
    ['POST', '/none'],
  ],
].flat() as [string, string][]

const FIELDS = [
  'email',
  'phone',
  'password',
  'data',
  'token',
  'token_hash',
  'type',
  'nonce',
  'refresh_token',
  'auth_code',
  'code_verifier',
  'id_token',
  'access_token',
  'provider',
  'issuer',
  'client_id',
  'link_identity',
  'create_user',
  'channel',
  'code_challenge',
  'code_challenge_method',
  'redirect_to',
  'new_email',
  'scope',
  'state',
  'code',
  'challenge_id',
  'factor_type',
  'friendly_name',
  'app_metadata',
  'user_metadata',
  'ban_duration',
  'role',
  'id',
  'email_confirm',
  'password_hash',
  'page',
  'per_page',
  'sort',
  'filter',
  'should_soft_delete',
  'is_anonymous',
  'aud',
  '__proto__',
  'constructor',
  'toString',
]

const text = fc.oneof(
  anyText({ maxLength: 20 }),
  fc.constantFrom(
    '',
    'target@sea.test',
    'A@B.c',
    '+4512345678',
    'harbour-demo',
    'email',
    'sms',
    'signup',
    'invite',
    'recovery',
    'magiclink',
    'email_change',
    'totp',
    'google',
    'github',
    'apple',
    'S256',
    's256',
    '123456',
    ID,
    userId,
    factorId,
    token,
    'null',
    '0',
    '-1',
    '1e400',
    '24h',
    'none',
    '\ud800',
    'a\0b',
    "'; drop table auth.users; --",
    'http://[',
    '//x',
    'javascript:alert(1)',
    'x'.repeat(300),
    'é'.repeat(80),
  ),
)
const value = fc.oneof(
  { weight: 4, arbitrary: text },
  fc.constantFrom(null, true, false, 0, -1, 1.5, 1e308, [], {}, [null], { a: { b: ['x'] } }),
  fc.jsonValue({ maxDepth: 2 }),
)
const fields = fc.array(fc.tuple(fc.constantFrom(...FIELDS), value), { maxLength: 8 })
/** Valid input for every route, so that hostile fields get past validation. */
const good = fc.nat(99).map(n => ({
  email: `h${n}@sea.test`,
  password: 'harbour-demo',
  type: 'signup',
  provider: 'google',
  factor_type: 'totp',
  friendly_name: `f${n}`,
  code: '123456',
}))
const body = fc.oneof(
  { weight: 3, arbitrary: fields.map(entries => JSON.stringify(Object.fromEntries(entries))) },
  {
    weight: 5,
    arbitrary: fc
      .tuple(good, fields)
      .map(([kind, entries]) => JSON.stringify({ ...kind, ...Object.fromEntries(entries.slice(0, 2)) })),
  },
  fc.constantFrom('', '{', '[]', 'null', '"x"', '1', '{"email":"a","email":{}}', '[['.repeat(2000)),
  anyText({ maxLength: 40 }),
)
const query = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom('', 'provider=google', 'provider=github&redirect_to=http://[') },
  fc
    .array(fc.tuple(fc.constantFrom(...FIELDS), text), { maxLength: 5 })
    .map(entries =>
      new URLSearchParams(entries.map(([name, word]) => [name, word.replaceAll('\0', '')])).toString(),
    ),
)
const bearer = fc.constantFrom(
  undefined,
  token,
  token,
  anonymous,
  backend.secretKey,
  backend.secretKey,
  'x.y.z',
  `${token}x`,
)

interface Hostile {
  readonly route: [string, string]
  readonly body: string
  readonly query: string
  readonly bearer: string | undefined
  readonly version: boolean
}

const send = async ({ route: [method, path], body: sent, query: asked, bearer: shown, version }: Hostile) => {
  // Time advances, so that rate limits do not hide later code.
  clock.ahead += 30_000
  const glue = path.includes('?') ? '&' : '?'
  return fetch(`${backend.url}/auth/v1${path}${asked === '' ? '' : glue + asked}`, {
    method,
    redirect: 'manual',
    headers: {
      apikey: shown === backend.secretKey ? backend.secretKey : backend.publishableKey,
      'content-type': 'application/json',
      ...(shown === undefined ? {} : { authorization: `Bearer ${shown}` }),
      ...(version ? { 'x-supabase-api-version': '2024-01-01' } : {}),
    },
    ...(method === 'GET' ? {} : { body: sent }),
  })
}

test('hostile requests', async () => {
  const hostile = fc.record({ route: fc.constantFrom(...ROUTES), body, query, bearer, version: fc.boolean() })
  await fc.assert(
    fc.asyncProperty(hostile, async request => {
      const response = await send(request)
      const answer = await response.text()
      expect([response.status < 500, answer]).toEqual([true, answer])
      if (response.status < 400 || !response.headers.get('content-type')?.includes('json')) return
      const body = JSON.parse(answer) as Record<string, unknown>
      expect(typeof (body['error'] ?? body['code'])).toMatch(/^(string|number)$/)
    }),
    { numRuns: 500 },
  )
  expect(
    (await fetch(`${backend.url}/auth/v1/health`, { headers: { apikey: backend.publishableKey } })).status,
  ).toBe(200)
  const { error } = await officialClient(backend).auth.signUp({
    email: 'after@sea.test',
    password: 'harbour-demo',
  })
  expect(error).toBe(null)
})
