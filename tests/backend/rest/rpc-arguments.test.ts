// Arguments of functions over REST: which function a call means, and how values become those of its types.
import { expect, test } from 'vitest'
import { startWorld } from './world.ts'

const { ask, sql, noticed } = await startWorld(`
  create table persons (id int primary key, name text, born date);
  create table "Odd" (id int);
  create type pair as (x int, y numeric);
  create type "Mood" as enum ('calm', 'rough');
  create function name_of(p persons) returns text language sql as $$ select p.name || ' ' || p.id $$;
  create function names_of(ps persons[]) returns text language sql as $$ select string_agg(p.name, ',' order by p.id) from unnest(ps) p $$;
  create function area(p pair) returns numeric language sql as $$ select p.x * p.y $$;
  create function areas(ps pair[], scale int default 1) returns numeric language sql as $$ select scale * sum(p.x * p.y) from unnest(ps) p $$;
  create function echo(p persons) returns persons language sql as $$ select p $$;
  create function echoes(p persons[]) returns setof persons language sql as $$ select * from unnest(p) $$;
  create function kind_of(j json) returns text language sql as $$ select json_typeof(j) $$;
  create function kindb_of(j jsonb) returns text language sql as $$ select jsonb_typeof(j) $$;
  create function odd(o "Odd") returns int language sql as $$ select o.id $$;
  create function mood(m "Mood") returns text language sql as $$ select m::text $$;
  create function "camelCase"("aB" int) returns int language sql as $$ select "aB" $$;
  create function whole(json) returns text language sql as $$ select $1::text $$;
  create function shout(text) returns text language sql as $$ select upper($1) $$;
  create function size_of(bytea) returns int language sql as $$ select length($1) $$;
  create function over(json) returns text language sql as $$ select 'body' $$;
  create function over(text) returns text language sql as $$ select 'text' $$;
  create function over(a int) returns text language sql as $$ select 'named' $$;
  create function count_of(variadic a text[]) returns int language sql as $$ select cardinality(a) $$;
  create function either(a int) returns text language sql as $$ select 'int' $$;
  create function either(a text) returns text language sql as $$ select 'text' $$;
  create function either() returns text language sql as $$ select 'none' $$;
  create function several(boolean) returns text language sql as $$ select 'boolean' $$;
  create function several(text) returns text language sql as $$ select $1 $$;
  create function title(persons) returns text language sql stable as $$ select 'Captain ' || $1.name $$;
  create function people() returns setof persons language sql stable as $$ values (1, 'Ada', null::date), (2, 'Bo', null) $$;
  create function big(n bigint) returns text language sql as $$ select n::text $$;
`)

const JSON_TYPE = 'application/json'
const FORM = 'application/x-www-form-urlencoded'

interface Case {
  readonly call: string
  readonly body: unknown
  readonly type?: string
  readonly result: unknown
}

test.each<Case>([
  { call: 'name_of', body: { p: { id: 3, name: 'Bo', more: 1 } }, result: 'Bo 3' },
  { call: 'name_of', body: { p: '(3,Bo,)' }, result: 'Bo 3' },
  { call: 'name_of', body: [{ p: { id: 3, name: 'Bo' } }, { p: null }], result: 'Bo 3' },
  { call: 'name_of', body: 'p=(3,Bo,)', type: FORM, result: 'Bo 3' },
  {
    call: 'names_of',
    body: {
      ps: [
        { id: 3, name: 'Bo' },
        { id: 1, name: 'Al' },
      ],
    },
    result: 'Al,Bo',
  },
  { call: 'names_of', body: { ps: [] }, result: null },
  { call: 'area', body: { p: { x: 2, y: 1.5 } }, result: 3 },
  { call: 'area', body: '{"p":{"x":1,"y":12345678901234567890}}', result: 12345678901234567168 },
  { call: 'area', body: { p: null }, result: null },
  {
    call: 'areas',
    body: {
      ps: [
        { x: 2, y: 1.5 },
        { x: 1, y: 1 },
      ],
      scale: 10,
    },
    result: 40,
  },
  {
    call: 'echo',
    body: { p: { id: 9, born: '1815-12-10' } },
    result: { id: 9, name: null, born: '1815-12-10' },
  },
  { call: 'echoes?select=id', body: { p: [{ id: 9 }, { id: 8 }] }, result: [{ id: 9 }, { id: 8 }] },
  {
    call: 'echoes?columns=p',
    body: { p: [{ id: 9 }], other: 1 },
    result: [{ id: 9, name: null, born: null }],
  },
  { call: 'kind_of', body: { j: 'text' }, result: 'string' },
  { call: 'kindb_of', body: { j: '{"a":1}' }, result: 'string' },
  { call: 'kindb_of', body: { j: [1] }, result: 'array' },
  { call: 'kindb_of', body: 'j={"a":1}', type: FORM, result: 'object' },
  { call: 'odd', body: { o: { id: 7 } }, result: 7 },
  { call: 'mood', body: { m: 'calm' }, result: 'calm' },
  { call: 'camelCase', body: { aB: 3 }, result: 3 },
  { call: 'count_of', body: { a: ['x', 'y'] }, result: 2 },
  { call: 'count_of', body: 'a=x&a=y&a=z', type: FORM, result: 3 },
  { call: 'big', body: '{"n":9007199254740993}', result: '9007199254740993' },
  { call: 'big', body: 'n\n9007199254740993', type: 'text/csv', result: '9007199254740993' },
])('$call with $body', async ({ call, body, type = JSON_TYPE, result }) => {
  const answer = await ask('POST', `rpc/${call}`, { body, headers: { 'content-type': type } })
  expect([answer.status, answer.body]).toEqual([200, result])
})

