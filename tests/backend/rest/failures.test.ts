// Database errors reach the client with their code and message, under PostgREST's status.
import { expect, test } from 'vitest'
import { startWorld } from './world.ts'

const { ask } = await startWorld(`
  create table ports (id int primary key, name text unique not null check (length(name) < 12), depth int);
  create table berths (id int primary key, port int not null references ports);
  insert into ports values (1, 'Aldmouth', 7), (2, 'Brine', 9);
  create function refuse(code text) returns int language plpgsql as $$
    begin raise exception 'no landing' using errcode = code, detail = 'fog', hint = 'wait'; end $$;
  create function plain() returns void language plpgsql as $$ begin raise exception 'hoy %', 1; end $$;
  create function dig() returns int language sql as $$ update ports set depth = 99 returning 1 $$;
  create function charge() returns text language plpgsql as $$
    begin
      update ports set depth = 12 where id = 2;
      perform set_config('response.status', '402', true);
      return 'pay';
    end $$;
  create table locked (id int);
  revoke all on locked from anon, authenticated;
  create view depths as select max(depth) as deepest from ports;
`)

test.each([
  ['P0001', 400],
  ['22012', 400],
  ['23514', 400],
  ['23505', 409],
  ['23503', 409],
  ['25006', 405],
  ['28000', 403],
  ['0L000', 403],
  ['0P000', 403],
  ['08000', 503],
  ['40001', 500],
  ['42501', 401],
  ['42883', 404],
  ['42P01', 404],
  ['42P17', 500],
  ['53100', 503],
  ['53400', 500],
  ['54000', 413],
  ['57014', 500],
  ['57P01', 503],
  ['58000', 500],
  ['P0002', 500],
  ['PT418', 418],
  ['ZZ999', 400],
])('an exception raised with %s is a %i with its message', async (code, status) => {
  const answer = await ask('POST', 'rpc/refuse', { body: { code } })
  expect([answer.status, answer.body]).toEqual([
    status,
    { code, message: 'no landing', details: 'fog', hint: 'wait' },
  ])
})

test('a bare exception is P0001 and a 400', async () => {
  const { status, body } = await ask('POST', 'rpc/plain', { body: {} })
  expect([status, body]).toEqual([400, { code: 'P0001', message: 'hoy 1', details: null, hint: null }])
})

test.each([
  ['a check', 'ports', { id: 9, name: 'A name too long' }, 400, '23514'],
  ['a missing value', 'ports', { id: 9 }, 400, '23502'],
  ['a duplicate', 'ports', { id: 1, name: 'Other' }, 409, '23505'],
  ['a missing parent', 'berths', { id: 1, port: 77 }, 409, '23503'],
  ['a string for a number', 'berths', { id: 'x', port: 1 }, 400, '22P02'],
  ['a list for a number', 'berths', { id: [1], port: 1 }, 400, '22P02'],
  ['a number out of range', 'berths', { id: 3e9, port: 1 }, 400, '22003'],
  ['a table without privileges', 'locked', { id: 1 }, 401, '42501'],
  ['a read-only view', 'depths', { deepest: 1 }, 400, '55000'],
  ['an unknown column', 'ports', { nope: 1 }, 400, 'PGRST204'],
  ['rows that differ', 'ports', [{ id: 9 }, { name: 'x' }], 400, 'PGRST102'],
  [
    'two rows of one key',
    'ports',
    [
      { id: 1, name: 'a' },
      { id: 1, name: 'b' },
    ],
    400,
    '21000',
  ],
])('%s rejects an insert', async (why, table, body, status, code) => {
  const upsert = why.startsWith('two') ? { prefer: 'resolution=merge-duplicates' } : {}
  const answer = await ask('POST', table, { body, headers: upsert })
  expect([answer.status, Reflect.get(Object(answer.body), 'code')]).toEqual([status, code])
})

test.each([
  ['ports?nope=eq.1', 400, '42703'],
  ['ports?select=nope', 400, '42703'],
  ['ports?order=nope', 400, '42703'],
  ['ports?id=eq.abc', 400, '22P02'],
  ['ports?id=foo.1', 400, 'PGRST100'],
  ['ports?name=match.%5B', 400, '2201B'],
  ['ports?select=id,locked(id)', 400, 'PGRST200'],
  ['ports?select=count()', 400, 'PGRST123'],
  ['krakens', 404, 'PGRST205'],
  ['auth.users', 404, 'PGRST205'],
  ['pg_class', 404, 'PGRST205'],
  ['ports/1', 404, 'PGRST125'],
  ['rpc/none', 404, 'PGRST202'],
  ['rpc/pg_sleep?a=1', 404, 'PGRST202'],
  ['rpc/dig', 405, '25006'],
])('GET %s is a %i called %s', async (path, status, code) => {
  const answer = await ask('GET', path)
  expect([answer.status, Reflect.get(Object(answer.body), 'code')]).toEqual([status, code])
})

test.each([
  ['port', 'public', "Perhaps you meant the table 'public.ports'"],
  ['krakens', 'public', null],
  ['ports', 'graphql_public', null],
])('a missing table %s in %s has the hint %s', async (table, schema, hint) => {
  const { status, body } = await ask('GET', table, { headers: { 'accept-profile': schema } })
  expect([status, body]).toEqual([
    404,
    {
      code: 'PGRST205',
      message: `Could not find the table '${schema}.${table}' in the schema cache`,
      details: null,
      hint,
    },
  ])
})

test('a rejected single object rolls back its write', async () => {
  const answer = await ask('PATCH', 'ports?id=gt.0', {
    body: { depth: 1 },
    headers: { accept: 'application/vnd.pgrst.object+json', prefer: 'return=representation' },
  })
  expect([answer.status, answer.body]).toEqual([
    406,
    {
      code: 'PGRST116',
      message: 'Cannot coerce the result to a single JSON object',
      details: 'The result contains 2 rows',
      hint: null,
    },
  ])
  expect((await ask('GET', 'ports?select=depth&order=id')).body).toEqual([{ depth: 7 }, { depth: 9 }])
})

test('a status set by a function keeps what it wrote', async () => {
  const { status, body } = await ask('POST', 'rpc/charge', { body: {} })
  expect([status, body]).toEqual([402, 'pay'])
  expect((await ask('GET', 'ports?select=depth&id=eq.2')).body).toEqual([{ depth: 12 }])
})

test('rejects an unknown schema by name', async () => {
  const { status, body } = await ask('GET', 'users', { headers: { 'accept-profile': 'auth' } })
  expect([status, Reflect.get(Object(body), 'code')]).toEqual([406, 'PGRST106'])
})
