// `/_chartroom/access`: what a review needs to know of the database, for programs on this machine.
import { expect, test } from 'vitest'
import { startWorld } from './world.ts'

const { backend } = await startWorld(`
create table secrets (
  id int generated always as identity primary key, owner uuid references auth.users (id), mood text default 'fine'
);
revoke all on secrets from anon, authenticated;
alter table secrets enable row level security;
create policy "own" on secrets for select to authenticated using (owner = auth.uid());
grant select (id), update (mood) on secrets to authenticated;
create view leak as select id from secrets;
create view safe with (security_invoker = on) as select id from secrets;
create function peek(who uuid, most int default 5) returns setof secrets language sql security definer as
  'select * from secrets where owner = who limit most';
`)

test('tables that no role may use, policies, views, functions and buckets', async () => {
  const response = await fetch(`${backend.url}/_chartroom/access`)
  const { tables, policies, functions, buckets } = (await response.json()) as Record<
    'tables' | 'policies' | 'functions' | 'buckets',
    Record<string, unknown>[]
  >
  const named = (list: Record<string, unknown>[] | undefined, name: string) =>
    list?.find(each => each['name'] === name)
  expect(named(tables, 'secrets')).toMatchObject({
    schema: 'public',
    kind: 'table',
    rowSecurity: true,
    columnGrants: true,
  })
  expect(named(tables, 'secrets')?.['columns']).toMatchObject([
    { name: 'id', type: 'integer', isKey: true, made: true, hasDefault: true },
    { name: 'owner', references: { schema: 'auth', table: 'users', column: 'id' } },
    { name: 'mood', hasDefault: true, required: false },
  ])
  expect(named(tables, 'leak')).toMatchObject({ kind: 'view', invoker: false })
  expect(named(tables, 'safe')).toMatchObject({ kind: 'view', invoker: true, columnGrants: false })
  expect(named(policies, 'own')).toMatchObject({
    table: 'secrets',
    command: 'select',
    roles: ['authenticated'],
    using: '(owner = auth.uid())',
    check: null,
  })
  expect(named(functions, 'peek')).toMatchObject({
    definer: true,
    isVolatile: true,
    args: [
      { name: 'who', type: 'uuid', hasDefault: false },
      { name: 'most', type: 'integer', hasDefault: true },
    ],
  })
  expect(buckets).toEqual([{ id: 'charts', public: false }])
})

test('pages of another origin are refused', async () => {
  const headers = { origin: 'http://localhost:1' }
  expect((await fetch(`${backend.url}/_chartroom/access`, { headers })).status).toBe(403)
})
