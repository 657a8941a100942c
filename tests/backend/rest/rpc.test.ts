// Functions over REST, and what they and policies can read of the request.
import { expect, test } from 'vitest'
import { startWorld } from './world.ts'

const { ask, sql, noticed } = await startWorld(`
  create table marks (id int primary key, color text);
  insert into marks values (1, 'red'), (2, 'green'), (3, 'red');
  create function add(a int, b int default 1) returns int language sql immutable as $$ select a + b $$;
  create function nothing() returns void language sql as $$ $$;
  create function of_color(c text) returns setof marks language sql stable as $$ select * from marks where color = c $$;
  create function pairs() returns table (x int, y text) language sql as $$ values (1, 'a'), (2, 'b') $$;
  create function whole(json) returns json language sql as $$ select $1 $$;
  create function seen() returns json language sql stable as $$
    select json_build_object('method', current_setting('request.method'), 'path', current_setting('request.path'),
      'header', current_setting('request.headers')::json->>'x-berth', 'cookies', current_setting('request.cookies')::json,
      'role', current_user, 'claim', current_setting('request.jwt.claims')::json->>'role') $$;
  create table berths (id int primary key, label text);
  alter table berths enable row level security;
  create policy by_header on berths using (label = current_setting('request.headers')::json->>'x-berth');
  insert into berths values (1, 'north'), (2, 'south');
  create table visits (id int primary key default 1, method text default current_setting('request.method'), path text default current_setting('request.path'));
`)

test.each([
  ['GET', 'rpc/add?a=4', undefined, 200, 5],
  ['POST', 'rpc/add', { a: 4, b: 3 }, 200, 7],
  ['POST', 'rpc/nothing', {}, 204, ''],
  ['POST', 'rpc/nothing', undefined, 204, ''],
  ['GET', 'rpc/of_color?c=red&select=id&order=id.desc', undefined, 200, [{ id: 3 }, { id: 1 }]],
  [
    'POST',
    'rpc/pairs',
    {},
    200,
    [
      { x: 1, y: 'a' },
      { x: 2, y: 'b' },
    ],
  ],
  ['POST', 'rpc/whole', { a: [1, null] }, 200, { a: [1, null] }],
])('%s %s with %j returns %i', async (method, path, body, status, answer) => {
  const given = await ask(method, path, { body })
  expect([given.status, given.body]).toEqual([status, answer])
})

test('a function with different parameters is not found', async () => {
  const { status, body } = await ask('POST', 'rpc/add', { body: { nope: 1 } })
  expect([status, Reflect.get(Object(body), 'code')]).toEqual([404, 'PGRST202'])
})

test('a function can read the request', async () => {
  const headers = { 'x-berth': 'north', cookie: 'a=1; b=two=2' }
  const { body } = await ask('GET', 'rpc/seen', { headers })
  expect(body).toEqual({
    method: 'GET',
    path: '/rpc/seen',
    header: 'north',
    cookies: { a: '1', b: 'two=2' },
    role: 'anon',
    claim: 'anon',
  })
})

test('policies and defaults can read the request of a plain table too', async () => {
  const north = await ask('GET', 'berths?select=id', { headers: { 'x-berth': 'north' } })
  const nowhere = await ask('GET', 'berths?select=id')
  expect([north.body, nowhere.body]).toEqual([[{ id: 1 }], []])
  const made = await ask('POST', 'visits', { body: {}, headers: { prefer: 'return=representation' } })
  expect(made.body).toEqual([{ id: 1, method: 'POST', path: '/visits' }])
})

test('request settings do not leak into the next request', async () => {
  await ask('GET', 'rpc/seen', { headers: { 'x-berth': 'north', cookie: 'a=1' } })
  const [row] =
    await sql`select nullif(current_setting('request.headers', true), '') as headers, current_user as who`
  expect({ ...row }).toEqual({ headers: null, who: 'postgres' })
})

test('a table, column or function created with SQL appears and disappears at once', async () => {
  const codes = async (path: string) => (await ask('GET', path)).status
  expect(await codes('fresh')).toBe(404)
  await sql`create table fresh (id int)`
  await noticed()
  expect(await codes('fresh')).toBe(200)
  expect(await codes('fresh?select=extra')).toBe(400)
  await sql`alter table fresh add column extra text`
  await noticed()
  expect(await codes('fresh?select=extra')).toBe(200)
  await sql`create function newly() returns int language sql as 'select 1'`
  await noticed()
  expect(await codes('rpc/newly')).toBe(200)
  await sql`drop table fresh`
  await noticed()
  expect(await codes('fresh')).toBe(404)
  await sql`notify pgrst, 'reload schema'`
  await noticed()
  expect(await codes('marks')).toBe(200)
})

test('a change that is rolled back has no effect', async () => {
  await sql
    .begin(async tx => {
      await tx`create table never (id int)`
      throw new Error('back')
    })
    .catch(() => undefined)
  expect((await ask('GET', 'never')).status).toBe(404)
})
