// Malicious input: every service rejects it with a status below 500 and keeps working.
import { connect } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { startBackend } from '../../backend/index.ts'
import { officialClient, signedIn, startOwnBackend } from '../harness/backend.ts'

const backend = await startOwnBackend()
const skipper = await signedIn(backend, 'skipper')
const session = (await skipper.auth.getSession()).data.session
const headers = {
  apikey: backend.publishableKey,
  authorization: `Bearer ${session?.access_token}`,
  'content-type': 'application/json',
}

const send = (method: string, path: string, body?: string, more: Record<string, string> = {}) =>
  fetch(`${backend.url}/${path}`, { method, headers: { ...headers, ...more }, ...(body ? { body } : {}) })

const DEEP = `${'['.repeat(20_000)}${']'.repeat(20_000)}`
const BODIES = [
  '{',
  'null',
  '1',
  '"text"',
  '[]',
  '[null]',
  DEEP,
  '{"__proto__":{"x":1}}',
  '{"email":1,"password":2}',
  '{"email":["a"],"password":{}}',
  '{"email":"a\\u0000@b.test","password":"long enough"}',
  '{"email":"c@d.test","password":"long enough","data":{"a":"\\u0000"}}',
  '{"refresh_token":{"a":1}}',
  '{"refresh_token":"\\u0000"}',
  '{"name":{"a":1}}',
  '{"name":"\\u0000"}',
  '{"name":"a","file_size_limit":"99999999999999999999GB"}',
  '{"name":"a","allowed_mime_types":["\\u0000"]}',
  '{"prefix":"\\u0000"}',
  '{"prefixes":["\\u0000"]}',
  '{"expiresIn":1e308,"paths":["\\u0000","\\ud800","../x"]}',
  '{"bucketId":"\\u0000","sourceKey":"\\u0000","destinationKey":"a"}',
  '{"port":"constructor"}',
  '{"port":"__proto__"}',
  '{"at":"+275760-09-13T00:00:00Z"}',
  '{"messages":[{"topic":"a\\u0000","event":"e","private":true}]}',
]

test.each([
  'auth/v1/signup',
  'auth/v1/token?grant_type=password',
  'auth/v1/token?grant_type=refresh_token',
  'auth/v1/otp',
  'auth/v1/verify',
  'auth/v1/recover',
  'auth/v1/resend',
  'rest/v1/vessels',
  'rest/v1/rpc/constructor',
  'storage/v1/bucket',
  'storage/v1/object/list/charts',
  'storage/v1/object/move',
  'storage/v1/object/copy',
  'storage/v1/object/sign/charts',
  'functions/v1/tide',
  'functions/v1/echo',
  'realtime/v1/api/broadcast',
  'realtime/v1/api/broadcast/deck%00/events/a?private=true',
])('no body makes %s fail', async path => {
  const failed: unknown[] = []
  for (const body of BODIES) {
    const response = await send('POST', path, body)
    const text = await response.text()
    if (response.status >= 500 || /\n\s+at /.test(text))
      failed.push([body.slice(0, 80), response.status, text])
  }
  expect(failed).toEqual([])
})

const nested = (levels: number) => `{"a":${'['.repeat(levels)}${']'.repeat(levels)}}`
const base64 = (text: string) => Buffer.from(text).toString('base64')
const form = (field: string, text: string) => {
  const fields = new FormData()
  fields.append(field, text)
  fields.append('', new File(['x'], 'x.txt'))
  return fields
}

