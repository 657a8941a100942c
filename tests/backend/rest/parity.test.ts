// Details of REST that clients depend on, as in production.
import { describe, expect, test } from 'vitest'
import { startWorld } from './world.ts'

const { ask, sql, backend, noticed } = await startWorld(`
  create table users (id int primary key, name text);
  create table messages (id int primary key, author int references users, body text, sent int);
  create function full_name(users) returns text language sql stable as $$ select 'Captain ' || $1.name $$;
  insert into users values (1, 'Ada'), (2, 'Bo');
  insert into messages values (1, 1, 'hi', 5), (2, 1, 'ho', 7), (3, 2, 'hm', 1);
  create table ports (id int primary key, name text);
  create table trips (id int primary key, home int references ports, away int references ports);
  insert into ports values (1, 'Kiel'), (2, 'Oslo');
  insert into trips values (1, 1, 2);
  create function greet("userId" int, "user" text default 'x') returns text language sql as $$ select "userId" || "user" $$;
  create function raise_all() returns setof messages language sql as $$ update messages set sent = sent + 100 returning * $$;
  create table stock (id serial primary key, name text unique, amount int default 5, note text default 'new');
  insert into stock (name, amount, note) values ('rope', 1, 'old');
  create table stays (id int primary key, at timestamptz);
  insert into stays values (1, '2023-10-18T12:37:59.611Z');
  create function total(a int, b int) returns int language sql stable as $$ select a + b $$;
`)

test('a public table has the name of one in a hidden schema', async () => {
  expect((await ask('GET', 'messages?select=id,users(*)&id=eq.1')).body).toEqual([
    { id: 1, users: { id: 1, name: 'Ada' } },
  ])
  expect((await ask('GET', 'users?select=name,messages(*)&id=eq.2')).body).toEqual([
    { name: 'Bo', messages: [{ id: 3, author: 2, body: 'hm', sent: 1 }] },
  ])
})

test('argument names that need quotes', async () => {
  expect((await ask('POST', 'rpc/greet', { body: { userId: 3 } })).body).toBe('3x')
  expect((await ask('POST', 'rpc/greet', { body: { userId: 3, user: 'y' } })).body).toBe('3y')
  expect((await ask('GET', 'rpc/greet?userId=3&user=z')).body).toBe('3z')
})

test('an alias is no relationship hint', async () => {
  const { status, body } = await ask('GET', 'trips?select=home:ports(name)')
  expect([status, Reflect.get(Object(body), 'code')]).toEqual([300, 'PGRST201'])
  expect((await ask('GET', 'trips?select=home:ports!home(name)')).body).toEqual([{ home: { name: 'Kiel' } }])
  expect((await ask('GET', 'trips?select=ports!trips_home_fkey(name)')).body).toEqual([
    { ports: { name: 'Kiel' } },
  ])
})

test('computed columns in the order and after a write', async () => {
  expect((await ask('GET', 'users?select=id&order=full_name.desc')).body).toEqual([{ id: 2 }, { id: 1 }])
  const made = await ask('POST', 'users?select=id,full_name', {
    body: { id: 9, name: 'Cy' },
    headers: { prefer: 'return=representation' },
  })
  expect(made.body).toEqual([{ id: 9, full_name: 'Captain Cy' }])
  await sql`delete from users where id = 9`
})

test('max-affected is enforced for functions', async () => {
  const headers = { prefer: 'handling=strict, max-affected=2' }
  const { status, body } = await ask('POST', 'rpc/raise_all', { body: {}, headers })
  expect([status, Reflect.get(Object(body), 'code')]).toEqual([400, 'PGRST124'])
  expect((await sql`select max(sent) from messages`)[0]).toEqual({ max: 7 })
})

test('HEAD on a function with arguments', async () => {
  expect((await ask('HEAD', 'rpc/total?a=1&b=2')).status).toBe(200)
})

test('estimated counts of small tables are exact', async () => {
  const { headers } = await ask('GET', 'messages?select=id', { headers: { prefer: 'count=estimated' } })
  expect(headers.get('content-range')).toBe('0-2/3')
})

