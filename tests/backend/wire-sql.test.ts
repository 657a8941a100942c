// The database URL for drivers: its password, its transactions, and isolation between clients.
import { randomBytes } from 'node:crypto'
import postgres from 'postgres'
import { afterAll, expect, test } from 'vitest'
import { signedIn, startTestBackend } from '../harness/backend.ts'
import { testOnPglite } from '../harness/engine.ts'

const backend = await startTestBackend({ databaseAccess: {} })
const url = backend.databaseUrl ?? ''
const open: postgres.Sql[] = []
afterAll(() => Promise.all(open.map(sql => sql.end({ timeout: 1 }))))

/** One connection of the `postgres` driver by default. */
function driver(options: postgres.Options<Record<string, never>> = {}): postgres.Sql {
  const sql = postgres(url, { max: 1, onnotice: () => undefined, ...options })
  open.push(sql)
  return sql
}

test('rows round-trip with their types, including bytes and large results', async () => {
  const sql = driver()
  const bytes = randomBytes(3_000_000)
  const [row] = await sql`select ${bytes}::bytea as bytes, ${42}::int as number, ${null}::text as nothing,
    ${sql.json({ a: [1] })}::jsonb as json, ${['a', 'b']}::text[] as texts, ${new Date(0)}::timestamptz as at`
  expect(bytes.equals(row?.['bytes'])).toBe(true)
  expect({ ...row, bytes: 0 }).toEqual({
    bytes: 0,
    number: 42,
    nothing: null,
    json: { a: [1] },
    texts: ['a', 'b'],
    at: new Date(0),
  })
  const many = await sql`select n, repeat('x', 100) as text from generate_series(1, 50000) n`
  expect([many.length, many[49_999]]).toEqual([50_000, { n: 50_000, text: 'x'.repeat(100) }])
})

test('rejects a wrong or missing password', async () => {
  const wrong = new URL(url)
  wrong.password = 'wrong'
  await expect(
    driver({
      host: '127.0.0.1',
      port: Number(wrong.port),
      password: 'wrong',
      username: 'postgres',
    })`select 1`,
  ).rejects.toMatchObject({
    message: 'password authentication failed for user "postgres"',
  })
})

test('a transaction is all or nothing, and the client can continue after an error', async () => {
  const sql = driver()
  await sql`create table public.wire_sums (id int primary key)`
  await expect(
    sql.begin(async tx => {
      await tx`insert into wire_sums values (1)`
      await tx`insert into wire_sums values (1)`
    }),
  ).rejects.toMatchObject({ code: '23505' })
  expect(await sql`select * from wire_sums`).toEqual([])
  await sql.begin(async tx => {
    await tx`insert into wire_sums values (1)`
    await expect(tx.savepoint(point => point`select nonsense`)).rejects.toMatchObject({ code: '42703' })
    await tx`insert into wire_sums values (2)`
  })
  expect([...(await sql`select id from wire_sums order by id`)]).toEqual([{ id: 1 }, { id: 2 }])
})

// A server shows other clients the rows before the change, and does not let them wait.
testOnPglite('an open transaction blocks REST and other clients until it ends', async () => {
  const [first, second] = [driver(), driver()]
  const mate = await signedIn(backend, 'mate')
  const order: string[] = []
  await first.begin(async tx => {
    await tx`update public.vessels set rig = 'barge' where name = 'Marigold'`
    const others = [
      mate.from('vessels').select('rig').eq('name', 'Marigold').single(),
      second`select rig from public.vessels where name = 'Marigold'`,
    ] as const
    void Promise.all(others).then(([rest, [row]]) =>
      order.push(`rest ${rest.data?.rig}`, `sql ${row?.['rig']}`),
    )
    await tx`select 1`
    order.push('ends')
  })
  await expect.poll(() => order).toEqual(['ends', 'rest barge', 'sql barge'])
})

