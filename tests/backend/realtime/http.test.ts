// The realtime HTTP API: batches, single broadcasts, their errors, and their rate.
import { expect, test } from 'vitest'
import { startTestBackend } from '../../harness/backend.ts'
import { directSql } from '../../harness/realtime.ts'
import { joinTopic, openSocket, QUIET } from '../../harness/wire-socket.ts'

const clock = { at: Date.now(), now: () => clock.at }
const backend = await startTestBackend({
  clock,
  databaseAccess: {},
  realtime: { maxPayloadSizeInKb: 1, maxEventsPerSecond: 4 },
})
const sql = directSql(backend)
const API = `${backend.url}/realtime/v1/api`
const JSON_TYPE = { 'content-type': 'application/json' }

async function post(path: string, body: BodyInit, headers: Record<string, string> = JSON_TYPE) {
  const init = { method: 'POST', body, headers: { apikey: backend.publishableKey, ...headers } }
  const response = await fetch(`${API}${path}`, init)
  const text = await response.text()
  return { status: response.status, body: text === '' ? '' : JSON.parse(text), headers: response.headers }
}

const batch = (...messages: unknown[]) => post('/broadcast', JSON.stringify({ messages }))

async function listen(topic: string, config: object = QUIET, token = backend.publishableKey) {
  const wire = await openSocket(backend)
  await joinTopic(wire, topic, config, { access_token: token })
  return wire
}

const broadcastOf = (topic: string, payload: object) => [
  null,
  null,
  `realtime:${topic}`,
  'broadcast',
  payload,
]

test('a batch reaches the public topics that it names', async () => {
  const [near, far] = [await listen('near'), await listen('far')]
  const one = { topic: 'near', event: 'hail', payload: { words: 'ahoy' } }
  const two = { topic: 'far', event: 'hail', payload: {}, private: 'false', id: 'seven' }
  expect(await batch(one, two)).toMatchObject({ status: 202, body: '' })
  expect(await near.received(1)).toEqual([
    broadcastOf('near', { event: 'hail', payload: { words: 'ahoy' }, type: 'broadcast' }),
  ])
  expect(await far.received(1)).toEqual([
    broadcastOf('far', { event: 'hail', payload: {}, type: 'broadcast', meta: { id: 'seven' } }),
  ])
})

const BLANK = ["can't be blank"]
const INVALID = ['is invalid']
const GOOD = { topic: 'a', event: 'b', payload: {} }

test.each<[string, unknown, unknown]>([
  ['no messages', {}, BLANK],
  ['an empty list', { messages: [] }, BLANK],
  ['a list instead of an object', [GOOD], BLANK],
  ['a value that is not a list', { messages: GOOD }, INVALID],
  ['a list of strings', { messages: ['ahoy'] }, INVALID],
  ['missing fields', { messages: [GOOD, { payload: {} }] }, [{}, { topic: BLANK, event: BLANK }]],
  ['blank names', { messages: [{ topic: ' ', event: '', payload: {} }] }, [{ topic: BLANK, event: BLANK }]],
  [
    'wrong types',
    { messages: [{ topic: 1, event: [], payload: 'x', private: 7 }] },
    [{ topic: INVALID, event: INVALID, private: INVALID, payload: INVALID }],
  ],
  [
    'a large payload',
    { messages: [{ ...GOOD, payload: { x: 'x'.repeat(1_500) } }] },
    [{ payload: ['Payload size exceeds tenant limit'] }],
  ],
])('a batch with %s is 422', async (_name, body, messages) => {
  expect(await post('/broadcast', JSON.stringify(body))).toMatchObject({
    status: 422,
    body: { errors: { messages } },
  })
})

test('invalid JSON is 400, and an unknown route 404', async () => {
  expect((await post('/broadcast', '{')).status).toBe(400)
  expect((await post('/broadcast/a/events/b', '{')).status).toBe(400)
  expect((await post('/broadcast/%ff/events/b', '{}')).status).toBe(400)
  expect((await post('/elsewhere', '{}')).status).toBe(404)
  const get = await fetch(`${API}/broadcast`, { headers: { apikey: backend.publishableKey } })
  expect(get.status).toBe(404)
})

