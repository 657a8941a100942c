// Private topics: what the policies on realtime.messages let a caller receive and send, by extension and
// token.
import { SignJWT } from 'jose'
import { expect, test, vi } from 'vitest'
import { CLI_KEYS } from '../../../backend/keys/index.ts'
import { startTestBackend } from '../../harness/backend.ts'
import { directSql } from '../../harness/realtime.ts'
import { closing, joinTopic, openSocket, replyTo, systemSays } from '../../harness/wire-socket.ts'

const backend = await startTestBackend({ keys: 'cli', databaseAccess: {} })
const sql = directSql(backend)
// A topic's name contains its permissions: `may:<who>:<read|write>.<extension>,…`.
await sql.unsafe(`
  drop policy "signed in use topics" on realtime.messages;
  create function public.topic_allows(deed text) returns boolean language sql stable as $$
    select split_part(realtime.topic(), ':', 1) = 'may'
      and (select auth.jwt()) ->> 'sub' = split_part(realtime.topic(), ':', 2)
      and deed = any (string_to_array(split_part(realtime.topic(), ':', 3), ',')) $$;
  create policy "by the topic's name" on realtime.messages for select to authenticated
    using (case realtime.topic() when 'broken' then 1 / (length(extension) - 9) > 0
      else topic_allows('read.' || extension) end);
  create policy "by the topic's name too" on realtime.messages for insert to authenticated
    with check (topic_allows('write.' || extension));
`)

const ANN = '6f6b9f6e-0000-4000-8000-00000000000a'
const BOB = '6f6b9f6e-0000-4000-8000-00000000000b'
const tokenOf = (sub: string, jti = '') =>
  new SignJWT({ sub, role: 'authenticated', exp: 4_000_000_000, jti })
    .setProtectedHeader({ alg: 'HS256' })
    .sign(new TextEncoder().encode(CLI_KEYS.jwtSecret))

const annMay = (...rights: string[]) => `may:${ANN}:${rights.join(',')}`
const PRIVATE = { private: true, broadcast: { ack: true }, presence: { key: 'me', enabled: false } }
const PRESENT = { ...PRIVATE, presence: { key: 'me', enabled: true } }
const HAIL = { type: 'broadcast', event: 'hail', payload: { a: 1 } }

async function enter(topic: string, config: object = PRIVATE, sub = ANN) {
  const wire = await openSocket(backend)
  const answer = await joinTopic(wire, topic, config, { access_token: await tokenOf(sub) })
  const send = (ref: string, event: string, payload: unknown) =>
    wire.send(['1', ref, `realtime:${topic}`, event, payload])
  return { ...wire, answer, send }
}

const joined = (topic: string) => replyTo('1', topic, 'ok', { postgres_changes: [] })
const refused = (topic: string) =>
  replyTo('1', topic, 'error', {
    reason: `Unauthorized: You do not have permissions to read from this Channel topic: ${topic}`,
  })

test.each([
  ['no user may read', annMay('write.broadcast'), PRIVATE, ANN, refused],
  ['another user may read', annMay('read.broadcast'), PRIVATE, BOB, refused],
  ['only presence may be read, which is off', annMay('read.presence'), PRIVATE, ANN, refused],
  ['only presence may be read, which is on', annMay('read.presence'), PRESENT, ANN, joined],
  ['broadcasts may be read', annMay('read.broadcast'), PRIVATE, ANN, joined],
  ['the policy fails', 'broken', PRIVATE, ANN, refused],
  ['the name contains a NUL', 'may:\0', PRIVATE, ANN, refused],
])('a topic where %s', async (_name, topic, config, sub, answer) => {
  const { answer: given } = await enter(topic, config, sub)
  expect(given).toEqual(answer(topic))
})

test('a caller without write permission is ignored; one with it gets a response', async () => {
  const silent = annMay('read.broadcast')
  const mute = await enter(silent)
  mute.send('2', 'broadcast', HAIL)
  mute.send('3', 'phx_leave', {})
  expect(await mute.received(2)).toEqual([replyTo('3', silent, 'ok', {}), closing(silent)])

  const topic = annMay('read.broadcast', 'write.broadcast')
  const listener = await enter(topic)
  const speaker = await enter(topic)
  speaker.send('2', 'broadcast', HAIL)
  expect(await speaker.received(1)).toEqual([replyTo('2', topic, 'ok', {})])
  expect(await listener.received(1)).toEqual([[null, null, `realtime:${topic}`, 'broadcast', HAIL]])
})

test('a member who may only read presence receives no broadcast', async () => {
  const topic = annMay('read.presence', 'write.broadcast', 'write.presence')
  const listener = await enter(topic, PRESENT)
  await listener.received(1)
  const speaker = await enter(topic, PRESENT)
  speaker.send('2', 'broadcast', HAIL)
  speaker.send('3', 'presence', { type: 'presence', event: 'track', payload: { duty: 'helm' } })
  const frames = await listener.received(2)
  expect(frames.map(frame => Array.isArray(frame) && frame[3])).toEqual(['presence_state', 'presence_diff'])
})

