// Statements that end PostgreSQL itself: their client gets an error, and everything else continues without
// data loss.
import { once } from 'node:events'
import { connect } from 'node:net'
import postgres from 'postgres'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { textOf } from '../../backend/shared/fields.ts'
import { officialClient, startOwnBackend } from '../harness/backend.ts'
import { watch } from '../harness/realtime.ts'
import { testOnPglite } from '../harness/engine.ts'

const backend = await startOwnBackend({ databaseAccess: {} })
const client = officialClient(backend, backend.secretKey)
const open: postgres.Sql[] = []
afterAll(() => Promise.all(open.map(sql => sql.end({ timeout: 1 }))))

function driver(options: postgres.Options<Record<string, never>> = {}): postgres.Sql {
  const sql = postgres(backend.databaseUrl ?? '', {
    max: 1,
    fetch_types: false,
    onnotice: () => undefined,
    ...options,
  })
  open.push(sql)
  return sql
}

/** A driver whose received bytes can be read. */
function observedDriver() {
  let received = ''
  const closed = Promise.withResolvers<void>()
  const socket = async () => {
    const connected = connect(Number(new URL(backend.databaseUrl ?? '').port), '127.0.0.1')
    await once(connected, 'connect')
    return connected.on('data', bytes => (received += bytes.toString('latin1')))
  }
  const options = { socket, onclose: () => closed.resolve() }
  const sql = driver(options as postgres.Options<Record<string, never>>)
  return { sql, received: () => received, closed: closed.promise }
}

beforeAll(async () => {
  await driver().unsafe(`
    create table public.acknowledged (id serial primary key, note text);
    create table public.looping (id int);
    create table public.hidden (id int);
    insert into public.looping values (1);
    create function public.descend(n int) returns int language plpgsql as
      $$ begin return case when n = 0 then 0 else 1 + public.descend(n - 1) end; end $$;
    create function public.touch_again() returns trigger language plpgsql as
      $$ begin update public.looping set id = id + 1; return new; end $$;
    create trigger again after update on public.looping for each row execute function public.touch_again();
    create function public.nested(n int) returns jsonb language sql as $$ select repeat('[', n)::jsonb $$;
    alter table public.hidden enable row level security;
    create policy deep on public.hidden using (public.descend(100000) > 0);
    insert into public.hidden values (1);
    grant all on all tables in schema public to anon;
    notify pgrst;
  `)
})

async function expectService(note: string): Promise<void> {
  const { data, error } = await client.from('acknowledged').select('note').eq('note', note)
  expect({ data, error }).toEqual({ data: [{ note }], error: null })
  expect(await (await fetch(`${backend.url}/_chartroom/health`)).json()).toEqual({ status: 'ok' })
}

async function acknowledge(note: string): Promise<void> {
  const { error } = await client.from('acknowledged').insert({ note })
  expect(error).toBeNull()
}

const TOO_DEEP = { status: 500, code: '54001', message: 'stack depth limit exceeded' }

test.each([
  ['a function that calls itself', () => client.rpc('descend', { n: 100_000 })],
  ['a trigger that fires itself', () => client.from('looping').update({ id: 2 }).eq('id', 1)],
  ['a policy whose function calls itself', () => officialClient(backend).from('hidden').select()],
  ['a value that is nested too deeply', () => client.rpc('nested', { n: 100_000 })],
])('%s gets 54001, and nothing acknowledged is lost', async (what, run) => {
  await acknowledge(what)
  const { status, error } = await run()
  expect({ status, code: error?.code, message: error?.message }).toEqual(TOO_DEEP)
  await expectService(what)
})

test('a recursion of 1000 levels succeeds', async () => {
  const { data, error } = await client.rpc('descend', { n: 1_000 })
  expect(error?.code ?? data).toBeOneOf(['54001', 1_000])
  await acknowledge('after 1000 levels')
  await expectService('after 1000 levels')
})

testOnPglite.each([
  ['a simple query', true],
  ['a prepared statement', false],
])('%s that ends PostgreSQL gets 54001, and used sessions end with 57P02', async (how, isSimple) => {
  const [failing, unused] = [driver(), driver()]
  const { sql: idle, received, closed } = observedDriver()
  await idle`select 1`
  const query = failing.unsafe('select public.descend(100000)')
  await expect(isSimple ? query.simple() : query).rejects.toMatchObject({ code: '54001' })
  // It connects while the database is being reopened.
  expect([...(await unused`select 1 as one`)]).toEqual([{ one: 1 }])
  await closed
  expect(received()).toContain('C57P02\0MThe database failed and was reopened. Connect again.')
  await acknowledge(how)
  await expectService(how)
  expect([...(await idle`select 1 as one`)]).toEqual([{ one: 1 }])
})

const views = (count: number) =>
  Array.from({ length: count }, (_, n) => `create temp view v${n + 1} as select n + 1 as n from v${n};`).join(
    '',
  )

test.each([
  ['nested parentheses', `select ${'('.repeat(20_000)}1${')'.repeat(20_000)} as answer`, 1],
  ['a sum of many terms', `select 1${' + 1'.repeat(3_000)} as answer`, 3_001],
  [
    'a nested JSON object',
    `select (repeat('{"a":', 20000) || '1' || repeat('}', 20000))::json is not null as answer`,
    true,
  ],
  [
    'a nested regular expression',
    `select 'x' ~ (repeat('(', 4000) || 'x' || repeat(')', 4000)) as answer`,
    true,
  ],
  ['a stack of views', `create temp view v0 as select 1 as n; ${views(60)} select n as answer from v60`, 61],
  // One gigabyte and more is refused before PostgreSQL allocates it.
  ['a text that is too long', `select length(repeat(repeat('x', 1000000), 2000)) as answer`, 2_000_000_000],
])('%s gets an error or the correct result, and the next query works', async (what, query, answer) => {
  const results = driver().unsafe(query).simple()
  const outcome: unknown = await results.then(
    rows => rows.flat().at(-1)?.['answer'],
    (error: unknown) => textOf(error, 'code'),
  )
  expect(outcome).toBeOneOf([answer, '54001', '54000', '42601', '2201B'])
  expect([...(await driver()`select 1 as one`)]).toEqual([{ one: 1 }])
  await acknowledge(what)
  await expectService(what)
})

test('a realtime subscription receives changes after the database is reopened', async () => {
  await driver()`alter publication supabase_realtime add table public.acknowledged`
  const changes = await watch(client, { event: 'INSERT', table: 'acknowledged' })
  expect((await client.rpc('descend', { n: 100_000 })).error?.code).toBe('54001')
  await acknowledge('seen by a subscriber')
  await expect
    .poll(() => changes.map(change => 'note' in change.new && change.new['note']))
    .toContain('seen by a subscriber')
  await client.removeAllChannels()
})
