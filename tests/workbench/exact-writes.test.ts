// Writes of the workbench in a real database, with SQL as the oracle: exactly the selected rows are written, and a new
// row is added once, also where it can't be read back.
import postgres from 'postgres'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { ChartroomClient } from '../../src/public/index.ts'
import { memoryStorage } from '../../src/services/client/index.ts'
import { createEditSender, deleteRows, sendEdit } from '../../src/services/workbench/table/edits/send.ts'
import { ALL_RIGHTS, type Row, type TableInfo } from '../../src/services/workbench/table/index.ts'
import { callTable } from '../../src/services/workbench/table/table-query.ts'
import { startTestBackend } from '../harness/backend.ts'
import { watchedClient } from '../harness/client.ts'
import { column } from '../harness/column.ts'

const backend = await startTestBackend({ databaseAccess: {} })
const sql = postgres(backend.databaseUrl ?? '', { max: 1, onnotice: () => undefined })
afterAll(() => sql.end({ timeout: 1 }))

async function signedIn(): Promise<ChartroomClient> {
  const client = watchedClient({ url: backend.url, key: backend.publishableKey, storage: memoryStorage() })
  const [account] = backend.accounts
  if (account === undefined) throw new Error('There is no account.')
  const { error } = await client.supabase.auth.signInWithPassword(account)
  if (error !== null) throw error
  return client
}

const infoOf = (name: string, columns: TableInfo['columns'], part: Partial<TableInfo> = {}): TableInfo => ({
  name,
  columns,
  rights: ALL_RIGHTS,
  isKnown: true,
  ...part,
})

const writingTo = async (info: TableInfo, client?: ChartroomClient) => ({
  client: client ?? (await signedIn()),
  query: { schema: 'public', table: info.name, columns: [], filters: [], sorts: [] },
  info,
})

type Writing = Awaited<ReturnType<typeof writingTo>>

/** The rows as the grid has them. */
const shown = async ({ client, info }: Writing, filter: (row: Row) => boolean): Promise<readonly Row[]> => {
  const answer = await callTable(client, {
    method: 'GET',
    path: `/${info.name}`,
    headers: {},
    query: [],
    columns: info.columns,
  })
  if (!answer.ok) throw new Error(answer.failure.message)
  return answer.rows.filter(filter)
}

/** A backend before `max-affected`: it ignores the preference, or refuses it. */
const older = (client: ChartroomClient, refuses: boolean): ChartroomClient => ({
  ...client,
  status: client.status,
  fetch: async (path, init, options) => {
    const headers = new Headers(init?.headers)
    const prefer = headers.get('prefer')
    if (refuses && prefer?.includes('max-affected') === true)
      return Response.json({ code: 'PGRST122', message: 'Invalid preferences' }, { status: 400 })
    if (prefer !== null) headers.set('prefer', prefer.replace(/,handling=strict,max-affected=\d+/, ''))
    const answer = await client.fetch(path, { ...init, headers }, options)
    const text = await answer.text()
    const kept = new Headers(answer.headers)
    kept.delete('preference-applied')
    return new Response(init?.method === 'HEAD' ? null : text, { status: answer.status, headers: kept })
  },
})

const ANIMALS = infoOf('animals', [column('id', 'integer'), column('name'), column('born', 'date')])

const animals = async () =>
  (await sql<{ id: number; name: string }[]>`select id, name from animals order by id, name`).map(
    ({ id, name }) => `${id} ${name}`,
  )

const fillAnimals = () =>
  sql.unsafe(`drop table if exists animals cascade; create table animals (id int primary key, name text, born date);
    create table dogs (breed text) inherits (animals); grant all on animals, dogs to authenticated;
    insert into animals values (1, 'generic', null), (2, 'other', '2020-01-01'), (3, 'twin', null);
    insert into dogs values (1, 'rex', null, 'pug'), (3, 'twin', null, 'pug')`)

const SERVERS = [
  ['a current backend', (client: ChartroomClient) => client],
  ['one that ignores max-affected', (client: ChartroomClient) => older(client, false)],
  ['one that refuses it', (client: ChartroomClient) => older(client, true)],
] as const

const VIEWS = [
  ['with a key that seems unique', ANIMALS],
  ['with a key that is known to be shared', { ...ANIMALS, isKeyShared: true as const }],
] as const

const CASES = SERVERS.flatMap(([server, as]) =>
  VIEWS.map(([view, info]) => [server, view, as, info] as const),
)

test.each(CASES)('on %s, %s, one of two rows with a key is deleted', async (_server, _view, as, info) => {
  await fillAnimals()
  const writing = await writingTo(info, as(await signedIn()))
  const rows = await shown(writing, ({ name }) => name === 'generic' || name === 'other')
  expect(await deleteRows(writing, rows)).toMatchObject({ ok: true })
  expect(await animals()).toEqual(['1 rex', '3 twin', '3 twin'])
})

test.each(CASES)('on %s, %s, one of two rows with a key is changed', async (_server, _view, as, info) => {
  await fillAnimals()
  const writing = await writingTo(info, as(await signedIn()))
  const [row = {}] = await shown(writing, ({ name }) => name === 'rex')
  expect(await sendEdit(writing, { row, values: { born: '2021-02-03' } })).toMatchObject({ type: 'saved' })
  expect(await sql`select name from animals where born = '2021-02-03'`).toEqual([{ name: 'rex' }])
})

