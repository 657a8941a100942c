// Names that occur both in a resource and in what it embeds, and columns that only the order needs.
import { expect, test } from 'vitest'
import { startWorld } from './world.ts'

const { ask } = await startWorld(`
  create table ports (id int primary key, name text, "order" int);
  create table people (id int primary key, name text);
  create table boats (id int primary key, name text, owner int references people, port int references ports);
  create table trips (id int primary key, boat int references boats, note text);
  create function rivals(boats) returns setof people language sql stable as
    $$ select * from people where id <> $1.owner order by id $$;
  insert into ports values (1, 'Kiel', 7);
  insert into people values (1, 'Ada'), (2, 'Bo');
  insert into boats values (1, 'Tern', 1, 1), (2, 'Gull', 2, 1);
  insert into trips values (1, 1), (2, 2);
`)

test('a computed relationship gets its row beside a column with the name of the table', async () => {
  const { body } = await ask(
    'GET',
    'boats?select=name,...ports(boats(name)),rivals(name)&ports.boats.order=id&order=id',
  )
  const boats = [{ name: 'Tern' }, { name: 'Gull' }]
  expect(body).toEqual([
    { name: 'Tern', boats, rivals: [{ name: 'Bo' }] },
    { name: 'Gull', boats, rivals: [{ name: 'Ada' }] },
  ])
})

test('a spread resource in another one returns all columns, and one of them under another name', async () => {
  const { status, body } = await ask(
    'GET',
    'trips?id=eq.1&select=trip:id,...boats(boat:name,...ports(*,berths:order))',
  )
  expect([status, body]).toEqual([200, [{ trip: 1, boat: 'Tern', id: 1, name: 'Kiel', order: 7, berths: 7 }]])
})

test.each([
  ['PATCH', { note: 'calm' }],
  ['DELETE', undefined],
])('rows that %s returns are ordered by a key that is not selected', async (method, body) => {
  const headers = { prefer: 'return=representation, tx=rollback' }
  const { body: rows } = await ask(method, 'trips?id=gt.0&select=boats(name)&order=id.desc', {
    headers,
    body,
  })
  expect(rows).toEqual([{ boats: { name: 'Gull' } }, { boats: { name: 'Tern' } }])
})
