// Values round-trip with every type, default rows, and columns that some rows omit.
import { expect, test } from 'vitest'
import { startWorld } from './world.ts'

const { ask, sql, noticed } = await startWorld(`
  create type sky as enum ('clear', 'fog');
  create table logs (
    id serial primary key, note text default 'calm', skies sky[], j json, jb jsonb, jbs jsonb[], b bytea,
    tags text[], numbers int[], yes boolean, at timestamptz, big numeric, span int4range, bits bit(4));
  create table empty_rows (id int generated always as identity, note text default 'none');
`)

const insert = async (query: string, body: unknown, prefer = 'return=representation') => {
  const { status, body: rows } = await ask('POST', `logs?${query}`, { body, headers: { prefer } })
  return [status, rows]
}

test.each([
  ['skies', ['clear', 'fog'], ['clear', 'fog']],
  ['j', 'text', 'text'],
  ['jb', 'text', 'text'],
  ['jb', '{"a":1}', '{"a":1}'],
  ['jb', '', ''],
  ['jb', false, false],
  ['jb', 0, 0],
  ['jb', [1, 'a', null], [1, 'a', null]],
  ['jb', { a: { b: [1] } }, { a: { b: [1] } }],
  ['jbs', [{ a: 1 }, 2], [{ a: 1 }, 2]],
  ['b', '\\x0102', '\\x0102'],
  ['tags', [], []],
  ['tags', ['a,b', '"q"', '\\', null, 'NULL', ''], ['a,b', '"q"', '\\', null, 'NULL', '']],
  ['tags', '{a,b}', ['a', 'b']],
  [
    'numbers',
    [
      [1, 2],
      [3, null],
    ],
    [
      [1, 2],
      [3, null],
    ],
  ],
  ['yes', 'true', true],
  ['note', 5, '5'],
  ['note', { a: 1 }, '{"a":1}'],
  ['at', '2026-01-02T03:04:05Z', '2026-01-02T03:04:05+00:00'],
  ['span', '[1,4)', '[1,4)'],
  ['bits', '0101', '0101'],
])('%s accepts %j', async (column, value, read) => {
  expect(await insert(`select=${column}`, { [column]: value })).toEqual([201, [{ [column]: read }]])
})

test.each([
  ['numbers', 1],
  ['numbers', { length: 1 }],
  ['tags', true],
  ['yes', [true]],
  ['at', 5],
  ['span', [1, 'x']],
  ['bits', {}],
])('%s rejects %j, and the connection still works', async (column, value) => {
  const [status] = await insert(`select=${column}`, { [column]: value })
  expect(status).toBe(400)
  expect((await ask('GET', 'logs?select=id&limit=1')).status).toBe(200)
})

test('a row without values consists of defaults, also several of them', async () => {
  const one = await ask('POST', 'empty_rows', { body: {}, headers: { prefer: 'return=representation' } })
  expect([one.status, one.body]).toEqual([201, [{ id: 1, note: 'none' }]])
  const two = await ask('POST', 'empty_rows', {
    body: [{}, {}],
    headers: { prefer: 'return=representation' },
  })
  expect([two.status, two.body]).toEqual([
    201,
    [
      { id: 2, note: 'none' },
      { id: 3, note: 'none' },
    ],
  ])
})

test('an empty list is not an error', async () => {
  expect(await insert('select=id', [])).toEqual([201, []])
})

test('columns that a row omits are null, or their defaults if preferred', async () => {
  const body = [{ bits: '0001' }, { bits: '0002'.replace('2', '0'), note: 'rain' }]
  const query = 'columns=bits,note&select=note'
  expect(await insert(query, body)).toEqual([201, [{ note: null }, { note: 'rain' }]])
  expect(await insert(query, body, 'return=representation, missing=default')).toEqual([
    201,
    [{ note: 'calm' }, { note: 'rain' }],
  ])
})

test('columns that are not selected are omitted', async () => {
  expect(await insert('columns=note&select=note,bits', { note: 'a', bits: '1111' })).toEqual([
    201,
    [{ note: 'a', bits: null }],
  ])
})

test.each([
  ['return=minimal', null, ''],
  ['return=headers-only', '/logs?id=eq.1001', ''],
  ['return=representation', null, [{ id: 1003 }]],
])('%s determines the response of an insert', async (prefer, location, body) => {
  const id = { 'return=minimal': 1002, 'return=headers-only': 1001 }[prefer] ?? 1003
  const answer = await ask('POST', 'logs?select=id', { body: { id }, headers: { prefer } })
  expect([answer.status, answer.headers.get('location'), answer.body]).toEqual([201, location, body])
})

test('duplicates are merged or ignored', async () => {
  await insert('', { id: 2000, note: 'first' })
  const merge = await insert(
    'on_conflict=id&select=note',
    { id: 2000, note: 'merged' },
    'resolution=merge-duplicates,return=representation',
  )
  const ignore = await insert(
    'on_conflict=id&select=note',
    { id: 2000, note: 'ignored' },
    'resolution=ignore-duplicates,return=representation',
  )
  expect([merge, ignore]).toEqual([
    [200, [{ note: 'merged' }]],
    [201, []],
  ])
})

test.each([
  'two words',
  'größe',
  ' spaced  twice',
  'a-b',
  '1st',
  'select',
  "it's",
  'a&b=c',
  'a+b',
  '50%',
  '🚢',
])('a table named %j is written as PostgreSQL reads the same JSON', async name => {
  const table = sql(name)
  await sql`create table ${table} (id int primary key, note text default 'calm', j json, jb jsonb)`
  await sql`grant all on ${table} to anon`
  await noticed()
  const path = encodeURIComponent(name)
  const rows = [
    { id: 1, j: 'null', jb: '"' },
    { id: 2, j: 'text', jb: 'null' },
    { id: 3, j: { a: ['1'] }, jb: 1 },
  ]
  const inserted = await ask('POST', `${path}?columns=id,j,jb,note`, {
    body: rows,
    headers: { prefer: 'missing=default' },
  })
  expect([inserted.status, inserted.body]).toEqual([201, inserted.body])
  const patched = await ask('PATCH', `${path}?id=eq.3`, { body: { jb: 'null', j: '' } })
  expect([patched.status, patched.body]).toEqual([204, patched.body])
  const body = JSON.stringify([...rows.slice(0, 2), { id: 3, j: '', jb: 'null' }])
  expect(await sql`select id, note, j::text, jb::text from ${table} order by id`).toEqual(
    await sql`select id, 'calm' as note, j::text, jb::text
        from jsonb_populate_recordset(null::${table}, ${body}::text::jsonb) order by id`,
  )
  const removed = await ask('DELETE', `${path}?id=eq.1`)
  expect([
    removed.status,
    (await sql`select id from ${table} order by id`).map(row => Number(row['id'])),
  ]).toEqual([204, [2, 3]])
})
