// REST requires of a token what PostgREST does, and refuses others in its words.
import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { CLI_KEYS } from '../../../backend/keys/index.ts'
import { startTestBackend } from '../../harness/backend.ts'

const NOW = 1_800_000_000
const backend = await startTestBackend({ keys: 'cli', clock: { now: () => NOW * 1000 } })

const encode = (text: string) => Buffer.from(text).toString('base64url')

function signed(
  payload: string,
  secret = CLI_KEYS.jwtSecret,
  header = '{"alg":"HS256","typ":"JWT"}',
): string {
  const text = `${encode(header)}.${encode(payload)}`
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`
}

async function read(headers: Record<string, string>) {
  const response = await fetch(`${backend.url}/rest/v1/vessels?select=id&limit=1`, { headers })
  const body: unknown = await response.json()
  return { status: response.status, body, challenge: response.headers.get('www-authenticate') }
}

/** With a key and without: the local stack of the CLI needs none. */
const ways = (token: string) => [
  { authorization: `Bearer ${token}` },
  { authorization: `bearer ${token}`, apikey: backend.publishableKey },
]

const challengeOf = (message: string) => `Bearer error="invalid_token", error_description="${message}"`

const refused = (code: string, message: string, details: string | null = null) => ({
  status: 401,
  body: { code, message, details, hint: null },
  challenge: code === '22023' ? 'Bearer' : challengeOf(message),
})

const notNumber = (name: string) => refused('PGRST303', `The JWT '${name}' claim must be a number`)
const EXPIRED = refused('PGRST303', 'JWT expired')
const EARLY = refused('PGRST303', 'JWT not yet valid')
const FUTURE = refused('PGRST303', 'JWT issued at future')
const AUDIENCE = refused('PGRST303', "The JWT 'aud' claim must be a string or an array of strings")
const UNPARSED = refused('PGRST303', 'Parsing claims failed')

// PostgREST 14: src/library/PostgREST/Auth/Jwt.hs:52-87 and test/spec/Feature/Auth/AuthSpec.hs:148-211,
// AudienceJwtSecretSpec.hs:145-220, Query/ErrorSpec.hs:104-176. A number that is no 64-bit integer counts as 0.
test.each([
  ...['exp', 'nbf', 'iat'].flatMap(name =>
    ['"x"', '"1900000000"', '""', 'true', 'false', '[]', '[1]', '{}', '{"a":1}'].map(
      value => [`{"${name}":${value}}`, notNumber(name)] as const,
    ),
  ),
  [`{"exp":${NOW - 31}}`, EXPIRED],
  ['{"exp":0}', EXPIRED],
  ['{"exp":-1}', EXPIRED],
  ['{"exp":-1e400}', EXPIRED],
  ['{"exp":1e400}', EXPIRED],
  ['{"exp":1900000000.5}', EXPIRED],
  ['{"exp":9223372036854775808}', EXPIRED],
  ['{"exp":1e19}', EXPIRED],
  [`{"nbf":${NOW + 31}}`, EARLY],
  ['{"nbf":9223372036854775807}', EARLY],
  [`{"iat":${NOW + 31}}`, FUTURE],
  ['{"iat":1.9e9}', FUTURE],
  ['{"aud":5}', AUDIENCE],
  ['{"aud":true}', AUDIENCE],
  ['{"aud":{"invalid":"value"}}', AUDIENCE],
  ['{"aud":[{"invalid":"value"},"test"]}', AUDIENCE],
  ['{"aud":["a",["b"]]}', AUDIENCE],
  ['{"aud":[null]}', AUDIENCE],
  ['{"exp":"x","nbf":"x","aud":5}', notNumber('exp')],
  ['{"aud":5,"iat":"x"}', notNumber('iat')],
  ['[]', UNPARSED],
  ['"x"', UNPARSED],
  ['5', UNPARSED],
  ['null', UNPARSED],
  ['not json', UNPARSED],
  ['{"role":5}', refused('22023', 'role "5" does not exist')],
  ['{"role":null}', refused('22023', 'role "null" does not exist')],
  ['{"role":["service_role"]}', refused('22023', 'role "["service_role"]" does not exist')],
] as const)('%s is refused', async (payload, expected) => {
  for (const headers of ways(signed(payload))) expect(await read(headers)).toEqual(expected)
})

test.each([
  '{}',
  ...['exp', 'nbf', 'iat', 'aud'].map(name => `{"${name}":null}`),
  `{"exp":${NOW - 30}}`,
  `{"exp":${NOW}}`,
  '{"exp":1.9e9}',
  '{"exp":1900000000.0}',
  '{"exp":9223372036854775807}',
  `{"nbf":${NOW + 30}}`,
  '{"nbf":1900000000.5}',
  '{"nbf":1e400}',
  '{"nbf":-5}',
  `{"iat":${NOW + 30}}`,
  '{"iat":1e400}',
  '{"aud":"a"}',
  '{"aud":""}',
  '{"aud":[]}',
  '{"aud":["a","b"]}',
  '{"sub":5}',
  '{"nested":{"exp":"x","aud":5}}',
])('%s is accepted', async payload => {
  for (const headers of ways(signed(payload))) expect((await read(headers)).status).toBe(200)
})

// PostgREST 14: test/spec/Feature/Auth/AuthSpec.hs:94-105, Query/ErrorSpec.hs:105-117, 190-227.
test.each([
  ['Bearer', 'Empty JWT is sent in Authorization header', null],
  ['Bearer a', 'Expected 3 parts in JWT; got 1', null],
  ['Bearer a b', 'Expected 3 parts in JWT; got 1', null],
  [
    `Bearer ${signed('{}')} x`,
    'No suitable key or wrong key type',
    'None of the keys was able to decode the JWT',
  ],
  ['Bearer eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.bm90IGFuIG9iamVjdA', 'Expected 3 parts in JWT; got 2', null],
  ['Bearer a.b.c.d.e', 'Expected 3 parts in JWT; got 5', null],
  ['Bearer quifquirndsjagnrgniur.fonvoienqhhdj.iuqvnvhojah', 'JWT cryptographic operation failed', null],
  [
    `Bearer ${signed('{}', CLI_KEYS.jwtSecret, '{"typ":"JWT","alg":"none"}')}`,
    'Wrong or unsupported encoding algorithm',
    "JWT is unsecured but expected 'alg' was not 'none'",
  ],
  [
    `Bearer ${signed('{}', 'wrong secret')}`,
    'No suitable key or wrong key type',
    'None of the keys was able to decode the JWT',
  ],
  [
    `Bearer ${signed('{}', CLI_KEYS.jwtSecret, '{"alg":"ES256","kid":"unknown"}')}`,
    'No suitable key or wrong key type',
    'No suitable key was found to decode the JWT',
  ],
])('%s is refused: %s', async (authorization, message, details) => {
  expect(await read({ authorization, apikey: backend.publishableKey })).toEqual(
    refused('PGRST301', message, details),
  )
})

test('another scheme is no token', async () => {
  expect((await read({ authorization: 'Basic YTpi' })).status).toBe(200)
})

test.each([
  '{"role":"anon","exp":"x"}',
  '{"role":"anon","exp":1e400}',
  '{"role":"service_role","aud":5}',
  '{"role":"anon","nbf":1900000000}',
])('%s is no API key', async payload => {
  expect(await read({ apikey: signed(payload) })).toMatchObject({
    status: 401,
    body: { message: 'Invalid API key' },
  })
})

test('a missing privilege of a caller without a token asks for one', async () => {
  const url = `${backend.url}/rest/v1/vessels`
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(url, { method: 'POST', headers, body: '{"name":"x"}' })
  expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
})

test('storage takes an empty or another authorization for an invalid token', async () => {
  for (const authorization of ['Bearer', 'Basic YTpi', 'Bearer x y']) {
    const headers = { authorization, apikey: backend.publishableKey }
    const response = await fetch(`${backend.url}/storage/v1/bucket`, { headers })
    expect(await response.json()).toMatchObject({ statusCode: '403', message: 'Invalid Compact JWS' })
  }
})
