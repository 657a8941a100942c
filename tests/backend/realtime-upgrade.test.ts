// A data folder from before the publication keeps working, and a current one deletes old messages.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { expect, test, vi } from 'vitest'
import { startBackend, type Backend } from '../../backend/index.ts'
import { signedIn } from '../harness/backend.ts'
import { isOnServer } from '../harness/engine.ts'
import { kinds, watch } from '../harness/realtime.ts'

/** The earlier realtime schema: no publication, a trigger on every table, other message columns. */
const BEFORE = `
${isOnServer ? `call extensions.chartroom_drop_event_trigger('realtime_follow_publication', false)` : 'drop event trigger realtime_follow_publication'};
drop publication supabase_realtime;
drop trigger "00_chartroom_announce" on public.vessels;
drop trigger "00_chartroom_announce" on public.voyages;
drop trigger "00_chartroom_announce" on public.log_entries;
drop schema realtime cascade;
create schema realtime;
create sequence realtime.change_number;
create table realtime.outbox (number bigint primary key, payload jsonb not null);
create table realtime.messages (id uuid primary key default gen_random_uuid(), topic text not null, extension text not null,
  event text, payload jsonb, private boolean not null default true, inserted_at timestamptz not null default now());
alter table realtime.messages enable row level security;
create policy "signed in use topics" on realtime.messages for all to authenticated using (true) with check (true);
create function realtime.announce() returns trigger language plpgsql security definer as $$ begin return null; end $$;
create trigger chartroom_announce after insert or update or delete on public.vessels
  for each row execute function realtime.announce();
create table public.quiet (id int primary key);
insert into realtime.messages (topic, extension, event, payload) values ('harbour', 'broadcast', 'e', '{"n": 1}');`

async function withFolder(work: (start: () => Promise<Backend>) => Promise<void>): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), 'chartroom-realtime-'))
  const started: Backend[] = []
  try {
    await work(async () => {
      await started.at(-1)?.stop()
      const backend = await startBackend({ data: { dir }, databaseAccess: {} })
      started.push(backend)
      return backend
    })
  } finally {
    await started.at(-1)?.stop()
    rmSync(dir, { recursive: true, force: true })
  }
}

async function run<T>(backend: Backend, work: (sql: postgres.Sql) => Promise<T>): Promise<T> {
  const sql = postgres(backend.databaseUrl ?? '', { max: 1, onnotice: () => undefined })
  try {
    return await work(sql)
  } finally {
    await sql.end({ timeout: 1 })
  }
}

test('tables announced before are still announced, and messages are kept', async () => {
  await withFolder(async start => {
    await run(await start(), sql => sql.unsafe(BEFORE))
    const backend = await start()
    const skipper = await signedIn(backend, 'skipper')
    const changes = await watch(skipper, [{ table: 'vessels' }])
    await skipper.from('vessels').insert({ name: 'Old Faithful' })
    await vi.waitFor(() => expect(kinds(changes)).toEqual(['INSERT']))
    await run(backend, async sql => {
      const tables =
        await sql`select tablename from pg_publication_tables where pubname = 'supabase_realtime'`
      expect(tables.map(row => row['tablename'])).toEqual(['vessels'])
      const [message] =
        await sql`select topic, private, inserted_at::timestamptz > now() - interval '1 hour' as young,
        binary_payload from realtime.messages`
      expect({ ...message }).toEqual({ topic: 'harbour', private: true, young: true, binary_payload: null })
      await sql`select realtime.send('{}', 'e', 'harbour')`
      expect(await sql`select from realtime.messages`).toHaveLength(2)
    })
  })
}, 30_000)

test('a folder that older code has opened in between is repaired', async () => {
  await withFolder(async start => {
    // What the older code did: added its trigger next to ours.
    await run(await start(), sql =>
      sql.unsafe(`create trigger chartroom_announce after insert or update or delete on public.vessels
        for each row execute function realtime.announce()`),
    )
    const triggers = await run(
      await start(),
      sql =>
        sql`select tgname from pg_trigger where tgrelid = 'public.vessels'::regclass and not tgisinternal`,
    )
    expect(triggers.map(row => row['tgname'])).toEqual(['00_chartroom_announce'])
  })
}, 30_000)

test('messages are kept for 72 hours', async () => {
  await withFolder(async start => {
    await run(await start(), sql =>
      sql.unsafe(`insert into realtime.messages (topic, extension, inserted_at) values
        ('old', 'broadcast', now() - interval '73 hours'), ('young', 'broadcast', now() - interval '71 hours');
        insert into realtime.outbox values (1, 'left by a crash')`),
    )
    const left = await run(await start(), async sql => ({
      messages: (await sql`select topic from realtime.messages`).map(row => row['topic']),
      outbox: (await sql`select from realtime.outbox`).length,
    }))
    expect(left).toEqual({ messages: ['young'], outbox: 0 })
  })
}, 30_000)
