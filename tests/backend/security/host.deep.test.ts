// SQL and files of strangers do nothing to the machine when the engine is a PostgreSQL server.
import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest'
import { startBackend, type Backend } from '../../../backend/index.ts'
import { packArchive, readArchive } from '../../../backend/transfer/archive.ts'
import { exportCommand, importCommand } from '../../../src/cli/backend.ts'

const root = mkdtempSync(join(tmpdir(), 'chartroom-host-'))
// As root, PostgreSQL runs as another user, which must reach the data directory.
chmodSync(root, 0o711)
const started: Backend[] = []
afterEach(async () => {
  for (const backend of started.splice(0)) await backend.stop()
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

async function start(options: Parameters<typeof startBackend>[0]): Promise<Backend> {
  const backend = await startBackend({ engine: 'postgres', databaseAccess: {}, ...options })
  started.push(backend)
  return backend
}

async function sqlOf<T>({ databaseUrl = '' }: Backend, work: (sql: postgres.Sql) => Promise<T>): Promise<T> {
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => undefined })
  try {
    return await work(sql)
  } finally {
    await sql.end({ timeout: 1 })
  }
}

/** Written by whatever leaves the database. */
const MARK = join(root, 'mark')
mkdirSync(MARK)
chmodSync(MARK, 0o777)

/** A foreign table of this server, as another user. */
const foreign = (mapping: string) => `create extension if not exists postgres_fdw;
do $server$ begin execute format('create server evil foreign data wrapper postgres_fdw options (dbname %L, host %L, port %L)',
  'postgres', current_setting('unix_socket_directories'), current_setting('port')); end $server$;
create user mapping for postgres server evil options (user 'supabase_admin', ${mapping});
create foreign table public.evil (rolname name) server evil options (schema_name 'pg_catalog', table_name 'pg_roles');
select count(*) from public.evil`

/** Ways from a superuser's SQL to the machine. */
const REACHES: readonly string[] = [
  `copy (select 1) to program 'touch ${MARK}/program'`,
  `create table pg_temp.p (line text); copy pg_temp.p from program 'touch ${MARK}/from; id'`,
  `copy (select 1) to '${MARK}/file'`,
  `create table pg_temp.q (line text); copy pg_temp.q from '/etc/passwd'`,
  `select pg_read_file('/etc/passwd')`,
  `select pg_read_binary_file('PG_VERSION')`,
  `select pg_ls_dir('.')`,
  `select pg_stat_file('/etc/passwd')`,
  `select pg_file_write('${MARK}/adminpack', 'x', false)`,
  `select lo_import('/etc/passwd')`,
  `select lo_export(lo_from_bytea(0, 'x'), '${MARK}/large')`,
  'create extension adminpack',
  'create extension file_fdw',
  'create extension plpython3u',
  'create extension plperlu',
  'create extension pltclu',
  'create extension pageinspect',
  'create language plpython3u',
  `create function pg_temp.c() returns int language c as 'libc', 'getpid'`,
  `create function pg_temp.c() returns int language internal as 'pg_read_file'`,
  'alter system set archive_mode = on',
  `alter system set archive_command = 'touch ${MARK}/archive'`,
  'alter system set shared_preload_libraries = evil',
  `load '${MARK}/evil.so'`,
  `load 'base/1/1259'`,
  `set session_preload_libraries = '${MARK}/evil.so'`,
  `alter role anon set session_preload_libraries = '${MARK}/evil.so'`,
  `alter role supabase_admin set session_preload_libraries = '${MARK}/evil.so'`,
  `alter database postgres set session_preload_libraries = '${MARK}/evil.so'`,
  `alter database postgres set dynamic_library_path = '${MARK}'`,
  `create tablespace evil location '${MARK}'`,
  `select pg_reload_conf()`,
  `create extension dblink; select * from dblink('dbname=postgres user=supabase_admin', 'select 1') as t (one int)`,
  `create extension if not exists dblink; select dblink_connect_u('dbname=postgres user=supabase_admin')`,
  `create extension if not exists dblink; select * from dblink(format('dbname=postgres user=supabase_admin password=x host=%s port=%s',
    current_setting('unix_socket_directories'), current_setting('port')), 'select 1') as t (one int)`,
  foreign("password 'x'"),
  foreign("password_required 'false'"),
  foreign("password 'x', sslkey '/etc/passwd'"),
  `create subscription evil connection 'dbname=postgres' publication p`,
  'alter role postgres superuser',
  'create role evil superuser',
  'set role supabase_admin',
  'set session authorization supabase_admin',
  'grant supabase_admin to postgres',
  'grant pg_execute_server_program to postgres',
  'grant pg_read_server_files to postgres',
  'grant pg_write_server_files to postgres',
  `alter role supabase_admin password 'x'`,
  `update pg_authid set rolsuper = true where rolname = 'postgres'`,
  `update pg_proc set prolang = 12 where proname = 'uid'`,
  'create event trigger evil on login execute function public.noted()',
  `call extensions.chartroom_create_extension('plpython3u', 'public', false, false)`,
  `call extensions.chartroom_create_event_trigger('evil', 'login', null, 'public.noted()'::regprocedure)`,
  'create or replace procedure extensions.chartroom_publish_all(wanted text) language sql as $x$ select 1 $x$',
  'create or replace function realtime.follow_publication() returns event_trigger language plpgsql as $x$ begin end $x$',
  'create or replace function extensions.pgrst_ddl_watch() returns event_trigger language plpgsql as $x$ begin end $x$',
]