test('a private message requires write permission; in a batch it is silently skipped', async () => {
  await sql`create policy "anyone hears" on realtime.messages for select to anon using (true)`
  const wire = await listen('cabin', { ...QUIET, private: true })
  const hail = { topic: 'cabin', event: 'hail', payload: { a: 1 }, private: true }
  expect((await batch(hail)).status).toBe(202)
  expect(await post('/broadcast/cabin/events/hail?private=true', '{"a":1}')).toMatchObject({
    status: 403,
    body: { message: 'Unauthorized' },
  })
  await sql`create policy "anyone says" on realtime.messages for insert to anon with check (1 / (length(topic) - 6) > 0)`
  expect((await batch({ ...hail, topic: 'gunner' })).status).toBe(202)
  expect(await post('/broadcast/gunner/events/hail?private=true', '{"a":1}')).toMatchObject({
    status: 422,
    body: { message: 'RLS policy error' },
  })
  await sql`alter policy "anyone says" on realtime.messages with check (true)`
  expect((await batch({ ...hail, payload: { a: 2 } })).status).toBe(202)
  const payload = { event: 'hail', payload: { a: 2 }, type: 'broadcast' }
  expect(await wire.received(1)).toEqual([broadcastOf('cabin', payload)])
})

test.each([
  ['JSON', '{"a":1}', JSON_TYPE, 1, '{"a":1}'],
  ['JSON that is not an object', '[1]', JSON_TYPE, 1, '{"_json":[1]}'],
  ['nothing', '', JSON_TYPE, 1, '{}'],
  [
    'bytes',
    Uint8Array.of(1, 0, 255),
    { 'content-type': 'application/octet-stream' },
    0,
    Uint8Array.of(1, 0, 255),
  ],
])('a single broadcast of %s', async (_name, body, headers, encoding, expected) => {
  const wire = await listen('deck / 1')
  expect(await post('/broadcast/deck%20%2F%201/events/hail', body, headers)).toMatchObject({
    status: 202,
    body: '',
  })
  const fields = ['realtime:deck / 1', 'hail'].map(text => Buffer.from(text))
  const header = Uint8Array.from([4, 17, 4, 0, encoding])
  expect(await wire.received(1)).toEqual([Buffer.concat([header, ...fields, Buffer.from(expected)])])
})

test('a single broadcast is validated', async () => {
  const large = JSON.stringify('x'.repeat(1_500))
  expect(await post('/broadcast/%20/events/%20', large)).toMatchObject({
    status: 422,
    body: { errors: { topic: BLANK, event: BLANK, payload: ['Payload size exceeds tenant limit'] } },
  })
  const text = { 'content-type': 'text/plain' }
  expect(await post('/broadcast/a/events/b', 'x', text)).toMatchObject({
    status: 415,
    body: { error: 'Unsupported Media Type. Use application/json or application/octet-stream' },
  })
})

test('an invalid token is 401', async () => {
  const headers = { ...JSON_TYPE, authorization: 'Bearer ahoy' }
  const body = JSON.stringify({ messages: [GOOD] })
  expect(await post('/broadcast', body, headers)).toMatchObject({
    status: 401,
    body: { message: 'Unauthorized' },
  })
})

test('the rate limit is reported and enforced', async () => {
  clock.at += 120_000
  const ping = async () => {
    const response = await fetch(`${API}/ping`, { headers: { apikey: backend.publishableKey } })
    const rates = ['x-rate-rolling', 'x-rate-limit', 'x-rate-limit-remaining'].map(name =>
      response.headers.get(name),
    )
    return { status: response.status, body: await response.json(), rates }
  }
  expect(await ping()).toEqual({ status: 200, body: { message: 'Success' }, rates: ['0', '4', '4'] })
  expect(await batch(GOOD, GOOD, GOOD, GOOD, GOOD)).toMatchObject({
    status: 429,
    body: { message: 'Too many messages to broadcast, please reduce the batch size' },
  })
  for (let time = 0; time < 61; time += 1) expect((await batch(GOOD, GOOD, GOOD, GOOD)).status).toBe(202)
  clock.at += 5_000
  expect(await ping()).toEqual({
    status: 429,
    body: { message: 'Too many requests' },
    rates: ['4', '4', '0'],
  })
  expect(await batch(GOOD)).toMatchObject({ status: 429, body: { message: 'Too many requests' } })
  clock.at += 60_000
  expect((await batch(GOOD)).status).toBe(202)
})
