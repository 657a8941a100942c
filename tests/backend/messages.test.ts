// Broadcasts from the database: realtime.send, send_binary, broadcast_changes and manually inserted rows.
import type { SupabaseClient } from '@supabase/supabase-js'
import { afterEach, expect, test, vi } from 'vitest'
import { officialClient, signedIn, startTestBackend } from '../harness/backend.ts'
import { directSql } from '../harness/realtime.ts'

const backend = await startTestBackend({ databaseAccess: {} })
const sql = directSql(backend)
const skipper = await signedIn(backend, 'skipper')
const guest = officialClient(backend)
await sql.unsafe(`drop policy "signed in use topics" on realtime.messages;
  create policy "open" on realtime.messages for select to authenticated using (realtime.topic() like 'open%');
  create policy "own" on realtime.messages for insert to authenticated with check (realtime.topic() = 'open mine')`)
afterEach(() => Promise.all([skipper, guest].map(client => client.removeAllChannels())))

interface Received {
  readonly event: string
  readonly payload: unknown
  readonly meta?: { readonly id?: string }
}

async function listen(client: SupabaseClient, topic: string, isPrivate: boolean): Promise<Received[]> {
  const received: Received[] = []
  const channel = client.channel(topic, { config: { private: isPrivate } })
  channel.on('broadcast', { event: '*' }, ({ event, payload, meta }) =>
    received.push({ event, payload: payload as unknown, ...(meta ? { meta } : {}) }),
  )
  await new Promise<void>((resolve, reject) => {
    channel.subscribe((_status, error) => (error ? reject(error) : resolve()))
  })
  return received
}

test('a sent message only reaches the private topic and has an id', async () => {
  const inside = await listen(skipper, 'open one', true)
  const outside = await listen(guest, 'open one', false)
  await sql`select realtime.send('{"n": 1}', 'greeting', 'open one')`
  await sql`select realtime.send('{"id": "mine", "big": 9007199254740993}', 'greeting', 'open one', true)`
  await sql`select realtime.send('{"n": 3}', 'greeting', 'open one', false)`
  await vi.waitFor(() => expect([inside.length, outside.length]).toEqual([2, 1]))
  const [first, second] = inside
  const id = first?.meta?.id
  expect(id).toMatch(/^[0-9a-f-]{36}$/)
  expect(first).toEqual({ event: 'greeting', payload: { n: 1, id }, meta: { id } })
  expect(second?.payload).toEqual({ id: 'mine', big: 9_007_199_254_740_992 })
  expect(outside[0]?.payload).toMatchObject({ n: 3 })
  const stored =
    await sql`select topic, extension, event, private, payload, binary_payload, id from realtime.messages
    where id = ${id ?? ''}`
  const row = { topic: 'open one', extension: 'broadcast', event: 'greeting', private: true, id }
  expect([...stored]).toEqual([{ ...row, payload: { n: 1, id }, binary_payload: null }])
})

test('messages wait for the commit, disappear on rollback and keep their order', async () => {
  const received = await listen(skipper, 'open order', true)
  await sql.unsafe(`begin; select realtime.send('{"n": 0}', 'e', 'open order'); rollback`)
  await sql.begin(async tx => {
    await tx`select realtime.send(jsonb_build_object('n', n, 'fill', repeat('x', n * 400)), 'e', 'open order')
      from generate_series(1, 60) n`
  })
  await vi.waitFor(() => expect(received).toHaveLength(60))
  expect(received.map(({ payload }) => Reflect.get(Object(payload), 'n'))).toEqual(
    Array.from({ length: 60 }, (_, index) => index + 1),
  )
})

test('bytes arrive as bytes', async () => {
  const received = await listen(skipper, 'open bytes', true)
  const small = new Uint8Array([0xde, 0xad, 0, 0xff])
  const large = new Uint8Array(20_000).fill(7)
  await sql`select realtime.send_binary(${small}::bytea, 'raw'::text, 'open bytes'::text, true)`
  await sql`select realtime.send_binary(${large}::bytea, 'raw'::text, 'open bytes'::text)`
  await vi.waitFor(() => expect(received).toHaveLength(2))
  const bytes = received.map(({ payload }) =>
    payload instanceof ArrayBuffer ? new Uint8Array(payload) : payload,
  )
  expect(bytes).toEqual([small, large])
})