/** Deeply nested values, wherever a service parses JSON outside of a plain body. */
const deepRequests = (
  levels: number,
): [path: string, init: { method?: string; headers?: object; body?: BodyInit }][] => {
  const deep = nested(levels)
  const object = `storage/v1/object/charts/${session?.user.id}/deep-${levels}.txt`
  const tus = { 'tus-resumable': '1.0.0', 'upload-length': '1' }
  return [
    [object, { body: form('metadata', deep) }],
    [object, { body: 'x', headers: { 'x-metadata': base64(deep).slice(0, 60_000) } }],
    [object, { body: deep, headers: { 'content-type': 'application/json', 'x-upsert': 'true' } }],
    [
      'storage/v1/upload/resumable',
      {
        headers: {
          ...tus,
          'upload-metadata':
            `bucketName ${base64('charts')},objectName ${base64(`${session?.user.id}/d.txt`)},metadata ${base64(deep)}`.slice(
              0,
              60_000,
            ),
        },
      },
    ],
    ['functions/v1/echo', { body: form('a', deep) }],
    ['functions/v1/echo', { body: deep, headers: { 'content-type': 'application/json' } }],
    ['functions/v1/echo', { body: deep, headers: { 'content-type': 'text/plain' } }],
    ['functions/v1/echo', { body: new URLSearchParams({ a: deep }) }],
    ['rest/v1/vessels', { body: form('a', deep) }],
    ['rest/v1/vessels', { body: new URLSearchParams({ a: deep }) }],
    [
      'rest/v1/vessels',
      { body: `name\n"${deep.replaceAll('"', '""')}"`, headers: { 'content-type': 'text/csv' } },
    ],
    [`rest/v1/vessels?and=${'(and'.repeat(levels).slice(0, 20_000)}`, { method: 'GET' }],
    [`rest/v1/vessels?select=${'voyages('.repeat(levels).slice(0, 20_000)}`, { method: 'GET' }],
    [`rest/v1/vessels?name=cs.${deep.slice(0, 20_000)}`, { method: 'GET' }],
    ['auth/v1/signup', { body: form('a', deep) }],
    ['realtime/v1/api/broadcast', { body: form('a', deep) }],
  ]
}

test.each([900, 5_000, 20_000])('nothing nested %i levels deep makes a service fail', async levels => {
  const failed: unknown[] = []
  for (const [path, { method = 'POST', headers: more, body }] of deepRequests(levels)) {
    const { apikey, authorization } = headers
    const all = { apikey, authorization, ...more }
    const response = await fetch(`${backend.url}/${path}`, {
      method,
      headers: all,
      ...(body ? { body } : {}),
    })
    if (response.status >= 500)
      failed.push([path.slice(0, 60), method, more, response.status, await response.text()])
  }
  expect(failed).toEqual([])
})

test.each([
  ['GET', 'rest/v1/vessels?id=constructor.1'],
  ['HEAD', 'rest/v1/vessels?id=constructor.1'],
  ['GET', 'rest/v1/vessels?order=%00'],
  ['GET', 'rest/v1/%ff'],
  ['HEAD', 'auth/v1/user'],
  ['HEAD', 'auth/v1/health'],
  ['GET', 'storage/v1/bucket/%00'],
  ['GET', 'storage/v1/object/%00/a'],
  ['GET', 'storage/v1/object/charts/a%00'],
  ['GET', 'storage/v1/object/public/%00/a'],
  ['DELETE', 'storage/v1/object/charts/a%00'],
  ['POST', 'storage/v1/bucket/%00/empty'],
  ['PURGE', 'rest/v1/vessels'],
])('%s %s has a status below 500', async (method, path) => {
  expect((await send(method, path)).status).toBeLessThan(500)
})

test.each(['__proto__', '%5F_proto__', 'constructor', 'toString'])(
  'a filter on %s is rejected and changes no object prototype',
  async name => {
    const before = [Object.getOwnPropertyNames(Object.prototype), Object.getOwnPropertyNames(Object)]
    const rows = async () => (await skipper.from('log_entries').select('id')).data?.length
    const count = await rows()
    const response = await send('DELETE', `rest/v1/log_entries?${name}=eq.1`)
    expect([response.status, await response.json()]).toEqual([
      400,
      {
        code: '42703',
        message: `column log_entries.${decodeURIComponent(name)} does not exist`,
        details: null,
        hint: null,
      },
    ])
    expect([Object.getOwnPropertyNames(Object.prototype), Object.getOwnPropertyNames(Object)]).toEqual(before)
    expect(await rows()).toBe(count)
  },
)

