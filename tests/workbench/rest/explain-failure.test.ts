// Refusals of views that cannot be written to, as PostgreSQL words them.
import { expect, test } from 'vitest'
import { explainRest } from '../../../src/services/workbench/rest/explain-failure.ts'
import { ALL_RIGHTS, guessTable, withoutRefused } from '../../../src/services/workbench/table/index.ts'
import { startWorld } from '../../backend/rest/world.ts'

const { backend, noticed } = await startWorld(`
  create table plain_key (id int primary key, title text not null);
  create view sums as select count(*) as n from plain_key;
  create view joined as select p.id, o.title from plain_key p join plain_key o on true;
  create view distinct_ids as select distinct id from plain_key;
  create view union_ids as select id from plain_key union all select id from plain_key;
  create view computed as select id, upper(title) as loud from plain_key;
  grant all on all tables in schema public to service_role;
`)
await noticed()

const call = async (method: string, table: string, query: Record<string, string>, body?: unknown) => {
  const answer = await fetch(`${backend.url}/rest/v1/${table}?${new URLSearchParams(query)}`, {
    method,
    headers: { apikey: backend.secretKey, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: answer.status, text: await answer.text() }
}

test('a write that a view cannot take is refused with the reason, and not offered again', async () => {
  const views = ['sums', 'joined', 'distinct_ids', 'union_ids']
  for (const name of views) {
    const column = name === 'sums' ? 'n' : 'id'
    for (const [method, right] of [
      ['POST', 'insert'],
      ['PATCH', 'update'],
      ['DELETE', 'delete'],
    ] as const) {
      const { status, text } = await call(
        method,
        name,
        { [column]: 'eq.1' },
        method === 'DELETE' ? undefined : { [column]: 1 },
      )
      const failure = await explainRest(JSON.parse(text), status, right, name)
      expect([name, method, failure.isReadOnlyView]).toEqual([name, method, true])
      const guessed = { ...guessTable(name, [{ id: 1 }]), known: true }
      const [refused] = Object.entries({ [JSON.stringify(['public', name])]: { [right]: failure.message } })
      const left = withoutRefused(guessed, 'public', Object.fromEntries(refused ? [refused] : []))
      expect(left.rights).toEqual({ ...ALL_RIGHTS, [right]: false })
      expect(withoutRefused(guessed, 'other', Object.fromEntries(refused ? [refused] : []))).toBe(guessed)
    }
  }
  const { status, text } = await call('PATCH', 'computed', { id: 'eq.1' }, { loud: 'x' })
  expect(await explainRest(JSON.parse(text), status, 'update', 'computed')).toMatchObject({
    generation: 'generated',
    field: 'loud',
  })
})
