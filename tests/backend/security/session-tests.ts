// What attempts to leave the role of a request do not reach: the owner, other callers, and other services.
import type postgres from 'postgres'
import { expect, test } from 'vitest'
import type { Backend } from '../../../backend/index.ts'
import { officialClient, signedIn } from '../../harness/backend.ts'
import { ESCAPES } from './escapes.ts'

export interface Attempted {
  readonly backend: Backend
  readonly sql: postgres.Sql
}

/** Defines the tests. @param opened a backend with the attempts of `openAttempts`, for use within tests */
export function sessionTests(opened: () => Attempted): void {
  test('nothing that a session keeps reaches the owner or the next caller', async () => {
    const { backend, sql } = opened()
    const client = officialClient(backend)
    for (const statement of ESCAPES) await client.rpc('attempt', { statement })
    const { data } = await client.rpc('attempt', { statement: 'select 1' })
    expect(data).toMatchObject({ failure: null, state: { session: 'authenticator', current: 'anon' } })
    // The owner's own work: auth, and drivers.
    const { error } = await signedIn(backend, 'skipper').then(({ auth }) => auth.getUser())
    expect(error).toBeNull()
    expect(await sql`select session_user::text as session, current_user::text as current`).toEqual([
      { session: 'postgres', current: 'postgres' },
    ])
  }, 120_000)

  test('a check of `session_user` protects claims as in production', async () => {
    const { backend, sql } = opened()
    const client = await signedIn(backend, 'skipper')
    const { data } = await client.auth.getUser()
    const claim = { uid: data.user?.id, claim: 'claims_admin', value: true }
    expect((await client.rpc('set_claim', claim)).data).toBe('error: access denied')
    expect((await officialClient(backend).rpc('set_claim', claim)).data).toBe('error: access denied')
    const service = officialClient(backend, backend.secretKey)
    expect((await service.rpc('set_claim', claim)).data).toBe('OK')
    expect(await sql`select is_claims_admin() as ok`).toEqual([{ ok: true }])
    await client.auth.refreshSession()
    expect((await client.rpc('set_claim', { ...claim, claim: 'level', value: 3 })).data).toBe('OK')
  })

  test('policies of storage and of private channels run in a session of `authenticator`', async () => {
    const { backend, sql } = opened()
    await sql.unsafe(`
      create table public.seen (place text, session text, current text, after text);
      grant insert on public.seen to public; grant usage on schema public to public;
      create function public.look(place text) returns boolean language plpgsql volatile as $$
      declare after text;
      begin
        begin set local role postgres; after := current_user; exception when others then after := sqlstate; end;
        raise warning 'look % % % %', place, session_user, current_user, after;
        if session_user <> 'authenticator' or after <> '42501' then raise exception 'escaped: % %', session_user, after; end if;
        return true;
      end $$;
      create policy look on storage.buckets as permissive for select using (public.look('buckets'));
      create policy look on realtime.messages for select using (public.look('messages'));
      create policy look_write on realtime.messages for insert with check (public.look('messages'));
      create policy look_objects on storage.objects for all using (public.look('objects')) with check (public.look('objects'));
      insert into storage.buckets (id, name) values ('looks', 'looks')`)
    const client = await signedIn(backend, 'skipper')
    expect((await client.storage.from('looks').upload('a.txt', 'text')).error).toBeNull()
    expect((await client.storage.from('looks').list()).data?.map(({ name }) => name)).toEqual(['a.txt'])
    const channel = client.channel('looks', { config: { private: true } })
    const status = await new Promise(resolve => channel.subscribe(resolve))
    expect(status).toBe('SUBSCRIBED')
    await client.removeAllChannels()
  })
}
