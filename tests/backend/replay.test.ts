// Replay of private broadcasts on join.
import type { SupabaseClient } from '@supabase/supabase-js'
import { afterEach, expect, test, vi } from 'vitest'
import { signedIn, startTestBackend } from '../harness/backend.ts'
import { directSql } from '../harness/realtime.ts'
import { joinTopic, openSocket, QUIET, replyTo } from '../harness/wire-socket.ts'

const backend = await startTestBackend({ databaseAccess: {} })
const sql = directSql(backend)
const skipper = await signedIn(backend, 'skipper')
await sql.unsafe(`drop policy "signed in use topics" on realtime.messages;
  create policy "open" on realtime.messages for select to authenticated using (realtime.topic() like 'open%')`)
afterEach(() => skipper.removeAllChannels())

interface Received {
  readonly event: string
  readonly payload: unknown
  readonly meta?: Readonly<Record<string, unknown>>
}

interface Options {
  readonly topic: string
  readonly replay: { readonly since: number; readonly limit?: number }
}

/** Joins with a replay; rejects with the server's message. */
async function join(client: SupabaseClient, { topic, replay }: Options): Promise<Received[]> {
  const received: Received[] = []
  const channel = client.channel(topic, { config: { private: true, broadcast: { replay } } })
  channel.on('broadcast', { event: '*' }, ({ event, payload, meta }) =>
    received.push({ event, payload: payload as unknown, ...(meta ? { meta } : {}) }),
  )
  await new Promise<void>((resolve, reject) => {
    channel.subscribe((_status, error) => (error ? reject(error) : resolve()))
  })
  return received
}

const numbers = (received: readonly Received[]) =>
  received.map(({ payload }) => Reflect.get(Object(payload), 'n'))

/** One message per minute of a past hour, starting an hour ago. */
async function past(topic: string, count: number, isPrivate = true): Promise<number> {
  const start = Date.now() - 3_600_000
  await sql`insert into realtime.messages (topic, extension, event, payload, private, inserted_at)
    select ${topic}, 'broadcast', 'e', jsonb_build_object('n', n), ${isPrivate},
      to_timestamp(${start}::float8 / 1000 + n * 60) at time zone 'utc' from generate_series(0, ${count - 1}) n`
  return start
}

test('replays the last messages since a time, oldest first, and marks them', async () => {
  const start = await past('open a', 40)
  const since = start + 30 * 60_000
  const received = await join(skipper, { topic: 'open a', replay: { since, limit: 4 } })
  await vi.waitFor(() => expect(received).toHaveLength(4))
  expect(numbers(received)).toEqual([36, 37, 38, 39])
  const [row] = await sql`select id from realtime.messages where topic = 'open a' and payload ->> 'n' = '36'`
  expect(received[0]?.meta).toEqual({ replayed: true, id: row?.['id'] })
})

test.each([
  [{ since: 0 }, 25, 15],
  [{ since: 0, limit: 1_000 }, 25, 15],
  [{ since: 0, limit: -3 }, 1, 39],
  [{ since: Date.now() - 3_600_000 + 38.5 * 60_000, limit: 25 }, 1, 39],
])('replay %j returns %i, starting at %i', async (replay, count, first) => {
  await sql`delete from realtime.messages`
  await past('open b', 40)
  const received = await join(skipper, { topic: 'open b', replay })
  await vi.waitFor(() => expect(received).toHaveLength(count))
  expect(numbers(received)).toEqual(Array.from({ length: count }, (_, index) => first + index))
})

test('only replays private broadcasts of the topic, before new ones', async () => {
  await past('open c', 1)
  await past('open c', 2, false)
  await past('open other', 3)
  await sql`insert into realtime.messages (topic, extension, event, payload, private)
    values ('open c', 'presence', 'e', '{"n": 5}', true)`
  const received = await join(skipper, { topic: 'open c', replay: { since: 0 } })
  await sql`select realtime.send('{"n": 9}', 'e', 'open c')`
  await vi.waitFor(() => expect(numbers(received)).toEqual([0, 9]))
  expect(received.map(({ meta }) => meta?.['replayed'])).toEqual([true, undefined])
})

test('replays messages with the same time in the order in which they were written', async () => {
  const at = new Date().toISOString().replace('Z', '')
  for (let n = 0; n < 12; n += 1) {
    await sql`insert into realtime.messages (topic, extension, event, payload, private, inserted_at)
      values ('open f', 'broadcast', 'e', ${sql.json({ n })}, true, ${at}::timestamp)`
  }
  const received = await join(skipper, { topic: 'open f', replay: { since: 0, limit: 5 } })
  await vi.waitFor(() => expect(numbers(received)).toEqual([7, 8, 9, 10, 11]))
})

// The official client cannot send such a join.
test('a public channel has nothing to replay', async () => {
  const wire = await openSocket(backend)
  const answer = await joinTopic(wire, 'open g', { ...QUIET, broadcast: { replay: { since: 0 } } })
  const reason = 'UnableToReplayMessages: Replay is not allowed for public channels'
  expect(answer).toEqual(replyTo('1', 'open g', 'error', { reason }))
  expect(await joinTopic(wire, 'open g')).toEqual(replyTo('1', 'open g', 'ok', { postgres_changes: [] }))
})

test('replays bytes as bytes', async () => {
  const bytes = new Uint8Array([0xde, 0xad, 0, 0xff])
  await sql`select realtime.send_binary(${bytes}::bytea, 'raw'::text, 'open d'::text)`
  const received = await join(skipper, { topic: 'open d', replay: { since: Date.now() - 5_000, limit: 1 } })
  await vi.waitFor(() => expect(received).toHaveLength(1))
  const { payload, meta } = received[0] ?? {}
  expect([payload instanceof ArrayBuffer ? new Uint8Array(payload) : payload, meta?.['replayed']]).toEqual([
    bytes,
    true,
  ])
})

test.each<[Options, string]>([
  [{ topic: 'open e', replay: { since: 1.5 } }, 'UnableToReplayMessages: Replay params are not valid'],
  [{ topic: 'open e', replay: { since: 9e15 } }, 'UnableToReplayMessages: Replay params are not valid'],
  [
    { topic: 'closed', replay: { since: 0 } },
    'Unauthorized: You do not have permissions to read from this Channel topic: closed',
  ],
])('rejects %j', async (options, text) => {
  await expect(join(skipper, options)).rejects.toThrow(text)
})