/** Runs each of them and notes how it ended, wherever the script runs. */
const attempts = (place: string) => `
create table if not exists public.ends (place text, statement text, code text, message text);
do $attempts$ declare item text; begin
  foreach item in array array[${REACHES.map(text => `$reach$${text}$reach$`).join(', ')}] loop
    begin
      execute item;
      raise exception using errcode = 'ZZ000';
    exception when others then insert into public.ends values ('${place}', item, sqlstate, sqlerrm);
    end;
  end loop;
end $attempts$;`

/** What hosted projects allow to `postgres`, although PostgreSQL leaves some of it to superusers. */
const GRANTED = `
create extension if not exists moddatetime schema extensions;
create extension "autoinc";
comment on extension moddatetime is 'times';
comment on extension pgcrypto is 'hashes';
create extension if not exists pg_trgm with schema extensions;
create table public.seen (who text, tag text);
create function public.noted() returns event_trigger language plpgsql as $$
begin insert into public.seen values (current_user, tg_tag); end $$;
create event trigger noted on ddl_command_end when tag in ('CREATE TABLE', 'CREATE EXTENSION') execute function public.noted();
create event trigger spare on sql_drop execute procedure noted();
alter event trigger spare disable;
alter event trigger spare owner to postgres;
drop event trigger if exists spare;
do $$ begin create extension if not exists "refint" schema extensions; end $$;
create table public.tasks (id int primary key, at timestamptz);
create trigger at before update on public.tasks for each row execute function extensions.moddatetime(at);
alter role authenticator set pgrst.db_aggregates_enabled = 'true';
alter role authenticator set statement_timeout = '9s';
alter role anon set statement_timeout = '2s';
alter role postgres set search_path = public, extensions;
alter database postgres set timezone = 'UTC';
alter default privileges for role postgres in schema public grant all on tables to service_role;
create function public.greet() returns trigger language plpgsql security definer as $$ begin return new; end $$;
create trigger greet after insert on auth.users for each row execute function public.greet();
drop trigger greet on auth.users;
create index on auth.users (created_at);
alter table storage.objects enable row level security;
create policy mine on storage.objects for select to authenticated using (owner_id = auth.uid()::text);
create policy mine on realtime.messages for select to authenticated using (true);
alter publication supabase_realtime add table public.tasks;
set role service_role; reset role;
set session_replication_role = replica; set session_replication_role = origin;
create role app login; grant app to authenticator; grant anon to app;
create schema private authorization postgres;
grant usage on schema private to app;
select vault.create_secret('x', 'y');
`