test.each<Case>([
  { call: 'whole', body: '{"b": 1, "a": 2.50}', result: '{"b": 1, "a": 2.50}' },
  { call: 'whole', body: [{ a: 1 }, { a: 2 }], result: '[{"a":1},{"a":2}]' },
  { call: 'whole', body: {}, result: '{}' },
  // PostgREST takes any other value for an empty list.
  { call: 'whole', body: '3', result: '[]' },
  { call: 'shout', body: 'a: b', type: 'text/plain', result: 'A: B' },
  { call: 'size_of', body: 'four', type: 'application/octet-stream', result: 4 },
  { call: 'over', body: { a: 1 }, result: 'named' },
  { call: 'over', body: { b: 1 }, result: 'body' },
  { call: 'over', body: {}, result: 'body' },
  { call: 'over', body: 'a', type: 'text/plain; charset=utf-8', result: 'text' },
  // An unnamed argument has an empty name; other unnamed ones than those of a body are not known.
  { call: 'several', body: { '': 1 }, result: '{"":1}' },
])('the body is the argument of $call: $body', async ({ call, body, type = JSON_TYPE, result }) => {
  const answer = await ask('POST', `rpc/${call}`, { body, headers: { 'content-type': type } })
  expect([answer.status, answer.body]).toEqual([200, result])
})

test('arguments in the address', async () => {
  for (const [call, result] of [
    ['name_of?p=(3,Bo,)', 'Bo 3'],
    ['camelCase?aB=3', 3],
    ['mood?m=rough', 'rough'],
    ['kindb_of?j={"a":1}', 'object'],
    ['count_of?a=x&a=y', 2],
  ])
    expect((await ask('GET', `rpc/${call}`)).body).toEqual(result)
})

test.each([
  ['area', { p: { x: 'q' } }, JSON_TYPE, '22P02', 'invalid input syntax for type integer: "q"'],
  ['area', { p: [1] }, JSON_TYPE, '22023', 'cannot call populate_composite on an array'],
  ['whole', '', JSON_TYPE, '22P02', 'invalid input syntax for type json'],
  ['whole', [1, 2], JSON_TYPE, 'PGRST102', 'All object keys must match'],
  ['whole', [{ a: 1 }, { b: 1 }], JSON_TYPE, 'PGRST102', 'All object keys must match'],
  ['whole', '{', JSON_TYPE, 'PGRST102', 'Empty or invalid json'],
  ['whole', 'a', 'image/png', 'PGRST102', 'Content-Type not acceptable: image/png'],
])('%s with %j is refused', async (call, body, type, code, message) => {
  const answer = await ask('POST', `rpc/${call}`, { body, headers: { 'content-type': type } })
  expect([answer.status, answer.body]).toEqual([400, expect.objectContaining({ code, message })])
})

test('only the functions that a call may mean are ambiguous', async () => {
  expect((await ask('POST', 'rpc/either', { body: {} })).body).toBe('none')
  const { status, body } = await ask('POST', 'rpc/either', { body: { a: '1' } })
  expect([status, body]).toEqual([
    300,
    {
      code: 'PGRST203',
      message:
        'Could not choose the best candidate function between: public.either(a => integer), public.either(a => text)',
      details: null,
      hint: 'Try renaming the parameters or the function itself in the database so function overloading can be resolved',
    },
  ])
})

test('computed columns of the rows that a function returns', async () => {
  const path = 'rpc/people?select=id,title&order=title.desc'
  const rows = [
    { id: 2, title: 'Captain Bo' },
    { id: 1, title: 'Captain Ada' },
  ]
  expect((await ask('POST', path, { body: {} })).body).toEqual(rows)
  expect((await ask('GET', path)).body).toEqual(rows)
  const alone = await ask('POST', 'rpc/title', { body: { '': { id: 1 } } })
  expect([alone.status, Reflect.get(Object(alone.body), 'code')]).toEqual([404, 'PGRST202'])
})

test('no function takes the body', async () => {
  const headers = { 'content-type': 'text/plain' }
  const { status, body } = await ask('POST', 'rpc/whole', { body: 'text', headers })
  expect([status, body]).toEqual([
    404,
    {
      code: 'PGRST202',
      message: 'Could not find the function public.whole in the schema cache',
      details:
        'Searched for the function public.whole with a single unnamed text parameter, but no matches were found in the schema cache.',
      hint: null,
    },
  ])
})

test('a name that looks like an argument stays a name', async () => {
  await sql`insert into persons values (1, 'Ada')`
  await sql`create or replace function of_name(p text) returns setof persons language sql as 'select * from persons where name = p'`
  await noticed()
  for (const alias of ['"x, p := $1"', '"(p := $1"', `"x, p := $1 from secrets--"`]) {
    const path = `rpc/of_name?select=${encodeURIComponent(`${alias}:id`)}`
    const { body } = await ask('POST', path, { body: { p: 'Ada' } })
    expect(body).toEqual([{ [alias.slice(1, -1)]: 1 }])
  }
})
