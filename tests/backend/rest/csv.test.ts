// CSV over REST: bodies that PostgREST accepts or refuses, results, and errors for clients that accept only CSV.
import { expect, test } from 'vitest'
import { startWorld } from './world.ts'

const { ask, sql, noticed } = await startWorld(`
  create table goods (id int primary key, name text, note text default 'none');
  create table kinds (id int primary key, yes boolean, list int[], data jsonb, at timestamptz, name text);
  insert into kinds values (1, true, '{1,2}', '{"a": [1, "x"]}', '2026-01-02T03:04:05Z', null), (2, false, '{}', null, null, '');
`)
const CSV = { 'content-type': 'text/csv' }

test.each([
  ['a,b\nfoo,bar\nbaz', 'All lines must have same number of fields'],
  ['', 'parse error (not enough input) at ""'],
  ['id,name', 'parse error (not enough input) at ""'],
  ['id,name\n1,a"b', String.raw`parse error (endOfInput) at "\"b"`],
  ['id,name\n1,"a"b', String.raw`parse error (endOfInput) at "b"`],
])('the body %j is refused', async (body, message) => {
  const { status, body: error, headers } = await ask('POST', 'goods', { body, headers: CSV })
  expect([status, error]).toEqual([400, { code: 'PGRST102', message, details: null, hint: null }])
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(headers.get('proxy-status')).toBe('PostgREST; error=PGRST102')
})

test('NULL is null, other values are text, and blank lines and further values are left out', async () => {
  const body = 'id,name,note\r\n1,"a ""b"", c",NULL\r\n\r\n2,,"two\nlines",more\r\n'
  expect((await ask('POST', 'goods', { body, headers: CSV })).status).toBe(201)
  expect(await sql`select id, name, note from goods order by id`).toEqual([
    { id: 1, name: 'a "b", c', note: null },
    { id: 2, name: '', note: 'two\nlines' },
  ])
  const refused = await ask('POST', 'goods', { body: 'id,name\n,x', headers: CSV })
  expect([refused.status, refused.body]).toEqual([
    400,
    { code: '22P02', message: 'invalid input syntax for type integer: ""', details: null, hint: null },
  ])
})

test('only a header inserts nothing', async () => {
  expect((await ask('POST', 'goods', { body: 'id,name\n', headers: CSV })).status).toBe(201)
  expect((await sql`select count(*)::int from goods`)[0]).toEqual({ count: 2 })
})

test.each([
  ['nowhere', 404, 'PGRST205'],
  ['goods?id=eq.x', 400, '22P02'],
  ['goods?nope=eq.1', 400, '42703'],
  ['rpc/nowhere', 404, 'PGRST202'],
])('errors of %s are JSON for clients that accept CSV', async (path, status, code) => {
  const answer = await ask('GET', path, { headers: { accept: 'text/csv' } })
  expect([answer.status, answer.body]).toEqual([status, expect.objectContaining({ code })])
  expect(Object.keys(Object(answer.body)).toSorted()).toEqual(['code', 'details', 'hint', 'message'])
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
})

test('results are in the text format of PostgreSQL', async () => {
  const { body, headers } = await ask('GET', 'kinds?order=id', { headers: { accept: 'text/csv' } })
  expect(headers.get('content-type')).toBe('text/csv; charset=utf-8')
  expect(body).toBe(
    [
      'id,yes,list,data,at,name',
      '1,t,"{1,2}","{""a"": [1, ""x""]}","2026-01-02 03:04:05+00",',
      '2,f,{},,,""',
    ].join('\n'),
  )
})

test('written rows, results of functions, and no rows as CSV', async () => {
  const headers = { ...CSV, accept: 'text/csv', prefer: 'return=representation' }
  const written = await ask('POST', 'goods?select=id,name', { body: 'id,name\n7,"a\\b"', headers })
  expect([written.status, written.body]).toEqual([
    201,
    String.raw`id,name
7,"a\\b"`,
  ])
  await sql`create function two() returns setof int language sql as 'values (1), (2)'`
  await noticed()
  const accept = { accept: 'text/csv, application/json' }
  expect((await ask('GET', 'rpc/two', { headers: accept })).body).toBe('pgrst_scalar\n1\n2')
  expect((await ask('GET', 'goods?id=eq.99', { headers: accept })).body).toBe('\n')
  const json = await ask('GET', 'goods?id=eq.7&select=id', {
    headers: { accept: 'application/json, text/csv' },
  })
  expect(json.body).toEqual([{ id: 7 }])
})
