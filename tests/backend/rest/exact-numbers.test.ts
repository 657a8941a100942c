// Numbers beyond JavaScript's precision are exact in both directions; JSON has PostgreSQL's spaces.
import { expect, test } from 'vitest'
import { startWorld } from './world.ts'

const { ask, backend } = await startWorld(`
  create table wide (
    id bigint primary key, n numeric, f4 real, f8 double precision, j json, jb jsonb, ids bigint[], fs float8[], jbs jsonb[],
    note text);
  create table kids (id bigint primary key, wide bigint references wide);
  insert into wide (id, note) values (9007199254740992, 'neighbor'), (1, 'eq.1.10'), (2, '1.10'), (3, '1234567890123456789');
  create function same(big bigint) returns bigint language sql as 'select big';
  create function same_json(value jsonb) returns jsonb language sql as 'select value';
`)

/** The raw body, since parsing would round it. */
async function text(method: string, path: string, body?: string): Promise<string> {
  const response = await fetch(`${backend.url}/rest/v1/${path}`, {
    method,
    headers: {
      apikey: backend.publishableKey,
      'content-type': 'application/json',
      prefer: 'return=representation',
    },
    ...(body === undefined ? {} : { body }),
  })
  return response.text()
}

test('a row keeps its digits when written, read, filtered and embedded', async () => {
  const values =
    '"id":9007199254740993,"n":12345678901234567890.120,"j":{"a":9007199254740995},"jb":9007199254740997,"ids":[9007199254740999,1],"jbs":[{"a": [9007199254741001]}]'
  const select = 'select=id,n,j,jb,ids,jbs'
  expect(await text('POST', `wide?${select}`, `{${values}}`)).toBe(`[{${values}}]`)
  expect(await text('GET', `wide?${select}&id=eq.9007199254740993`)).toBe(`[{${values}}]`)
  await text('POST', 'kids', '[{"id":9007199254740995,"wide":9007199254740993}]')
  expect(await text('GET', 'kids?select=id,wide(id,n)')).toBe(
    '[{"id":9007199254740995,"wide":{"n": 12345678901234567890.120, "id": 9007199254740993}}]',
  )
  expect(await text('PATCH', 'wide?select=n&id=eq.9007199254740993', '{"n":0.1000000000000000000001}')).toBe(
    '[{"n":0.1000000000000000000001}]',
  )
})

test.each([
  ['id=eq.9007199254740993', '[{"id":9007199254740993}]'],
  ['id=in.(9007199254740993,1)&order=id', '[{"id":1}, \n {"id":9007199254740993}]'],
  ['id=gt.9007199254740992&id=lt.9007199254741000', '[{"id":9007199254740993}]'],
  [
    'or=(id.eq.9007199254740993,and(id.eq.1,note.eq."eq.1.10"))&order=id',
    '[{"id":1}, \n {"id":9007199254740993}]',
  ],
  ['ids=cs.{9007199254740999}', '[{"id":9007199254740993}]'],
  ['note=eq.1.10', '[{"id":2}]'],
  ['note=eq.1234567890123456789', '[{"id":3}]'],
  ['note=like.1234567890123456789', '[{"id":3}]'],
  ['note=in.(1.10)', '[{"id":2}]'],
])('%s finds only its own row', async (filter, rows) => {
  expect(await text('GET', `wide?select=id&${filter}`)).toBe(rows)
})

test('functions accept and return exact digits', async () => {
  expect(await text('POST', 'rpc/same', '{"big":9007199254740993}')).toBe('9007199254740993')
  expect(await text('GET', 'rpc/same?big=9007199254740993')).toBe('9007199254740993')
  expect(await text('POST', 'rpc/same_json', '{"value":{"a":[9007199254740993]}}')).toBe(
    '{"a": [9007199254740993]}',
  )
})

test('a value that is not a JSON number is returned as a string', async () => {
  const body = '{"id":7,"n":"NaN","f4":"Infinity","f8":"-Infinity","fs":["NaN",1.5]}'
  expect(await text('POST', 'wide?select=id,n,f4,f8,fs', body)).toBe(`[${body}]`)
})

test('the location of a new row has exact digits', async () => {
  const headers = { prefer: 'return=headers-only' }
  const answer = await ask('POST', 'wide', { body: '{"id":9007199254741011}', headers })
  expect([answer.status, answer.headers.get('location')]).toEqual([201, '/wide?id=eq.9007199254741011'])
})

test('errors contain values as sent', async () => {
  const answers = [
    await ask('GET', 'wide?id=foo.9007199254740993'),
    await ask('GET', 'wide?id=eq.99999999999999999999'),
    await ask('POST', 'wide', { body: '{"id":1.50}' }),
  ]
  expect(answers.map(({ status, body }) => [status, Reflect.get(Object(body), 'message')])).toEqual([
    [400, '"failed to parse filter (foo.9007199254740993)" (line 1, column 1)'],
    [400, 'value "99999999999999999999" is out of range for type bigint'],
    [400, 'invalid input syntax for type bigint: "1.50"'],
  ])
})