function projectOf(name: string, files: Readonly<Record<string, string>>): string {
  const folder = join(root, name)
  for (const [path, text] of Object.entries(files)) {
    const file = join(folder, 'supabase', path)
    mkdirSync(join(file, '..'), { recursive: true })
    writeFileSync(file, text)
  }
  return folder
}

test('no SQL of a project reaches the machine, and what hosted projects allow works', async () => {
  const project = projectOf('strange', {
    'config.toml': 'project_id = "strange"',
    'migrations/1_granted.sql': GRANTED,
    'migrations/2_reach.sql': attempts('migration'),
    'seed.sql': attempts('seed'),
  })
  const backend = await start({ data: 'memory', project })
  await sqlOf(backend, async sql => {
    // A driver with the database URL.
    await sql.unsafe(attempts('driver'))
    // Outside of a transaction, in which these are refused for another reason.
    for (const statement of REACHES.filter(one =>
      /^(?:alter system|create tablespace|create subscription)/.test(one),
    ))
      await expect(sql.unsafe(statement)).rejects.toMatchObject({ code: '42501' })
    const ended = await sql`select place, statement, message from ends where code = 'ZZ000'`
    expect(ended).toEqual([])
    const [{ count } = {}] = await sql`select count(*)::int as count from ends`
    expect(count).toBe(3 * REACHES.length)
    expect(await sql`select rolname from pg_roles where rolsuper and rolcanlogin`).toEqual([
      { rolname: 'supabase_admin' },
    ])
    // An event trigger of a project never runs for the superuser.
    const seen = await sql<{ who: string; tag: string }[]>`select distinct who, tag from seen order by 2`
    expect(seen).toEqual([{ who: 'postgres', tag: 'CREATE TABLE' }])
    expect(
      await sql`select extname from pg_extension where extname in ('moddatetime', 'autoinc', 'refint') order by 1`,
    ).toEqual(['autoinc', 'moddatetime', 'refint'].map(extname => ({ extname })))
    const [owner] =
      await sql`select pg_get_userbyid(relowner) as owner from pg_class where oid = 'tasks'::regclass`
    expect(owner).toEqual({ owner: 'postgres' })
  })
  for (const name of ['program', 'from', 'file', 'adminpack', 'large', 'archive'])
    expect(existsSync(join(MARK, name))).toBe(false)
}, 120_000)

