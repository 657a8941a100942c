// Reading: ranges, counts, response formats, and ambiguous embedding.
import { expect, test } from 'vitest'
import { startWorld } from './world.ts'

const { ask } = await startWorld(`
  create table ports (id int primary key, name text);
  create table legs (id int primary key, origin int references ports, goal int references ports);
  insert into ports select n, 'Port ' || n from generate_series(1, 5) n;
  insert into legs values (1, 1, 2);
`)

test.each([
  ['ports?select=id&limit=2', {}, 200, '0-1/*', 2],
  ['ports?select=id&limit=2&offset=1', { prefer: 'count=exact' }, 206, '1-2/5', 2],
  ['ports?select=id', { range: '3-9' }, 200, '3-4/*', 2],
  ['ports?select=id', { range: '0-1', prefer: 'count=exact' }, 206, '0-1/5', 2],
  ['ports?select=id', { prefer: 'count=exact' }, 200, '0-4/5', 5],
  ['ports?select=id&id=gt.9', { prefer: 'count=exact' }, 200, '*/0', 0],
])('%s with %j is a %i of %s', async (path, headers, status, range, count) => {
  const answer = await ask('GET', path, { headers })
  expect([answer.status, answer.headers.get('content-range'), Object(answer.body).length]).toEqual([
    status,
    range,
    count,
  ])
})

test.each(['planned', 'estimated'])('a %s count is a number', async kind => {
  const { headers } = await ask('HEAD', 'ports', { headers: { prefer: `count=${kind}` } })
  expect(headers.get('content-range')).toMatch(/^0-4\/\d+$/)
})

test.each([
  [{ range: '9-10', prefer: 'count=exact' }, 'An offset of 9 was requested, but there are only 5 rows.'],
  [
    { range: '5-1' },
    'The lower boundary must be lower than or equal to the upper boundary in the Range header.',
  ],
])('rejects a range of %j', async (headers, details) => {
  const { status, body } = await ask('GET', 'ports', { headers })
  expect([status, body]).toEqual([
    416,
    { code: 'PGRST103', message: 'Requested range not satisfiable', details, hint: null },
  ])
})

test.each([
  ['text/csv', 'text/csv; charset=utf-8', 'id,name\n1,"Port 1"'],
  [
    'application/vnd.pgrst.object+json',
    'application/vnd.pgrst.object+json; charset=utf-8',
    { id: 1, name: 'Port 1' },
  ],
  ['*/*', 'application/json; charset=utf-8', [{ id: 1, name: 'Port 1' }]],
])('%s is returned as %s', async (accept, type, body) => {
  const answer = await ask('GET', 'ports?id=eq.1', { headers: { accept } })
  expect([answer.headers.get('content-type'), answer.body]).toEqual([type, body])
})

test('rejects an unsupported format', async () => {
  const { status, body } = await ask('GET', 'ports', { headers: { accept: 'image/png' } })
  expect([status, Reflect.get(Object(body), 'code')]).toEqual([406, 'PGRST107'])
})

test('an ambiguous embedding lists the options', async () => {
  const { status, body } = await ask('GET', 'legs?select=ports(name)')
  expect([status, body]).toEqual([
    300,
    expect.objectContaining({
      code: 'PGRST201',
      message: "Could not embed because more than one relationship was found for 'legs' and 'ports'",
    }),
  ])
  const named = await ask('GET', 'legs?select=origin:ports!legs_origin_fkey(name)')
  expect(named.body).toEqual([{ origin: { name: 'Port 1' } }])
})

test.each(['__proto__', 'constructor', 'toString'])(
  'a filter on %s refers to an unknown column',
  async name => {
    const { status, body } = await ask('GET', `ports?${name}=eq.1`)
    expect([status, Reflect.get(Object(body), 'code')]).toEqual([400, '42703'])
  },
)
