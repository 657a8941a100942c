// A backend that files share is put back after each: what was added goes, and rows return; other changes are found.
import { expect } from 'vitest'
import { signedIn, startOwnBackend } from '../harness/backend.ts'
import { noteState } from '../harness/database-state.ts'
import { testOnPglite } from '../harness/engine.ts'
import { directSql } from '../harness/realtime.ts'

testOnPglite(
  'definitions, rows and files of a test are removed, and what it removed is there again',
  async () => {
    const backend = await startOwnBackend({ databaseAccess: {} })
    const sql = directSql(backend)
    const state = await noteState(backend.databaseUrl ?? '')
    const contents = async () => [
      await sql`select * from public.vessels order by id`,
      await sql`select name from storage.objects order by name`,
      await sql`select email from auth.users order by email`,
      await sql`select relname from pg_class where relnamespace = 'public'::regnamespace order by relname`,
    ]
    const before = await contents()
    await sql.unsafe(`
    create schema pier; create table pier.berths (id int); create type mood as enum ('calm'); create domain depth as int;
    create table boats (id serial primary key, mood mood, depth depth); create view shown as select id from boats;
    create function fine() returns int language sql as 'select 1'; create role sailor; grant select on boats to sailor;
    create policy all_of_them on vessels for select using (true); alter publication supabase_realtime add table boats;
    create trigger same before update on vessels for each row execute function suppress_redundant_updates_trigger();
    create extension pg_trgm; delete from vessels; insert into vessels (name) values ('Stray')`)
    const { storage, auth } = await signedIn(backend, 'skipper')
    const { data } = await auth.getUser()
    expect((await storage.from('charts').upload(`${data.user?.id}/stray.txt`, 'x')).error).toBeNull()
    expect(await contents()).not.toEqual(before)
    expect(await state.restore()).toBe(true)
    expect(await contents()).toEqual(before)
    expect((await (await signedIn(backend, 'skipper')).from('vessels').select()).data).toHaveLength(4)
  },
)

testOnPglite.for([
  'alter table vessels add column extra int',
  'alter table vessels disable row level security',
  'drop table log_entries cascade',
  `alter role authenticator set statement_timeout = '9s'`,
  'grant delete on vessels to anon',
])('%s is found', async statement => {
  const backend = await startOwnBackend({ databaseAccess: {} })
  const state = await noteState(backend.databaseUrl ?? '')
  await directSql(backend).unsafe(statement)
  expect(await state.restore()).toBe(false)
})