describe('a data directory', () => {
  const data = join(root, 'data')
  const file = join(root, 'data.tar.gz')
  const cluster = join(data, 'database')

  test('is configured by the backend alone, wherever its files come from', async () => {
    await (await start({ data: { dir: data } })).stop()
    // As the server's own user can write them.
    writeFileSync(
      join(cluster, 'postgresql.auto.conf'),
      `archive_mode = on\narchive_command = 'touch ${MARK}/archive'\n`,
    )
    writeFileSync(join(cluster, 'postgresql.conf'), `shared_preload_libraries = 'evil'\n`)
    writeFileSync(join(cluster, 'pg_hba.conf'), 'host all all 127.0.0.1/32 trust\n')
    const backend = await start({ data: { dir: data } })
    await sqlOf(backend, async sql => {
      const [row] =
        await sql`select current_setting('archive_command') as archive, current_setting('shared_preload_libraries') as preload`
      expect(row).toEqual({ archive: '(disabled)', preload: '' })
    })
    const open = postgres(String(backend.databaseUrl).replace(/:[^:@/]+@/, ':wrong@'), { max: 1 })
    await expect(open`select 1`).rejects.toThrow('password authentication failed')
    await open.end({ timeout: 1 })
    const replication = postgres(String(backend.databaseUrl), { max: 1, connection: { replication: 'true' } })
    await expect(replication`select 1`).rejects.toThrow('no pg_hba.conf entry for replication')
    await replication.end({ timeout: 1 })
  }, 120_000)

  const secret = join(root, 'secret.txt')
  writeFileSync(secret, 'only mine', { mode: 0o600 })
  const planted = join(cluster, 'base', 'planted')

  test.for([
    ['a link', () => symlinkSync(secret, planted)],
    ['a link to a folder', () => symlinkSync(root, planted)],
    ['a second name of another file', () => linkSync(secret, planted)],
  ] as const)('with %s is refused, and its target is unchanged', { timeout: 60_000 }, async ([, plant]) => {
    const before = [statSync(secret).uid, statSync(secret).mode]
    plant()
    await expect(start({ data: { dir: data } })).rejects.toThrow(`${planted} is `)
    expect([statSync(secret).uid, statSync(secret).mode]).toEqual(before)
    // Also where the folder seems to be new to the server's user.
    const { uid, gid } = statSync(cluster)
    chownSync(cluster, Number(process.getuid?.()), Number(process.getgid?.()))
    await expect(start({ data: { dir: data } })).rejects.toThrow(`${planted} is `)
    chownSync(cluster, uid, gid)
    expect([statSync(secret).uid, statSync(secret).mode]).toEqual(before)
    rmSync(planted)
  })

  test('is not exported with the target of a link', async () => {
    const print = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    for (const target of [secret, MARK]) {
      symlinkSync(target, planted)
      expect(await exportCommand([file, '--data', data])).toBe(1)
      expect(String(print.mock.lastCall)).toContain(planted)
      rmSync(planted)
    }
    print.mockRestore()
    expect(await exportCommand([file, '--data', data])).toBe(0)
  }, 60_000)

  /** The export with other files, as its author could write it. */
  async function withFiles(change: Readonly<Record<string, string>>): Promise<string> {
    const kind = { canOpen: () => true, preferred: '' }
    const files = new Map<string, Buffer>()
    const pieces = readArchive(
      (async function* () {
        yield readFileSync(file)
      })(),
      kind,
    )
    let folders: readonly string[] = []
    for (;;) {
      const { done, value } = await pieces.next()
      if (done) {
        folders = value.folders
        break
      }
      files.set(value.path, Buffer.concat([files.get(value.path) ?? Buffer.of(), value.bytes]))
    }
    for (const [path, text] of Object.entries(change)) files.set(path, Buffer.from(text))
    const { arch, platform } = process
    const major = readFileSync(join(cluster, 'PG_VERSION'), 'utf8').trim()
    const hostile = join(root, 'hostile.tar.gz')
    const list = [...files].map(([path, bytes]) => ({ path, bytes }))
    writeFileSync(
      hostile,
      await packArchive({ files: list, folders }, `postgres-${major}-${platform}-${arch}`),
    )
    return hostile
  }

  test('is imported from a server only with --trust, and without configuration', async () => {
    const hostile = await withFiles({
      'database/postgresql.auto.conf': `archive_mode = on\narchive_command = 'touch ${MARK}/archive'`,
      'database/pg_hba.conf': 'host all all all trust',
      'database/postgresql.conf': 'ssl = on',
    })
    const copy = join(root, 'copy')
    const print = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    expect(await importCommand([hostile, '--data', copy])).toBe(1)
    expect(String(print.mock.calls)).toContain('--trust')
    print.mockRestore()
    expect(existsSync(join(copy, 'database'))).toBe(false)
    expect(await importCommand([hostile, '--data', copy, '--trust'])).toBe(0)
    for (const name of ['postgresql.auto.conf', 'pg_hba.conf', 'postgresql.conf'])
      expect(existsSync(join(copy, 'database', name))).toBe(false)
    const backend = await start({ data: { dir: copy } })
    await sqlOf(backend, async sql => {
      expect(await sql`select current_setting('archive_mode') as mode`).toEqual([{ mode: 'off' }])
    })
  }, 120_000)
})
