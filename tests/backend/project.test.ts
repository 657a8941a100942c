// An existing project's folder: migrations, seeds and config are used unmodified, and mistakes are reported
// with their position.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { SignJWT } from 'jose'
import { afterAll, afterEach, expect, test } from 'vitest'
import { startBackend, type Backend, type BackendOptions } from '../../backend/index.ts'
import { officialClient } from '../harness/backend.ts'

/** A server has real extensions where PGlite has empty ones, and names itself in errors. */
const isOnServer = process.env['CHARTROOM_ENGINE'] === 'postgres'

const root = mkdtempSync(join(tmpdir(), 'chartroom-project-'))
const running: Backend[] = []
afterEach(() => Promise.all(running.splice(0).map(backend => backend.stop())))
afterAll(() => rmSync(root, { recursive: true, force: true }))

let count = 0
/** A folder with these files under `supabase/`. */
function projectOf(files: Readonly<Record<string, string>>): string {
  const dir = join(root, String((count += 1)))
  for (const [name, text] of Object.entries(files)) {
    const path = join(dir, 'supabase', name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
  return dir
}

async function start(project: string, options: Partial<BackendOptions> = {}): Promise<Backend> {
  const backend = await startBackend({ data: 'memory', port: 0, project, ...options })
  running.push(backend)
  return backend
}

const TODOS = `
create extension if not exists "uuid-ossp" with schema extensions;
create extension if not exists pg_trgm;
create extension if not exists pg_stat_statements with schema extensions;
create table public.todos (
  id uuid primary key default uuid_generate_v4(),
  task text not null,
  owner uuid references auth.users (id)
);
grant select on public.todos to anon, authenticated, service_role;
alter table public.todos enable row level security;
create policy "all read" on public.todos for select to anon, authenticated using (true);
alter publication supabase_realtime add table public.todos;
insert into storage.buckets (id, name, public) values ('photos', 'photos', true) on conflict do nothing;
select pg_catalog.set_config('search_path', '', false);
set role anon;`

const USER = `
insert into auth.users (instance_id, id, aud, role, email, encrypted_password, email_confirmed_at,
  raw_app_meta_data, raw_user_meta_data, created_at, updated_at)
values ('00000000-0000-0000-0000-000000000000', '317eadce-631a-4429-a0bb-f19a7a517b4a', 'authenticated',
  'authenticated', 'kim@example.test', crypt('password123', gen_salt('bf')), now(), '{}', '{}', now(), now());
insert into public.todos (task, owner) values ('Buy rope', '317eadce-631a-4429-a0bb-f19a7a517b4a');`

test('migrations run in order and once each; seeds run once; new migrations run at the next start', async () => {
  const project = projectOf({
    'migrations/20250101000000_todos.sql': TODOS,
    'migrations/20250102000000_done.sql':
      '\uFEFFalter table public.todos add column done boolean default false',
    'migrations/README.sql': 'this is no migration',
    'seeds/one.sql': USER,
    'config.toml': '[db.seed]\nsql_paths = ["./seeds/*.sql"]\n',
  })
  const data = { dir: join(root, 'kept') }
  const first = await start(project, { data })
  expect(first.accounts).toEqual([])
  expect(first.project).toEqual({
    migrations: [
      'supabase/migrations/20250101000000_todos.sql',
      'supabase/migrations/20250102000000_done.sql',
    ],
    seeds: ['supabase/seeds/one.sql'],
    emptyExtensions: isOnServer ? [] : ['pg_stat_statements (supabase/migrations/20250101000000_todos.sql)'],
    notHonored: [],
    functions: [],
    skippedMigrations: [],
    skipped: ['supabase/migrations/README.sql'],
  })
  const client = officialClient(first)
  expect((await client.from('todos').select('task, done')).data).toEqual([{ task: 'Buy rope', done: false }])
  const signIn = await client.auth.signInWithPassword({ email: 'kim@example.test', password: 'password123' })
  expect(signIn.data.user?.email).toBe('kim@example.test')
  expect((await officialClient(first, first.secretKey).storage.getBucket('photos')).data?.public).toBe(true)
  await first.stop()

  writeFileSync(
    join(project, 'supabase/migrations/20250103000000_more.sql'),
    'create table public.more (id int)',
  )
  const second = await start(project, { data })
  expect(second.project).toMatchObject({
    migrations: ['supabase/migrations/20250103000000_more.sql'],
    seeds: [],
  })
  expect((await officialClient(second).from('todos').select('task')).data).toEqual([{ task: 'Buy rope' }])
  await second.stop()
  await expect(startBackend({ data })).rejects.toThrow("is a project's, not the demo.")
})

test.each([
  [
    'select 1;\ncreate table a (id int);\nselect nonsense from a;',
    'supabase/migrations/1_broken.sql:3: column "nonsense" does not exist.',
  ],
  [
    'select 1;\n\ncreate extension if not exists postgis;',
    `supabase/migrations/1_broken.sql:3: extension "postgis" is not available. The ${isOnServer ? 'PostgreSQL server' : 'embedded PostgreSQL'} has no extension postgis. `,
  ],
  [
    'select 1;\r\n\\restrict abc\r\n',
    'supabase/migrations/1_broken.sql:2: syntax error at or near "\\". psql commands are not SQL. Remove the line.',
  ],
])('a broken migration stops the start with its line and is rolled back', async (sql, message) => {
  const project = projectOf({ 'migrations/1_broken.sql': sql })
  const data = { dir: join(root, `broken-${count}`) }
  await expect(start(project, { data })).rejects.toThrow(message)
  writeFileSync(join(project, 'supabase/migrations/1_broken.sql'), 'create table public.a (id int)')
  expect((await start(project, { data })).project?.migrations).toEqual(['supabase/migrations/1_broken.sql'])
})

test.each([
  ['[auth]\njwt_expiry = "soon"', 'config.toml:2: auth.jwt_expiry must be a whole number.'],
  ['[auth\n', 'config.toml:1: '],
  ['[api]\nport = 65536', 'config.toml:2: api.port must be a whole number up to 65535.'],
  [
    '[storage.buckets.photos]\nfile_size_limit = "lots"',
    'config.toml:2: storage.buckets.photos.file_size_limit must be a size like "50MiB" or "1000".',
  ],
  ['[auth.sessions]\n\ntimebox = "1 day"', 'config.toml:3: auth.sessions.timebox must be a duration like'],
  [
    '[auth.hook.send_email]\nenabled = true\nuri = "http://localhost/hook"\nsecrets = "env(NO_SUCH_THING)"',
    'config.toml:4: auth.hook.send_email.secrets refers to the environment variable NO_SUCH_THING, which is not set. Set it, or add it to supabase/.env.',
  ],
  [
    '[auth.hook.send_email]\nenabled = true\nuri = "env(NO_SUCH_THING)"',
    'config.toml:3: auth.hook.send_email.uri refers to the environment variable NO_SUCH_THING',
  ],
  [
    '[auth.passkey]\nenabled = true\n[auth.webauthn]\nrp_id = "env(NO_SUCH_THING)"',
    'config.toml:4: auth.webauthn.rp_id refers to the environment variable NO_SUCH_THING',
  ],
  ['[auth]\nsigning_keys_path = "./none.json"', 'config.toml:2: auth.signing_keys_path names '],
  ['[auth]\npassword_requirements = "hard"', 'config.toml:2: auth.password_requirements must be one of '],
])('a mistake in config.toml is located and explained: %j', async (toml, message) => {
  await expect(start(projectOf({ 'config.toml': toml }))).rejects.toThrow(message)
})

test('applies the auth and api parts of config.toml and lists the rest', async () => {
  const project = projectOf({
    '.env': 'SITE=https://app.example.test\n',
    'config.toml': `
project_id = "demo"
[api]
schemas = ["public", "personal"]
max_rows = 2
[auth]
site_url = "env(SITE)"
enable_anonymous_sign_ins = false
minimum_password_length = 12
[auth.email]
enable_confirmations = true
[auth.sms.test_otp]
4152127777 = "123456"
[auth.external.github]
enabled = true
secret = "env(GITHUB_SECRET)"
[auth.external.apple]
enabled = false
[studio]
port = 54323
[analytics]
enabled = false
[storage.buckets.maps]
public = true
file_size_limit = "50MiB"`,
    'migrations/1_rows.sql': `create schema personal; grant usage on schema personal to anon;
      create table personal.rows as select n from generate_series(1, 9) n; grant select on personal.rows to anon`,
  })
  const backend = await start(project)
  expect(backend.project?.notHonored).toEqual(['auth.external.github.secret', '[studio]'])
  const client = officialClient(backend)
  expect((await client.schema('personal').from('rows').select()).data).toEqual([{ n: 1 }, { n: 2 }])
  expect((await client.auth.signInAnonymously()).error?.code).toBe('anonymous_provider_disabled')
  const weak = await client.auth.signUp({ email: 'a@example.test', password: 'short' })
  expect(weak.error?.code).toBe('weak_password')
  const bucket = await officialClient(backend, backend.secretKey).storage.getBucket('maps')
  expect(bucket.data).toMatchObject({ public: true, file_size_limit: 52_428_800 })
})

test('a setting whose environment variable is not set counts as not set, and is listed', async () => {
  const project = projectOf({
    '.env': 'EMPTY=\nAWAY=https://away.example.test\n',
    'config.toml': `
[api]
max_rows = "env(NO_ROWS)"
[auth]
site_url = "env(NO_SITE)"
additional_redirect_urls = ["env(AWAY)", "env(NO_URL)"]
enable_signup = "env(EMPTY)"
jwt_secret = "env(NO_SECRET)"
[auth.sms.test_otp]
4152127777 = "env(NO_CODE)"
[auth.hook.send_sms]
enabled = false
secrets = "env(NO_HOOK_SECRET)"
[auth.hook.send_email]
enabled = true
uri = "pg-functions://postgres/public/send"
secrets = "env(NO_HOOK_SECRET)"
[storage]
file_size_limit = "env(NO_SIZE)"`,
  })
  const backend = await start(project)
  expect(backend.project?.notHonored.toSorted()).toEqual([
    'api.max_rows (the environment variable NO_ROWS is not set)',
    'auth.additional_redirect_urls (the environment variable NO_URL is not set)',
    'auth.enable_signup (the environment variable EMPTY is not set)',
    'auth.hook.send_email.secrets (the environment variable NO_HOOK_SECRET is not set)',
    'auth.jwt_secret (the environment variable NO_SECRET is not set)',
    'auth.site_url (the environment variable NO_SITE is not set)',
    'auth.sms.test_otp.4152127777 (the environment variable NO_CODE is not set)',
    'storage.file_size_limit (the environment variable NO_SIZE is not set)',
  ])
})

test('requests find objects of the schemas in extra_search_path, after those of the requested schema', async () => {
  const project = projectOf({
    'config.toml': '[api]\nschemas = ["api"]\nextra_search_path = ["app", "extensions", "nowhere"]\n',
    'migrations/1_m.sql': `
      create schema api; create schema app; grant usage on schema api, app to anon;
      create function app.greeting() returns text language sql as $$ select 'hello' $$;
      create function public.hidden() returns text language sql as $$ select 'hidden' $$;
      create function api.path() returns text language sql as $$ select current_setting('search_path') $$;
      create function api.greet() returns text language plpgsql as $$ begin return greeting(); end $$;
      create function api.find() returns text language plpgsql as $$ begin return hidden(); end $$;`,
  })
  const client = officialClient(await start(project)).schema('api')
  expect((await client.rpc('path')).data).toBe('"api", "app", "extensions", "nowhere"')
  expect((await client.rpc('greet')).data).toBe('hello')
  expect((await client.rpc('find')).error?.code).toBe('42883')
})

test.each([
  ['utf-16le', (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le')],
  ['utf-16be', (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le').swap16()],
  ['utf-8 with a mark', (text: string) => Buffer.from(`\uFEFF${text}`)],
] as const)('files in %s with CRLF are read', async (_, encode) => {
  const files = {
    'migrations/1_m.sql': `create table public.boats (name text);\r\n\r\ngrant select on public.boats to anon;\r\n`,
    'seed.sql': `insert into public.boats values ('Möwe'),\r\n  ('鷗');\r\n`,
    '.env': 'SITE=https://app.example.test\r\nROWS=1\r\n',
    'config.toml': '[api]\r\nmax_rows = "env(ROWS)"\r\n[auth]\r\nsite_url = "env(SITE)"\r\n',
  }
  const project = projectOf({ 'README.md': '' })
  for (const [name, text] of Object.entries(files)) {
    const path = join(project, 'supabase', name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, encode(text))
  }
  const backend = await start(project)
  expect(backend.project?.notHonored).toEqual([])
  expect((await officialClient(backend).from('boats').select()).data).toEqual([{ name: 'Möwe' }])
})

test('statements that cannot run inside a transaction run outside of it, between the others', async () => {
  const project = projectOf({
    'migrations/1_m.sql': 'create table public.boats (id int primary key, name text);',
    'migrations/2_m.sql': `-- Fast.
      create unique index concurrently if not exists boats_name on public.boats (name);`,
    'migrations/3_m.sql': `
      set search_path = public;
      create index /* why; */ concurrently boats_lower on boats (lower(name));
      insert into boats values (1, 'a;b');
      create function count_boats() returns bigint begin atomic; select case when true then count(*) end from boats; end;
      grant execute on function count_boats to service_role; grant select on boats to service_role;
      reindex index concurrently boats_lower;
      drop index concurrently if exists boats_lower;
      reindex (verbose) table concurrently boats;
      vacuum; vacuum (analyze) boats;
      create index concurrently last on boats (id)`,
    'migrations/4_m.sql': `create type public.mood as enum ('sad'); alter type public.mood add value 'glad';`,
    'seed.sql': `insert into public.boats values (2, 'b'); vacuum analyze public.boats;`,
  })
  const backend = await start(project)
  expect(backend.project?.migrations).toHaveLength(4)
  expect(backend.project?.seeds).toEqual(['supabase/seed.sql'])
  const { data } = await officialClient(backend, backend.secretKey).rpc('count_boats')
  expect(data).toBe(2)
})

test('what ran before a statement outside of a transaction is kept if a later one fails', async () => {
  const project = projectOf({
    'migrations/1_m.sql': `create table if not exists public.boats (id int);
create index concurrently if not exists boats_id on public.boats (id);

insert into public.boats values ('nonsense');`,
  })
  const data = { dir: join(root, `kept-${count}`) }
  await expect(start(project, { data })).rejects.toThrow(
    'supabase/migrations/1_m.sql:4: invalid input syntax for type integer: "nonsense". The statements before it are kept, as by the Supabase CLI.',
  )
  writeFileSync(join(project, 'supabase/migrations/1_m.sql'), 'insert into public.boats values (1)')
  expect((await start(project, { data })).project?.migrations).toEqual(['supabase/migrations/1_m.sql'])
})

test('a folder without a project is refused with a fix', async () => {
  await expect(start(join(root, 'nowhere'))).rejects.toThrow('Pass the folder that contains `supabase`.')
  const inner = join(projectOf({ 'config.toml': '' }), 'supabase')
  await expect(start(inner)).rejects.toThrow('Pass the folder above it.')
})

test('without Deno, a project has neither the functions of the demo nor its own', async () => {
  const backend = await start(projectOf({ 'functions/hello/index.ts': 'Deno.serve(() => new Response())' }), {
    deno: false,
  })
  expect(backend.project?.functions).toEqual(['hello'])
  for (const name of ['tide', 'echo', 'hello']) {
    const { response } = await officialClient(backend).functions.invoke(name)
    expect([name, response?.status]).toEqual([name, 404])
  }
})

test('a token may have a role that the project grants to authenticator', async () => {
  const backend = await start(
    projectOf({
      'migrations/1_roles.sql': `
        create role captain; grant captain to authenticator; create role stowaway;
        create table public.orders (id int); insert into public.orders values (1);
        revoke all on public.orders from anon, authenticated; grant select on public.orders to captain;
        grant usage on schema public to captain;`,
    }),
    { keys: 'cli' },
  )
  const secret = new TextEncoder().encode('super-secret-jwt-token-with-at-least-32-characters-long')
  const ask = async (role: string) => {
    const token = await new SignJWT({ role })
      .setProtectedHeader({ alg: 'HS256' })
      .setExpirationTime('1h')
      .sign(secret)
    const headers = { apikey: backend.publishableKey, authorization: `Bearer ${token}` }
    const response = await fetch(`${backend.url}/rest/v1/orders`, { headers })
    return [response.status, await response.json()] as const
  }
  expect(await ask('captain')).toEqual([200, [{ id: 1 }]])
  for (const role of ['stowaway', 'postgres', 'supabase_admin', 'nobody'])
    expect((await ask(role))[0]).toBeGreaterThan(400)
})

test('a trigger or key of the project that refuses a user is named as the official server does', async () => {
  const backend = await start(
    projectOf({
      'migrations/1_users.sql': `
        create table public.profiles (id uuid primary key references auth.users (id), name text not null);
        create function public.add_profile() returns trigger language plpgsql security definer as $$
        begin
          insert into public.profiles values (new.id, new.raw_user_meta_data ->> 'name');
          return new;
        end $$;
        create trigger add_profile after insert on auth.users for each row execute function public.add_profile();`,
    }),
  )
  const { auth } = officialClient(backend)
  const password = 'harbour-demo-1'
  const refused = await auth.signUp({ email: 'kim@example.test', password })
  expect(refused.error).toMatchObject({ status: 500, message: 'Database error saving new user' })
  const options = { data: { name: 'Kim' } }
  const made = await auth.signUp({ email: 'kim@example.test', password, options })
  expect(made.error).toBeNull()
  const { admin } = officialClient(backend, backend.secretKey).auth
  const gone = await admin.deleteUser(made.data.user?.id ?? '')
  expect(gone.error).toMatchObject({ status: 500, message: 'Database error deleting user' })
})
