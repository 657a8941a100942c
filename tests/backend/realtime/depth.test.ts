// Deeply nested JSON, from a client or in a row: only its sender and its readers are affected.
import { expect, test, vi } from 'vitest'
import { officialClient, startTestBackend } from '../../harness/backend.ts'
import { directSql } from '../../harness/realtime.ts'
import { joinTopic, openSocket, QUIET, replyTo, systemSays } from '../../harness/wire-socket.ts'

const backend = await startTestBackend({ databaseAccess: {} })
const sql = directSql(backend)
await sql.unsafe(`create table public.deep (id int primary key, body json);
  grant select on public.deep to anon;
  alter publication supabase_realtime add table public.deep`)

const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)

test.each([
  ['a join', '"phx_join",{"config":{"postgres_changes":[{"table":"deep","more":NESTED}]}}'],
  ['a presence', '"presence",{"event":"track","payload":{"more":NESTED}}'],
  ['a broadcast', '"broadcast",{"event":"e","payload":NESTED}'],
])('drops %s nested too deeply and keeps its channel', async (_name, text) => {
  const wire = await openSocket(backend)
  await joinTopic(wire, 'depth', { ...QUIET, broadcast: { ack: true } })
  for (const levels of [1_100, 4_400, 100_000]) {
    wire.socket.send(`["1","2","realtime:depth",${text.replace('NESTED', nested(levels))}]`)
  }
  wire.send(['1', '3', 'realtime:depth', 'broadcast', { event: 'e', payload: {} }])
  await vi.waitFor(() => expect(wire.frames).toEqual([replyTo('3', 'depth', 'ok', {})]))
})

test('drops bytes with JSON that is nested too deeply', async () => {
  const wire = await openSocket(backend)
  await joinTopic(wire, 'depth', { ...QUIET, broadcast: { ack: true } })
  const names = ['1', '2', 'realtime:depth', 'e', '']
  const sizes = names.map(name => name.length)
  wire.send(Buffer.from([...Buffer.from([3, ...sizes, 1]), ...Buffer.from(names.join('') + nested(4_400))]))
  wire.send(['1', '3', 'realtime:depth', 'broadcast', { event: 'e', payload: {} }])
  await vi.waitFor(() => expect(wire.frames).toEqual([replyTo('3', 'depth', 'ok', {})]))
})

test.each([3_800, 6_000])(
  'a row nested %i levels deep is reported as a gap; its neighbors arrive',
  async levels => {
    await sql`delete from deep`
    const wire = await openSocket(backend)
    const wanted = [{ event: 'INSERT', schema: 'public', table: 'deep' }]
    await joinTopic(wire, 'rows', { ...QUIET, postgres_changes: wanted })
    const live = systemSays('rows', 'ok', 'Subscribed to PostgreSQL', 'postgres_changes')
    await vi.waitFor(() => expect(wire.frames).toEqual([live]))
    await sql`insert into deep values (1, '1'), (2, ${nested(levels)}::text::json), (3, '3')`
    const gap = systemSays('rows', 'error', 'Changes could not be delivered', 'postgres_changes')
    await vi.waitFor(() => expect(wire.frames).toContainEqual(gap))
    const ids = wire.frames.flatMap(frame => /"record":\{"id":(\d)/.exec(JSON.stringify(frame))?.[1] ?? [])
    expect(ids).toEqual(['1', '3'])
  },
)

test('an invalid notification stops nothing', async () => {
  const wire = await openSocket(backend)
  const wanted = [{ event: 'INSERT', schema: 'public', table: 'deep' }]
  await joinTopic(wire, 'strange', { ...QUIET, postgres_changes: wanted })
  await vi.waitFor(() => expect(wire.frames).toHaveLength(1))
  const [announcer] = await sql`select channel from realtime.announcer`
  for (const text of ['no JSON', '{"number":"x"}', '[1]', ''])
    await sql`select pg_notify(${announcer?.['channel']}, ${text})`
  await sql`insert into deep values (9, '9')`
  await vi.waitFor(() => expect(JSON.stringify(wire.frames)).toContain('"record":{"id":9,"body":9}'))
})

test('a function that notifies arbitrary channels cannot forge changes or messages', async () => {
  await sql.unsafe(`create function public.notify_any(channel text, words text) returns void language sql
    as 'select pg_notify(channel, words)'`)
  const wire = await openSocket(backend)
  const wanted = [{ event: 'INSERT', schema: 'public', table: 'deep' }]
  await joinTopic(wire, 'forged', { ...QUIET, postgres_changes: wanted })
  await vi.waitFor(() => expect(wire.frames).toHaveLength(1))
  const guest = officialClient(backend)
  const forgeries = [
    { schema: 'public', table: 'deep', type: 'INSERT', record: { id: 666 } },
    { message: { id: 'x', topic: 'forged', event: 'e', private: false, payload: {} } },
  ]
  for (const body of forgeries) {
    const text = JSON.stringify({ number: 1, transaction: '1', body })
    expect((await guest.rpc('notify_any', { channel: 'chartroom_changes', words: text })).error).toBeNull()
  }
  expect((await guest.schema('realtime').from('announcer').select()).data).toBeNull()
  await expect(
    sql.begin(tx => tx.unsafe('set local role service_role; select channel from realtime.announcer')),
  ).rejects.toThrow('permission denied')
  await sql`insert into deep values (10, '10')`
  await vi.waitFor(() => expect(wire.frames).toHaveLength(2))
  expect(JSON.stringify(wire.frames)).toContain('"record":{"id":10,"body":10}')
})
