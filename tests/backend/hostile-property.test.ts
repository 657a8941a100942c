// Random bodies, types and URLs for every service: none fails, stops the process or damages the database.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyText } from '../harness/any-text.ts'
import { officialClient, signedIn, startTestBackend } from '../harness/backend.ts'
import { volume } from '../harness/volume.ts'

const backend = await startTestBackend()
const skipper = await signedIn(backend, 'skipper')
const { session } = (await skipper.auth.getSession()).data

const oneOf = (text: string) => fc.constantFrom(...text.split(' '))
const AUTH =
  'signup token?grant_type=password token?grant_type=refresh_token token?grant_type=pkce token?grant_type=id_token token?grant_type=nope otp verify recover resend reauthenticate user factors factors/x/challenge factors/x/verify logout?scope=nope magiclink invite sso admin/users admin/users/x admin/generate_link authorize?provider=%F0 callback?code=x'
const path = fc.oneof(
  oneOf(AUTH).map(name => `auth/v1/${name}`),
  oneOf('vessels log_entries rpc/x rpc/ nope').map(name => `rest/v1/${name}`),
  oneOf(
    'bucket bucket/charts object/charts/a object/list/charts object/move object/copy object/sign/charts/a object/upload/sign/charts/a',
  ).map(name => `storage/v1/${name}`),
  oneOf('tide none').map(name => `functions/v1/${name}`),
  oneOf('api/broadcast api/broadcast/a/events/b api/x').map(name => `realtime/v1/${name}`),
  anyText({ maxLength: 10 }).map(text => `auth/v1/${encodeURIComponent(text.toWellFormed())}`),
)

const field = oneOf(
  'email password phone token token_hash type refresh_token data code auth_code code_verifier code_challenge code_challenge_method factor_type friendly_name challenge_id create_user gotrue_meta_security options channel provider id_token nonce scope user_metadata app_metadata ban_duration role id name public file_size_limit allowed_mime_types prefix limit offset sortBy expiresIn paths bucketId sourceKey destinationKey messages topic event payload private __proto__ constructor',
)
const text = fc.oneof(
  anyText({ maxLength: 20 }),
  fc.constantFrom(
    '\u0000',
    '\ud800',
    'skipper@harbour.test',
    'x'.repeat(5_000),
    '../../etc/passwd',
    '1e999',
    'a@b.c\r\nBcc: d',
  ),
)
const value = fc.oneof(text, fc.jsonValue({ maxDepth: 3 }), fc.constantFrom(1e308, -1, [], {}, null, true))
const json = fc
  .array(fc.tuple(field, value), { maxLength: 5 })
  .map(fields => JSON.stringify(Object.fromEntries(fields)))
const deep = fc.nat(30_000).map(depth => '{"data":'.repeat(depth) + '1' + '}'.repeat(depth))
const body = fc.oneof(
  { weight: 6, arbitrary: json },
  { weight: 1, arbitrary: fc.json() },
  { weight: 1, arbitrary: deep },
  { weight: 2, arbitrary: fc.uint8Array({ maxLength: 200 }) },
)
const type = fc.constantFrom(
  'application/json',
  'application/json',
  'application/json',
  'application/json; charset=utf-16',
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'multipart/form-data',
  'nope',
  '',
)
const request = fc.record({
  path,
  body,
  type,
  method: oneOf('POST POST POST PUT PATCH DELETE GET HEAD'),
  who: fc.constantFrom('user', 'service', 'nobody'),
})

function headersOf(who: string, contentType: string): Record<string, string> {
  const key = who === 'service' ? backend.secretKey : backend.publishableKey
  const bearer = who === 'user' ? { authorization: `Bearer ${session?.access_token}` } : {}
  return { apikey: key, ...bearer, 'x-supabase-api-version': '2024-01-01', 'content-type': contentType }
}

test('no request makes a service fail', { timeout: 90_000 }, async () => {
  const statuses = new Set<number>()
  await fc.assert(
    fc.asyncProperty(request, async ({ path: where, body: sent, type: contentType, method, who }) => {
      const bytes = typeof sent === 'string' ? sent : Uint8Array.from(sent)
      const response = await fetch(`${backend.url}/${where}`, {
        method,
        redirect: 'manual',
        headers: headersOf(who, contentType),
        ...(['GET', 'HEAD'].includes(method) ? {} : { body: bytes }),
      })
      const answer = await response.text()
      statuses.add(response.status)
      const failed = response.status >= 500 && response.status !== 501
      expect(failed ? [response.status, answer] : []).toEqual([])
      expect(/\n\s+at /.test(answer) ? answer : '').toBe('')
    }),
    { numRuns: volume(400, 1_200) },
  )
  expect([200, 400, 404].filter(status => !statuses.has(status))).toEqual([])
})

test('afterwards, a normal client is served', async () => {
  const client = officialClient(backend)
  const { error } = await client.auth.signInWithPassword({
    email: 'mate@harbour.test',
    password: 'harbour-demo',
  })
  expect(error).toBeNull()
  const { data } = await client.from('log_entries').insert({ note: 'All is well.' }).select('note').single()
  expect(data).toEqual({ note: 'All is well.' })
})
