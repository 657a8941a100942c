// Any request to tables with every type has a status below 500, and REST keeps working.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { startWorld } from './world.ts'
import { anyText } from '../../harness/any-text.ts'
import { volume } from '../../harness/volume.ts'

const { ask } = await startWorld(`
  create type sky as enum ('clear', 'fog');
  create domain depth as int check (value > 0);
  create table logs (
    id serial primary key, sm smallint, bi bigint, name text, vc varchar(5), ch char(3), n numeric(4, 1), f4 real,
    f8 double precision, sky sky, tags text[], ints int[], r int4range, tr tstzrange, j json, jb jsonb, u uuid,
    t timestamptz, ts timestamp, d date, ti time, iv interval, b bytea, yes boolean, ip inet, pt point, bits bit(4),
    tv tsvector, x xml, mon money, dom depth, twice int generated always as (sm * 2) stored, "Odd Name" text);
  create table kids (id serial primary key, log int references logs, note text default 'n');
  create view names as select id, name from logs;
  create view total as select count(*) as c from logs;
  create function f(a int, b text default 'x') returns int language sql immutable as $$ select a $$;
  create function g(j jsonb) returns setof logs language sql stable as $$ select * from logs $$;
  insert into logs (id, name) values (1, 'a'), (2, 'b');
`)

const any = anyText({ maxLength: 12 })
const few = (...words: string[]) => fc.constantFrom(...words)
/** One of the words in a text. */
const oneOf = (text: string) => few(...text.split(' '))
const column = fc.oneof(
  oneOf(
    'id sm bi name vc ch n f4 f8 sky tags ints r tr j jb u t ts d ti iv b yes ip pt bits tv x mon dom twice nope',
  ),
  few('Odd Name', 'jb->a->>b', 'j->0', 'kids.id', 'kids', '*', 'ctid', '', '__proto__'),
  any,
)
const operator = oneOf(
  'eq neq gt lte like ilike match imatch in is isdistinct cs cd ov sl nxr adj fts plfts wfts fts(english) fts(nope) not.eq not.in eq(any) like(all) ',
)
const value = fc.oneof(
  oneOf(
    `1 -1 999999999999999999999 1.5 null true NaN (1,2) ("a",b) {1,2} {a [1,2) {"a":1} 2020-13-45 \\x00 * % \\ [a-`,
  ),
  oneOf(`((( (?= " ' () 1e400 infinity `),
  any,
)
const select = oneOf(
  '* id,kids(*) kids(id,logs(*)) id::nope jb-> x:id,y:id id.sum() ...kids(id) kids!inner(id) ( id, ! "Odd',
)
const order = few('id.desc', 'id.foo', 'jb->a', 'kids(id)', 'nope', ',', 'pt', 'j', 'id.asc.nullsfirst')
const logic = few('(id.eq.1,name.eq.a)', '(', '()', '(or(id.eq.1,id.eq.2),name.is.null)', '(a)', '(and())')
const parameter = fc.oneof(
  fc.tuple(column, operator, value).map(([name, op, text]) => [name, `${op}.${text}`] as const),
  select.map(text => ['select', text] as const),
  order.map(text => ['order', text] as const),
  fc.tuple(few('limit', 'offset', 'kids.limit'), value),
  fc.tuple(few('or', 'and', 'not.or', 'kids.or'), logic),
  fc.tuple(few('columns', 'on_conflict', 'a', 'j'), fc.oneof(column, value)),
)
const cell = fc.oneof(fc.jsonValue({ maxDepth: 2 }), value, fc.constantFrom('now', '\u0000', [[1], [2, 3]]))
const honest = fc.record(
  { name: any, yes: fc.boolean(), tags: fc.array(any, { maxLength: 2 }) },
  { requiredKeys: [] },
)
const row = fc.array(fc.tuple(column, cell), { maxLength: 4 }).map(cells => Object.fromEntries(cells))
const body = fc.oneof(
  honest.map(one => JSON.stringify(one)),
  row.map(one => JSON.stringify(one)),
  fc.array(row, { maxLength: 3 }).map(rows => JSON.stringify(rows)),
  few('', '{', '[1]', '[[]]', 'null', '{"id":1}x'),
  any,
)
const strangeHeaders = fc.record(
  {
    prefer: oneOf(
      'return=representation return=headers-only count=exact missing=default timezone=Nope tx=rollback handling=strict,max-affected=1 resolution=merge-duplicates resolution=ignore-duplicates,return=representation',
    ),
    accept: oneOf(
      'text/csv application/vnd.pgrst.object+json application/vnd.pgrst.plan nope application/octet-stream',
    ),
    range: oneOf('0-1 5-1 a-b 999999999999999999- bytes=0-1'),
    'content-type': few(
      'text/csv',
      'application/x-www-form-urlencoded',
      'text/plain',
      'nope',
      'multipart/form-data; boundary=x',
    ),
    'content-profile': oneOf('public nope auth pg_catalog "'),
  },
  { requiredKeys: [] },
)
const headers = fc.oneof(fc.constant({}), strangeHeaders)
const path = few(
  'logs',
  'logs',
  'kids',
  'names',
  'total',
  'rpc/f',
  'rpc/g',
  'rpc/nope',
  'nope',
  'logs/1',
  '',
  'rpc/',
  'auth.users',
)
const method = few('GET', 'GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS')

/** URL-encoded; a lone surrogate cannot be encoded. */
const escaped = (text: string) => encodeURIComponent(text.toWellFormed()).replaceAll('%00', '%01')

/** One valid example of each kind, in case a random run has none. */
const ordinary = [
  { method: 'GET', path: 'logs', query: [], headers: {}, body: '' },
  { method: 'POST', path: 'logs', query: [], headers: {}, body: '{"id":7000,"name":"c"}' },
  { method: 'PATCH', path: 'logs', query: [['id', 'eq.1'] as const], headers: {}, body: '{"name":"d"}' },
  {
    method: 'GET',
    path: 'logs',
    query: [],
    headers: { accept: 'application/vnd.pgrst.object+json' },
    body: '',
  },
]

test('no request fails', async () => {
  const request = fc.record({ method, path, query: fc.array(parameter, { maxLength: 3 }), headers, body })
  const statuses = new Set<number>()
  await fc.assert(
    fc.asyncProperty(request, async given => {
      const query = given.query.map(([name, text]) => `${escaped(name)}=${escaped(text)}`).join('&')
      const writes = !['GET', 'HEAD'].includes(given.method) && given.body !== ''
      const answer = await ask(given.method, `${given.path}?${query}`, {
        headers: given.headers,
        ...(writes ? { body: given.body } : {}),
      })
      statuses.add(answer.status)
      expect({ failed: answer.status >= 500, body: answer.body }).toEqual({
        failed: false,
        body: answer.body,
      })
    }),
    { numRuns: volume(400, 1_500), examples: ordinary.map((one): [typeof one] => [one]) },
  )
  expect([200, 201, 204, 400, 404, 406].filter(status => !statuses.has(status))).toEqual([])
  expect((await ask('GET', 'rpc/f?a=4')).body).toBe(4)
})
