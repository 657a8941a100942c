// PUT accepts only rows that are named by their whole primary key, so that a client can find out what the key is.
import { expect, test } from 'vitest'
import { startWorld } from './world.ts'

const { ask, sql } = await startWorld(`
  create table crates (code text primary key, id int);
  create table pairs (a int, b int, note text, primary key (a, b));
  create table keyless (id int);
`)

test.each([
  ['crates?code=eq.a', { code: 'b' }, 400, 'PGRST115'],
  ['crates?id=eq.0', { id: 1 }, 405, 'PGRST105'],
  ['pairs?a=eq.0', { a: 1 }, 405, 'PGRST105'],
  ['pairs?a=eq.0&b=eq.0', { a: 1, b: 1 }, 400, 'PGRST115'],
  ['keyless?id=eq.0', { id: 1 }, 405, 'PGRST105'],
  ['crates?code=neq.a', { code: 'b' }, 405, 'PGRST105'],
])('PUT %s with %j is a %i called %s', async (path, row, status, code) => {
  const answer = await ask('PUT', path, { body: [row] })
  expect([answer.status, Reflect.get(Object(answer.body), 'code')]).toEqual([status, code])
  expect(await sql`select from crates union all select from pairs`).toHaveLength(0)
})