test('a message that cannot be sent is a warning, and the row is kept', async () => {
  const received = await listen(skipper, 'open mine', true)
  await sql.unsafe(`create table public.notes (id int primary key, topic text);
    alter table public.notes enable row level security; create policy all_of_it on notes for all to authenticated using (true);
    create function tell() returns trigger language plpgsql as $$
    begin perform realtime.send('{"n": 1}', 'note', new.topic); return null; end $$;
    create trigger tell after insert on notes for each row execute function tell()`)
  const written = await skipper
    .from('notes')
    .insert([{ id: 1, topic: 'closed' }, { id: 2, topic: 'open mine' }, { id: 3 }])
    .select('id')
  expect([written.error, written.data]).toEqual([null, [{ id: 1 }, { id: 2 }, { id: 3 }]])
  await vi.waitFor(() => expect(received).toHaveLength(1))
  expect([...(await sql`select topic from realtime.messages where event = 'note'`)]).toEqual([
    { topic: 'open mine' },
  ])
})

test('broadcast_changes sends a row before and after', async () => {
  const received = await listen(skipper, 'open rows', true)
  await sql.unsafe(`create table public.crates (id int primary key, v text);
    create function crate() returns trigger language plpgsql security definer as $$
    begin
      perform realtime.broadcast_changes('open rows', tg_op, tg_op, tg_table_name, tg_table_schema, new, old, tg_level);
      return null;
    end $$;
    create trigger crate after insert or update or delete on crates for each row execute function crate();
    insert into crates values (1, 'a'); update crates set v = 'b'; delete from crates`)
  await vi.waitFor(() => expect(received).toHaveLength(3))
  const common = { schema: 'public', table: 'crates' }
  const [a, b] = [
    { id: 1, v: 'a' },
    { id: 1, v: 'b' },
  ]
  expect(received.map(({ event, payload }) => ({ event, ...Object(payload), id: undefined }))).toEqual([
    { ...common, event: 'INSERT', operation: 'INSERT', record: a, old_record: null, id: undefined },
    { ...common, event: 'UPDATE', operation: 'UPDATE', record: b, old_record: a, id: undefined },
    { ...common, event: 'DELETE', operation: 'DELETE', record: null, old_record: b, id: undefined },
  ])
})

test('broadcast_changes rejects statement triggers and other operations', async () => {
  const call = (operation: string, level: string) =>
    sql`select realtime.broadcast_changes('t', 'e', ${operation}, 'x', 'public', null::record, null::record, ${level})`
  await expect(call('INSERT', 'STATEMENT')).rejects.toThrow(
    'Failed to process the row: function can only be triggered for each row, not for each statement',
  )
  await expect(call('TRUNCATE', 'ROW')).rejects.toThrow(
    'Failed to process the row: Unexpected operation type: TRUNCATE',
  )
})

test('a manually inserted row is a message if it is complete', async () => {
  const received = await listen(skipper, 'open hand', true)
  await sql.unsafe(`insert into realtime.messages (topic, extension, event, payload, private) values
    ('open hand', 'broadcast', null, '{}', true), ('open hand', 'broadcast', 'e', null, true),
    ('open hand', 'broadcast', 'e', '[1]', true)`)
  await vi.waitFor(() => expect(received.map(({ payload }) => payload)).toEqual([[1]]))
})

test('signed-in users can only write messages that a policy allows', async () => {
  const asUser = (topic: string) =>
    sql.begin(async tx => {
      await tx`select set_config('role', 'authenticated', true), set_config('realtime.topic', ${topic}, true)`
      await tx`insert into realtime.messages (topic, extension, event, payload) values (${topic}, 'broadcast', 'e', '{}')`
    })
  await expect(asUser('open mine')).resolves.toBeUndefined()
  await expect(asUser('closed')).rejects.toMatchObject({ code: '42501' })
})
