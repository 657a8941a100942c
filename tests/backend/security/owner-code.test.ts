// SQL of a project that the backend runs without a request, such as hooks and jobs: it ends as on a PostgreSQL server for a client
// that logs in as production's does.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { decodeJwt } from 'jose'
import postgres from 'postgres'
import { afterAll, expect, test, vi } from 'vitest'
import { startBackend } from '../../../backend/index.ts'
import { officialClient } from '../../harness/backend.ts'
import { startPlainServer } from '../../harness/plain-server.ts'
import { ESCAPES, ESCAPE_SCHEMA } from './escapes.ts'

const AUTH_ADMIN = 'supabase_auth_admin'
const JOB_USER = 'authenticated'

/** Each attempt is undone, so that it can't change the next one. */
const TRIES = `
create function public.tries() returns jsonb language plpgsql volatile as $tries$
declare
  statement text;
  outcomes jsonb := '[]';
begin
  foreach statement in array array[${ESCAPES.map(statement => `$s$${statement}$s$`).join(', ')}] loop
    begin
      raise exception '%', public.attempt(statement) using errcode = 'ZZ001';
    exception
      when sqlstate 'ZZ001' then outcomes := outcomes || jsonb_build_array(jsonb_build_object('statement', statement, 'outcome', sqlerrm::jsonb));
      when others then outcomes := outcomes || jsonb_build_array(jsonb_build_object('statement', statement, 'outcome', sqlstate));
    end;
  end loop;
  return outcomes;
end $tries$;
grant usage on schema public to public;
grant execute on all functions in schema public to public;`

const { connect } = await startPlainServer()
const owner = await connect('supabase_admin')
await owner.query(`
  create role anon nologin; create role service_role nologin bypassrls; create role ${JOB_USER} login;
  create role authenticator login noinherit; grant anon, authenticated, service_role to authenticator, postgres;
  create role ${AUTH_ADMIN} login noinherit;
  set session authorization postgres; ${ESCAPE_SCHEMA}${TRIES}`)
await owner.end()

async function onServer(role: string): Promise<unknown> {
  const client = await connect(role)
  try {
    return (await client.query<{ outcomes: unknown }>('select public.tries() as outcomes')).rows[0]?.outcomes
  } finally {
    await client.end()
  }
}

const root = mkdtempSync(join(tmpdir(), 'chartroom-owner-code-'))
mkdirSync(join(root, 'supabase/migrations'), { recursive: true })
writeFileSync(
  join(root, 'supabase/config.toml'),
  '[auth.hook.custom_access_token]\nenabled = true\nuri = "pg-functions://postgres/public/claims"\n',
)
writeFileSync(
  join(root, 'supabase/migrations/20260101000000_hook.sql'),
  `${ESCAPE_SCHEMA}${TRIES}
  -- Versions of PostgreSQL differ in what it allows.
  alter role ${AUTH_ADMIN} nocreaterole;
  create function public.claims(event jsonb) returns jsonb language plpgsql volatile as $$
  begin
    perform set_config('search_path', 'nowhere', true);
    return jsonb_build_object('claims', event -> 'claims' || jsonb_build_object('outcomes', public.tries()));
  end $$;
  create table public.found (outcomes jsonb);
  grant insert on public.found to public;`,
)
const backend = await startBackend({
  engine: 'pglite',
  data: 'memory',
  project: root,
  databaseAccess: {},
})
const sql = postgres(backend.databaseUrl ?? '', { max: 1, onnotice: () => undefined })
afterAll(async () => {
  await sql.end()
  await backend.stop()
  rmSync(root, { recursive: true, force: true })
})

test('an auth hook leaves its role as a client that logged in as the auth server does', async () => {
  const { auth } = officialClient(backend)
  const { data, error } = await auth.signUp({ email: 'kim@example.test', password: 'harbour-demo-1' })
  expect(error).toBeNull()
  const { outcomes } = decodeJwt<{ outcomes: unknown[] }>(data.session?.access_token ?? '')
  expect(outcomes).toHaveLength(ESCAPES.length)
  expect(outcomes).toEqual(await onServer(AUTH_ADMIN))
  expect((await auth.refreshSession()).error).toBeNull()
}, 120_000)

test('a job leaves its role as a client that logged in as its user does', async () => {
  await sql`create extension if not exists pg_cron`
  await sql`select cron.schedule_in_database('try', '1 seconds', 'insert into public.found select public.tries()', 'postgres', ${JOB_USER})`
  await vi.waitFor(async () => expect(await sql`select from public.found`).not.toHaveLength(0), 30_000)
  await sql`select cron.unschedule(jobid) from cron.job`
  const [row] = await sql<{ outcomes: unknown[] }[]>`select outcomes from public.found limit 1`
  expect(row?.outcomes).toHaveLength(ESCAPES.length)
  expect(row?.outcomes).toEqual(await onServer(JOB_USER))
  expect(await sql`select session_user::text as session, current_user::text as current`).toEqual([
    { session: 'postgres', current: 'postgres' },
  ])
}, 120_000)