test('writing presence without permission is an error; without read permission, none is sent', async () => {
  const topic = annMay('read.broadcast', 'write.broadcast')
  const wire = await enter(topic, PRESENT)
  wire.send('2', 'presence', { type: 'presence', event: 'track', payload: { duty: 'helm' } })
  wire.send('3', 'presence', { type: 'presence', event: 'untrack' })
  expect(await wire.received(2)).toEqual([replyTo('2', topic, 'error', {}), replyTo('3', topic, 'ok', {})])
})

test('if presence was off at the join, permission is checked when tracking', async () => {
  const topic = annMay('read.broadcast', 'read.presence', 'write.presence')
  const wire = await enter(topic)
  wire.send('2', 'presence', { type: 'presence', event: 'track', payload: { duty: 'helm' } })
  const metas = [{ duty: 'helm', phx_ref: expect.any(String) }]
  expect(await wire.received(2)).toEqual([
    [null, null, `realtime:${topic}`, 'presence_diff', { joins: { me: { metas } }, leaves: {} }],
    replyTo('2', topic, 'ok', {}),
  ])
})

test('the policies are checked once per token', async () => {
  const topic = annMay('read.broadcast', 'write.broadcast')
  const wire = await enter(topic)
  wire.send('2', 'broadcast', HAIL)
  await wire.received(1)
  await sql`alter policy "by the topic's name too" on realtime.messages with check (false)`
  try {
    wire.send('3', 'broadcast', HAIL)
    await wire.received(2)
    wire.send('4', 'access_token', { access_token: await tokenOf(ANN, 'new') })
    wire.send('5', 'broadcast', HAIL)
    wire.send('6', 'phx_leave', {})
    expect(await wire.received(4)).toEqual([
      replyTo('2', topic, 'ok', {}),
      replyTo('3', topic, 'ok', {}),
      replyTo('6', topic, 'ok', {}),
      closing(topic),
    ])
  } finally {
    await sql`alter policy "by the topic's name too" on realtime.messages
      with check (topic_allows('write.' || extension))`
  }
})

test("another user's token closes a channel that they may not read", async () => {
  const topic = annMay('read.broadcast')
  const wire = await enter(topic)
  wire.send('2', 'access_token', { access_token: await tokenOf(BOB) })
  const text = `You do not have permissions to read from this Channel topic: ${topic}`
  expect(await wire.received(2)).toEqual([systemSays(topic, 'error', text), closing(topic)])
})

test('a token with fewer permissions than before closes the channel', async () => {
  const topic = annMay('read.broadcast', 'read.presence')
  const wire = await enter(topic, PRESENT)
  await wire.received(1)
  await sql`create policy "no presence" on realtime.messages as restrictive for select using (extension <> 'presence')`
  try {
    wire.send('2', 'access_token', { access_token: await tokenOf(ANN, 'less') })
    const text = `You no longer have permission to read from this Channel topic: ${topic}`
    expect((await wire.received(3)).slice(1)).toEqual([systemSays(topic, 'error', text), closing(topic)])
  } finally {
    await sql`drop policy "no presence" on realtime.messages`
  }
})

test('a private and a public topic with one name are separate', async () => {
  const topic = annMay('read.broadcast', 'write.broadcast')
  const open = await enter(topic, { ...PRIVATE, private: false })
  const closed = await enter(topic)
  closed.send('2', 'broadcast', HAIL)
  await closed.received(1)
  open.send('2', 'broadcast', HAIL)
  expect(await open.received(1)).toEqual([replyTo('2', topic, 'ok', {})])
  expect(closed.frames).toEqual([replyTo('2', topic, 'ok', {})])
})

test('the policy probes are not visible to any client', async () => {
  const topic = annMay('read.broadcast', 'write.broadcast')
  const listener = await enter(topic)
  await enter(topic)
  expect(await sql`select count(*)::int as count from realtime.messages`).toEqual([{ count: 0 }])
  listener.send('2', 'broadcast', HAIL)
  expect(await listener.received(1)).toEqual([replyTo('2', topic, 'ok', {})])
})

test('joins of a disconnected socket are not checked further', async () => {
  await sql.unsafe(`create sequence public.questions; grant usage on sequence public.questions to authenticated;
    create policy "counts" on realtime.messages for select to authenticated
      using (realtime.topic() like 'count%' and nextval('public.questions') > 0)`)
  const wire = await openSocket(backend)
  const body = { config: PRIVATE, access_token: await tokenOf(ANN) }
  for (let n = 0; n < 200; n += 1) wire.send(['1', '1', `realtime:count ${n}`, 'phx_join', body])
  await vi.waitFor(() => expect(wire.frames.length).toBeGreaterThan(0), { interval: 1 })
  wire.socket.terminate()
  await enter('count last')
  const asked = await sql`select last_value from public.questions`
  // The database serves requests in order, so a waiting join would run in between.
  for (let n = 0; n < 10; n += 1) await sql`select`
  expect(await sql`select last_value from public.questions`).toEqual(asked)
})
