// `Prefer: tx=rollback`: a write is answered and then undone, as PostgREST does with `db-tx-end`.
import { expect, test } from 'vitest'
import { officialClient } from '../../harness/backend.ts'
import { startWorld } from './world.ts'

const { ask, sql, backend, noticed } = await startWorld(`
create table notes (id int primary key, text text not null default '');
insert into notes values (1, 'one'), (2, 'two');
create function add_note(id int, text text) returns int language sql as
  'insert into notes values (add_note.id, add_note.text) returning id';
`)

const rows = () => sql`select * from notes order by id`
const SEEDED = [
  { id: 1, text: 'one' },
  { id: 2, text: 'two' },
]
const ROLLBACK = 'return=representation, tx=rollback'

test.each([
  ['POST', 'notes', { id: 3, text: 'three' }, 201, [{ id: 3, text: 'three' }]],
  ['PATCH', 'notes?id=eq.1', { text: 'changed' }, 200, [{ id: 1, text: 'changed' }]],
  ['DELETE', 'notes?id=eq.2', undefined, 200, [{ id: 2, text: 'two' }]],
  ['POST', 'rpc/add_note', { id: 4, text: 'four' }, 200, 4],
])('%s %s is answered, and undone', async (method, path, body, status, answer) => {
  const asked = await ask(method, path, { body, headers: { prefer: ROLLBACK } })
  expect(asked.status).toBe(status)
  expect(asked.body).toEqual(answer)
  expect(asked.headers.get('preference-applied')).toContain('tx=rollback')
  expect(await rows()).toEqual(SEEDED)
})

test('a read names the preference, so that a client can find out before it writes', async () => {
  const { headers } = await ask('GET', 'notes?limit=0', { headers: { prefer: 'tx=rollback' } })
  expect(headers.get('preference-applied')).toBe('tx=rollback')
})

test('the count of a trial that returns nothing', async () => {
  const prefer = 'return=minimal, count=exact, tx=rollback'
  const { status, headers } = await ask('PATCH', 'notes?id=gt.0', {
    body: { text: 'x' },
    headers: { prefer },
  })
  expect([status, headers.get('content-range')?.split('/')[1]]).toEqual([204, '2'])
  expect(await rows()).toEqual(SEEDED)
})

test('the official client’s rollback()', async () => {
  const { error, data } = await officialClient(backend).from('notes').delete().eq('id', 1).select().rollback()
  expect([error, data]).toEqual([null, [{ id: 1, text: 'one' }]])
  expect(await rows()).toEqual(SEEDED)
})

test('a deletion is undone, and its result has renamed columns', async () => {
  const path = 'notes?id=eq.1&select=name:text'
  const { status, body } = await ask('DELETE', path, { headers: { prefer: ROLLBACK } })
  expect([status, body]).toEqual([200, [{ name: 'one' }]])
  expect(await rows()).toEqual(SEEDED)
})

test('the setting decides whether a request may choose, and what happens if it does not', async () => {
  const set = async (end: string) => {
    await sql.unsafe(`alter role authenticator set pgrst.db_tx_end = '${end}'; notify pgrst, 'reload config'`)
    await noticed()
  }
  const insert = async (id: number, prefer: string) =>
    (await ask('POST', 'notes', { body: { id }, headers: { prefer } })).headers.get('preference-applied')
  const ids = async () => (await sql<{ id: number }[]>`select id from notes order by id`).map(({ id }) => id)

  await set('commit')
  expect(await insert(10, 'tx=rollback')).toBeNull()
  expect(await ids()).toEqual([1, 2, 10])
  await set('rollback')
  expect(await insert(11, 'tx=commit')).toBeNull()
  expect(await ids()).toEqual([1, 2, 10])
  await set('rollback-allow-override')
  expect(await insert(12, 'tx=commit')).toBe('tx=commit')
  expect(await insert(13, '')).toBeNull()
  expect(await ids()).toEqual([1, 2, 10, 12])
  await set('commit-allow-override')
  expect(await insert(14, 'tx=rollback')).toBe('tx=rollback')
  expect(await ids()).toEqual([1, 2, 10, 12])
})
