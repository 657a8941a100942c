// Failures of auth calls that run at the same time, against a plain HTTP server: each belongs to its response.
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { createChartroomClient, type ChartroomClient } from '../../src/public/index.ts'
import { callAuth } from '../../src/services/workbench/auth/index.ts'

type Auth = ChartroomClient['supabase']['auth']
type Call = (auth: Auth) => Promise<{ data: unknown; error: unknown }>
type Headers = Readonly<Record<string, string>>

const JSON_TYPE = { 'content-type': 'application/json', 'x-supabase-api-version': '2024-01-01' }
const TOO_MANY = JSON.stringify({ code: 'over_request_rate_limit', message: 'slow down' })
const email = 'mara@harbour.test'
const user = { id: 'u1', aud: 'authenticated', email, app_metadata: {}, user_metadata: {}, created_at: '' }
const session = { access_token: 'a.b.c', refresh_token: 'r', token_type: 'bearer', expires_in: 3_600, user }

/** The headers of each refused path; all are refused with one status and body, the last call first. */
let refusals: Readonly<Record<string, Headers>> = {}
let body = TOO_MANY
const waiting: { readonly response: ServerResponse; readonly headers: Headers }[] = []

const server = createServer(({ url = '' }, response) => {
  const headers = refusals[url.replace(/\?.*/, '')]
  if (!headers) return response.writeHead(200, JSON_TYPE).end(JSON.stringify(session))
  waiting.push({ response, headers })
  if (waiting.length < Object.keys(refusals).length) return undefined
  for (const call of waiting.splice(0).toReversed()) call.response.writeHead(429, call.headers).end(body)
  return undefined
})

let client: ChartroomClient
beforeAll(() => new Promise<void>(resolve => void server.listen(0, '127.0.0.1', resolve)))
afterAll(() => server.close())
beforeEach(() => {
  refusals = {}
  body = TOO_MANY
  const { port } = server.address() as AddressInfo
  client = createChartroomClient(`http://127.0.0.1:${port}`, 'key')
})
afterEach(() => client.dispose())

const failuresOf = (...calls: readonly Call[]) =>
  Promise.all(
    calls.map(async call => {
      const called = await callAuth(client, call)
      return called.ok ? undefined : called.failure
    }),
  )

const failure = {
  kind: 'rateLimit',
  code: 'over_request_rate_limit',
  status: 429,
  message: 'Too many attempts. Wait a moment and try again.',
}
const signIn =
  (password: string): Call =>
  auth =>
    auth.signInWithPassword({ email, password })
const recover: Call = auth => auth.resetPasswordForEmail(email)
const resend: Call = auth => auth.resend({ type: 'signup', email })
const rename: Call = auth => auth.updateUser({ data: { name: 'Mara' } })
const enrol: Call = auth => auth.mfa.enroll({ factorType: 'totp' })

test.each([
  ['two emails', recover, '/auth/v1/recover', resend, '/auth/v1/resend'],
  ['a sign-in and an email', signIn('wrong'), '/auth/v1/token', recover, '/auth/v1/recover'],
  ['two changes of an account', rename, '/auth/v1/user', enrol, '/auth/v1/factors'],
] as const)('each call has the wait of its response: %s', async (_what, one, at, other, otherAt) => {
  await failuresOf(signIn('right'))
  refusals = { [at]: { ...JSON_TYPE, 'retry-after': '7' }, [otherAt]: { ...JSON_TYPE, 'retry-after': '40' } }
  expect(await failuresOf(one, other)).toEqual([
    { ...failure, retryAfter: 7 },
    { ...failure, retryAfter: 40 },
  ])
  refusals = { [at]: JSON_TYPE, [otherAt]: { ...JSON_TYPE, 'retry-after': '40' } }
  expect(await failuresOf(one, other)).toEqual([failure, { ...failure, retryAfter: 40 }])
})

test('a query that the client does not repeat because of the wait has it, too', async () => {
  await failuresOf(signIn('right'))
  refusals = {
    '/auth/v1/user': { ...JSON_TYPE, 'retry-after': '300' },
    '/auth/v1/passkeys': { ...JSON_TYPE, 'retry-after': '600' },
  }
  expect(
    await failuresOf(
      auth => auth.getUser(),
      auth => auth.passkey.list(),
    ),
  ).toMatchObject([
    { kind: 'rateLimit', status: 429, retryAfter: 300 },
    { kind: 'rateLimit', status: 429, retryAfter: 600 },
  ])
})

test('the page of a gateway is a refusal with its status and wait', async () => {
  body = '<h1>Slow down</h1>'
  refusals = { '/auth/v1/recover': { 'retry-after': '7' }, '/auth/v1/resend': {} }
  const { code: _, ...plain } = failure
  expect(await failuresOf(recover, resend)).toEqual([{ ...plain, retryAfter: 7 }, plain])
})