test.each([
  ['a cache age with a line break', 'cacheControl', 'a\r\nb'],
  ['a type with a line break', 'contentType', 'text/plain\r\nx-a: b'],
])('rejects an upload with %s', async (_name, field, value) => {
  const form = new FormData()
  form.append(field, value)
  form.append('', new File(['x'], 'x.txt'))
  const address = `${backend.url}/storage/v1/object/charts/${session?.user.id}/odd-${field}.txt`
  const { apikey, authorization } = headers
  const response = await fetch(address, { method: 'POST', headers: { apikey, authorization }, body: form })
  expect([response.status, await response.json()]).toEqual([
    400,
    expect.objectContaining({ code: 'InvalidRequest' }),
  ])
})

const started: { stop(): Promise<void> }[] = []
afterEach(async () => {
  for (const one of started.splice(0)) await one.stop()
})

/** Sends raw bytes and returns the first line of the response; the client's side stays open. */
function exchange(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }, () => socket.write(text))
    socket.once('data', data => resolve(data.toString().split('\r\n')[0] ?? ''))
    socket.on('error', reject)
    socket.on('close', () => resolve('closed'))
    started.push({ stop: async () => void socket.destroy() })
  })
}

const UPGRADE = 'Connection: Upgrade\r\nUpgrade: websocket\r\n'

test.each([
  ['GET //', 'GET // HTTP/1.1\r\nHost: HERE\r\n', '400 Bad Request'],
  ['a malformed URL', 'GET http://[ HTTP/1.1\r\nHost: HERE\r\n', '400 Bad Request'],
  ['a malformed host', 'GET /realtime/v1/websocket HTTP/1.1\r\nHost: [\r\n', '403 Forbidden'],
  ['another host', 'GET /realtime/v1/websocket HTTP/1.1\r\nHost: evil.test\r\n', '403 Forbidden'],
  ['another port', 'GET /realtime/v1/websocket HTTP/1.1\r\nHost: 127.0.0.1:1\r\n', '403 Forbidden'],
])('rejects a socket request with %s and keeps working', async (_name, head, status) => {
  const here = head.replace('HERE', `127.0.0.1:${backend.port}`)
  expect(await exchange(backend.port, `${here}${UPGRADE}\r\n`)).toBe(`HTTP/1.1 ${status}`)
  expect((await fetch(`${backend.url}/_chartroom/health`)).status).toBe(200)
})

test('TRACE is not allowed', async () => {
  const head = `TRACE /rest/v1/vessels HTTP/1.1\r\nHost: 127.0.0.1:${backend.port}\r\n`
  expect(await exchange(backend.port, `${head}apikey: ${backend.publishableKey}\r\n\r\n`)).toBe(
    'HTTP/1.1 405 Method Not Allowed',
  )
})

test('a refused socket that its client never closes does not delay the stop', async () => {
  const other = await startBackend({ data: 'memory' })
  const head = `GET /elsewhere HTTP/1.1\r\nHost: 127.0.0.1:${other.port}\r\n`
  expect(await exchange(other.port, `${head}${UPGRADE}\r\n`)).toBe('HTTP/1.1 404 Not Found')
  await other.stop()
  await expect(fetch(other.url)).rejects.toThrow('fetch failed')
})

test('afterwards, a normal client is served', async () => {
  const { data, error } = await officialClient(backend).auth.signInWithPassword({
    email: 'mate@harbour.test',
    password: 'harbour-demo',
  })
  expect([data.user?.email, error]).toEqual(['mate@harbour.test', null])
  expect((await skipper.storage.listBuckets()).data?.map(({ id }) => id)).toEqual(['charts'])
})