test('settings, roles, statements and temporary tables are isolated between clients', async () => {
  const [first, second] = [driver(), driver()]
  await first.unsafe(`set search_path to storage; set role authenticated; set my.word to 'mine'`)
  const state = `select current_user::text as who, current_setting('search_path') as path, current_setting('my.word', true) as word`
  expect([...(await first.unsafe(state))]).toEqual([{ who: 'authenticated', path: 'storage', word: 'mine' }])
  const [other] = await second.unsafe(state)
  expect([other?.['who'], other?.['word'] || null]).toEqual(['postgres', null])
  const rows = await (await signedIn(backend, 'skipper')).from('vessels').select('id')
  expect(rows.data).toHaveLength(4)
  expect([...(await first.unsafe(state))]).toEqual([{ who: 'authenticated', path: 'storage', word: 'mine' }])

  const statements = () =>
    second`select count(*)::int from pg_prepared_statements where name like 'chartroom%'`
  await statements()
  const before = await statements()
  const third = driver()
  await third`create temporary table wire_passing (id int)`
  await third.end()
  await expect(second`select * from wire_passing`).rejects.toMatchObject({ code: '42P01' })
  await expect.poll(statements).toEqual(before)
})

test('a failing query in a pipeline does not affect the others', async () => {
  const sql = driver()
  const answers = await Promise.allSettled([sql`select 1 as n`, sql`select nope`, sql`select 2 as n`])
  expect(
    answers.map(answer => (answer.status === 'fulfilled' ? answer.value[0]?.['n'] : answer.reason.code)),
  ).toEqual([1, '42703', 2])
})

testOnPglite('COPY FROM STDIN is rejected, and the client continues', async () => {
  const sql = driver()
  await expect(sql.unsafe('copy public.vessels (name) from stdin')).rejects.toMatchObject({
    code: '0A000',
    message: 'COPY FROM STDIN is not supported by the embedded database.',
  })
  expect([...(await sql`select 1 as one`)]).toEqual([{ one: 1 }])
})

test('DISCARD ALL and UNLISTEN of one client do not affect realtime and the statements of other clients', async () => {
  const [first, second] = [driver(), driver()]
  await second`select 1 as one`
  const skipper = await signedIn(backend, 'skipper')
  const changes: unknown[] = []
  const channel = skipper.channel('wire')
  channel.on('postgres_changes', { event: 'INSERT', schema: 'public', table: 'vessels' }, ({ new: row }) =>
    changes.push(row['name']),
  )
  const live = Promise.withResolvers<void>()
  channel.on('system', {}, () => live.resolve()).subscribe()
  await live.promise
  await first.unsafe(`set my.word to 'gone'`)
  await first.unsafe('unlisten *; discard all').catch(() => undefined)
  await first.unsafe('discard all')
  await first.unsafe('unlisten *')
  expect([...(await second`select 1 as one`)]).toEqual([{ one: 1 }])
  expect([...(await first`select current_setting('my.word', true) as word`)]).toEqual([{ word: '' }])
  await first`insert into public.vessels (name) values ('Heard')`
  await expect.poll(() => changes).toEqual(['Heard'])
  await first`delete from public.vessels where name = 'Heard'`
  await skipper.realtime.disconnect()
})

test('many concurrent clients are served in turn', async () => {
  const sql = driver({ max: 20 })
  const answers = await Promise.all(
    Array.from({ length: 200 }, async (_, n) => (await sql`select ${n}::int * 2 as twice`)[0]?.['twice']),
  )
  expect(answers).toEqual(Array.from({ length: 200 }, (_, n) => n * 2))
})

test('a client that dies inside a transaction leaves nothing behind', async () => {
  const sql = driver()
  const held = await sql.reserve()
  await held`begin`
  await held`create table public.wire_lost (id int)`
  void sql.end({ timeout: 0 }).catch(() => undefined)
  await expect
    .poll(async () => (await driver()`select to_regclass('public.wire_lost') as found`)[0]?.['found'])
    .toBeNull()
})