test('aggregates, if the database enables them', async () => {
  expect((await ask('GET', 'messages?select=sent.sum()')).status).toBe(400)
  await sql.unsafe(
    `alter role authenticator set pgrst.db_aggregates_enabled = 'true'; notify pgrst, 'reload config'`,
  )
  await noticed()
  expect((await ask('GET', 'messages?select=author,sent.sum()&order=author')).body).toEqual([
    { author: 1, sum: 12 },
    { author: 2, sum: 1 },
  ])
  expect(backend.url).toBeTruthy()
})

test('missing values are defaults in bulk upserts and in updates', async () => {
  const headers = { prefer: 'missing=default, return=representation, resolution=merge-duplicates' }
  const body = [{ name: 'rope', amount: 9 }, { name: 'sail' }]
  const made = await ask('POST', 'stock?on_conflict=name&columns=name,amount,id&select=name,amount', {
    body,
    headers,
  })
  expect([made.status, made.body]).toEqual([
    201,
    [
      { name: 'rope', amount: 9 },
      { name: 'sail', amount: 5 },
    ],
  ])
  const byKey = await ask('POST', 'stock?columns=id,name&select=name,amount', {
    body: [{ name: 'mast' }],
    headers,
  })
  expect([byKey.status, byKey.body]).toEqual([201, [{ name: 'mast', amount: 5 }]])
  const changed = await ask('PATCH', 'stock?name=eq.rope&columns=amount,note&select=amount,note', {
    body: { amount: 2 },
    headers: { prefer: 'missing=default, return=representation' },
  })
  expect(changed.body).toEqual([{ amount: 2, note: 'new' }])
})

test('the preferences that were applied, and the schema', async () => {
  const prefer = 'return=representation, count=exact, missing=default, handling=lenient'
  const made = await ask('POST', 'stock', { body: { name: 'oar' }, headers: { prefer } })
  const applied = made.headers.get('preference-applied')?.split(', ') ?? []
  for (const one of ['return=representation', 'count=exact', 'missing=default', 'handling=lenient'])
    expect(applied).toContain(one)
  const read = await ask('GET', 'stock?limit=1', { headers: { 'accept-profile': 'public' } })
  expect(read.headers.get('content-profile')).toBe('public')
})

describe('the time zone of a request', () => {
  const stays = (prefer: string, method = 'GET', path = 'stays?select=at') =>
    ask(method, path, { headers: { prefer }, ...(method === 'POST' && { body: {} }) })

  test.each([
    ['timezone=America/Los_Angeles', '2023-10-18T05:37:59.611-07:00'],
    ['handling=strict, timezone=Asia/Kolkata', '2023-10-18T18:07:59.611+05:30'],
  ])('%s', async (prefer, at) => {
    const { body, headers } = await stays(prefer)
    expect(body).toEqual([{ at }])
    expect(headers.get('preference-applied')).toBe(prefer)
  })

  test('functions and triggers run in it, and the next request does not', async () => {
    await sql`create function zone() returns text language sql stable as $$ select current_setting('timezone') $$`
    await noticed()
    expect((await stays('timezone=Europe/Oslo', 'POST', 'rpc/zone')).body).toBe('Europe/Oslo')
    expect((await stays('', 'POST', 'rpc/zone')).body).not.toBe('Europe/Oslo')
  })

  test('an unknown one is refused if handling is strict, otherwise ignored', async () => {
    const error = {
      code: 'PGRST122',
      message: 'Invalid preferences given with handling=strict',
      details: 'Invalid preferences: timezone=Invalid/Timezone',
      hint: null,
    }
    for (const [method, path] of [
      ['GET', 'stays'],
      ['POST', 'rpc/zone'],
    ]) {
      const strict = await stays('handling=strict, timezone=Invalid/Timezone', method, path)
      expect([strict.status, strict.body]).toEqual([400, error])
    }
    const lenient = await stays('timezone=Invalid/Timezone')
    expect([lenient.status, lenient.headers.get('preference-applied')]).toEqual([200, null])
    expect(lenient.body).toEqual([{ at: '2023-10-18T12:37:59.611+00:00' }])
  })
})
