// A database with accounts of an older version: users sign in as before, old sessions have ended.
import { PGlite } from '@electric-sql/pglite'
import { afterAll, expect, test } from 'vitest'
import { prepareAuth } from '../../../backend/database/auth-schema/prepare.ts'

/** The parts of the older tables that differ from ours. */
const OLDER = `
create role service_role;
create schema auth;
create table auth.users (
  id uuid primary key, aud varchar default 'authenticated', role varchar default 'authenticated', email varchar,
  encrypted_password varchar, email_confirmed_at timestamptz, phone_confirmed_at timestamptz, confirmed_at timestamptz,
  raw_app_meta_data jsonb default '{}', created_at timestamptz default now(), is_sso_user boolean default false
);
create table auth.identities (
  id uuid primary key, provider text, provider_id text, user_id uuid references auth.users on delete cascade,
  identity_data jsonb default '{}', email varchar
);
create table auth.sessions (id uuid primary key, user_id uuid references auth.users on delete cascade);
create table auth.refresh_tokens (id text primary key, token varchar, session_id uuid references auth.sessions);
create table auth.flow_state (id uuid primary key, auth_code text);
create table auth.audit_log_entries (id uuid primary key, payload json);
create table public.logs (author uuid references auth.users);
insert into auth.users (id, email, encrypted_password, email_confirmed_at, confirmed_at)
  values ('00000000-0000-4000-8000-000000000001', 'skipper@harbour.test', 'hash', '2026-01-01Z', '2026-01-02Z');
insert into auth.identities values ('00000000-0000-4000-8000-000000000002', 'email', 'x',
  '00000000-0000-4000-8000-000000000001', '{"email": "Skipper@Harbour.test"}', 'stale');
insert into auth.sessions values ('00000000-0000-4000-8000-000000000003', '00000000-0000-4000-8000-000000000001');
insert into public.logs values ('00000000-0000-4000-8000-000000000001');
`

const driver = await PGlite.create()
afterAll(() => driver.close())
const rows = async (sql: string) => (await driver.query(sql)).rows
const COLUMNS = `select table_name, string_agg(column_name, ' ' order by column_name) as columns
  from information_schema.columns where table_schema = 'auth' group by 1 order by 1`

test('accounts are kept, sessions end, and the tables match a new database', async () => {
  await driver.exec(OLDER)
  await prepareAuth(driver)
  expect(
    await rows(`select u.email, encrypted_password, confirmed_at = email_confirmed_at as confirmed, i.email as identity,
      (select count(*)::int from auth.sessions) as sessions, (select count(*)::int from public.logs) as logs
      from auth.users u join auth.identities i on i.user_id = u.id`),
  ).toEqual([
    {
      email: 'skipper@harbour.test',
      encrypted_password: 'hash',
      confirmed: true,
      identity: 'skipper@harbour.test',
      sessions: 0,
      logs: 1,
    },
  ])
  const upgraded = await rows(COLUMNS)
  await prepareAuth(driver)
  expect(await rows(COLUMNS)).toEqual(upgraded)
  await driver.exec('drop schema auth cascade')
  await prepareAuth(driver)
  const without = (tables: unknown[]) =>
    tables.filter(table => !/users|identities/.test(JSON.stringify(table)))
  expect(without(upgraded)).toEqual(without(await rows(COLUMNS)))
})

test('a database of an earlier version gets the tables that it lacks, and keeps its rows', async () => {
  await driver.exec('drop schema auth cascade')
  await prepareAuth(driver)
  const whole = await rows(COLUMNS)
  await driver.exec(`drop table auth.webauthn_credentials, auth.webauthn_challenges, auth.oauth_clients;
    drop type auth.oauth_client_type, auth.oauth_registration_type;
    insert into auth.users (id, email) values ('00000000-0000-4000-8000-000000000009', 'mate@harbour.test')`)
  await prepareAuth(driver)
  expect(await rows(COLUMNS)).toEqual(whole)
  expect(await rows('select email from auth.users')).toEqual([{ email: 'mate@harbour.test' }])
})
