// A project whose auth hook and whose job try to leave their roles, on PGlite, and how each attempt ended.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { decodeJwt } from 'jose'
import postgres from 'postgres'
import { expect, vi } from 'vitest'
import { startBackend } from '../../../backend/index.ts'
import { CHEAP, officialClient } from '../../harness/backend.ts'
import { atFileEnd } from '../../harness/endings.ts'
import { ESCAPES, ESCAPE_SCHEMA } from './escapes.ts'

export const AUTH_ADMIN = 'supabase_auth_admin'
export const JOB_USER = 'authenticated'

/** Each attempt is undone, so that it can't change the next one. */
export const TRIES = `
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

export interface Outcome {
  readonly statement: string
  /** The error, or who runs after the attempt. */
  readonly outcome: unknown
}

export interface OwnerCode {
  /** How the attempts of an auth hook ended. */
  ofHook(): Promise<readonly Outcome[]>
  /** How the attempts of a job ended. */
  ofJob(): Promise<readonly Outcome[]>
}

export async function startOwnerCode(): Promise<OwnerCode> {
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
    auth: CHEAP,
  })
  const sql = postgres(backend.databaseUrl ?? '', { max: 1, onnotice: () => undefined })
  atFileEnd(async () => {
    await sql.end()
    await backend.stop()
    rmSync(root, { recursive: true, force: true })
  })
  return {
    async ofHook() {
      const { auth } = officialClient(backend)
      const { data, error } = await auth.signUp({ email: 'kim@example.test', password: 'harbour-demo-1' })
      expect(error).toBeNull()
      const { outcomes } = decodeJwt<{ outcomes: Outcome[] }>(data.session?.access_token ?? '')
      expect(outcomes).toHaveLength(ESCAPES.length)
      expect((await auth.refreshSession()).error).toBeNull()
      return outcomes
    },
    async ofJob() {
      await sql`create extension if not exists pg_cron`
      await sql`select cron.schedule_in_database('try', '1 seconds', 'insert into public.found select public.tries()', 'postgres', ${JOB_USER})`
      await vi.waitFor(async () => expect(await sql`select from public.found`).not.toHaveLength(0), 30_000)
      await sql`select cron.unschedule(jobid) from cron.job`
      const [row] = await sql<{ outcomes: Outcome[] }[]>`select outcomes from public.found limit 1`
      expect(row?.outcomes).toHaveLength(ESCAPES.length)
      expect(await sql`select session_user::text as session, current_user::text as current`).toEqual([
        { session: 'postgres', current: 'postgres' },
      ])
      return row?.outcomes ?? []
    },
  }
}