test.each(CASES)(
  'on %s, %s, equal rows are refused, and nothing is written',
  async (_server, _view, as, info) => {
    await fillAnimals()
    const writing = await writingTo(info, as(await signedIn()))
    const [row = {}] = await shown(writing, ({ name }) => name === 'twin')
    const refused = { message: expect.stringContaining('several rows have this ID') as string }
    expect(await deleteRows(writing, [row])).toMatchObject({ ok: false, failure: refused, deleted: [] })
    expect(await sendEdit(writing, { row, values: { name: 'x' } })).toMatchObject({ failure: refused })
    expect(await animals()).toEqual(['1 generic', '1 rex', '2 other', '3 twin', '3 twin'])
  },
)

test('partitions and triggers that touch other rows are no reason to refuse', async () => {
  await sql.unsafe(`drop table if exists logs, counted cascade;
    create table counted (n int); insert into counted values (0), (0);
    create table logs (id int primary key, v text) partition by range (id);
    create table logs_1 partition of logs for values from (0) to (10);
    create table logs_2 partition of logs for values from (10) to (20);
    insert into logs select i, 'v' || i from generate_series(1, 19) i;
    create or replace function bump() returns trigger language plpgsql security definer as
      $$ begin update counted set n = n + 1; return null; end $$;
    create trigger bumped after delete or update on logs for each row execute function bump();
    grant all on logs to authenticated`)
  const writing = await writingTo(infoOf('logs', [column('id', 'integer'), column('v')]))
  const rows = await shown(writing, ({ id }) => Number(id) % 9 === 0)
  expect(await deleteRows(writing, rows)).toMatchObject({ ok: true })
  expect((await sql<{ id: number }[]>`select id from logs order by id`).map(({ id }) => id)).toEqual(
    Array.from({ length: 19 }, (_, n) => n + 1).filter(id => id % 9 !== 0),
  )
  expect(await sql`select n from counted`).toEqual([{ n: 2 }, { n: 2 }])
})

test('rows whose keys have quotes, backslashes, commas and parentheses are deleted; a kept one has the true reason', async () => {
  const parts = ['Pipe 1/2"', 'a\\b', 'c,(d)', '"', 'plain', "o'k", '']
  await sql.unsafe(`drop table if exists stock; create table stock (site text, part text, primary key (site, part));
    alter table stock enable row level security; grant all on stock to authenticated;
    create policy reading on stock for select using (true);
    create policy deleting on stock for delete using (part <> 'c,(d)')`)
  for (const site of ['north"', 'south'])
    for (const part of parts) await sql`insert into stock values (${site}, ${part})`
  const writing = await writingTo(
    infoOf('stock', [column('site', 'text', { isKey: true }), column('part', 'text', { isKey: true })]),
  )
  const rows = await shown(writing, ({ part }) => part !== 'plain')
  await sql`delete from stock where part = '"'`
  const answer = await deleteRows(writing, rows)
  expect(answer).toMatchObject({ ok: true, missing: rows.filter(({ part }) => part === '"') })
  expect(await sql`select site, part from stock order by 2, 1`).toEqual(
    ['c,(d)', 'plain'].flatMap(part => ['north"', 'south'].map(site => ({ site, part }))),
  )
})

beforeAll(() =>
  sql.unsafe(`
    create table by_policy (id bigint generated by default as identity primary key, message text not null);
    alter table by_policy enable row level security; grant all on by_policy to authenticated;
    create policy adding on by_policy for insert to authenticated with check (message <> 'bad');
    create table by_grant (id bigint generated by default as identity primary key, message text not null);
    grant insert on by_grant to authenticated; revoke select, update, delete on by_grant from authenticated;
    create table by_column (id bigint generated by default as identity primary key, message text not null);
    revoke all on by_column from authenticated; grant insert on by_column to authenticated; grant select (id) on by_column to authenticated;
    create table refused (id bigint generated by default as identity primary key, message text not null);
    revoke all on refused from authenticated; grant select on refused to authenticated`),
)

const messageTable = (name: string) =>
  infoOf(name, [column('id', 'bigint', { hasDefault: true }), column('message', 'text', { required: true })])

test.each(['by_policy', 'by_grant', 'by_column'])(
  'a row that may be added, but not read back, is added once: %s',
  async name => {
    const sender = createEditSender(await writingTo(messageTable(name)))
    expect(await sender.add({ message: 'hello' }, vi.fn())).toEqual({
      type: 'saved',
      row: { message: 'hello' },
      isUnread: true,
    })
    expect(await sql`select message from ${sql(name)}`).toEqual([{ message: 'hello' }])
  },
)

test('a row that a policy or a missing grant refuses is not added, and the reason is the true one', async () => {
  const policy = createEditSender(await writingTo(messageTable('by_policy')))
  const before = await sql`select count(*)::int as n from by_policy`
  expect(await policy.add({ message: 'bad' }, vi.fn())).toMatchObject({
    type: 'failed',
    failure: { message: expect.stringContaining('RLS does not let you add this row') as string },
  })
  expect(await sql`select count(*)::int as n from by_policy`).toEqual(before)
  const grant = createEditSender(await writingTo(messageTable('refused')))
  expect(await grant.add({ message: 'hello' }, vi.fn())).toMatchObject({
    type: 'failed',
    failure: { message: expect.stringContaining('no privilege to add rows') as string },
  })
  expect(await sql`select * from refused`).toEqual([])
})
