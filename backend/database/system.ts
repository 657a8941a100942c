// Roles, schemas and extensions that every hosted project has, and that migrations rely on.
import { createHash } from 'node:crypto'
import { STANDARD_EXTENSIONS, type Engine } from './engine.ts'

const ROLES: Readonly<Record<string, string>> = {
  anon: 'nologin',
  authenticated: 'nologin',
  service_role: 'nologin bypassrls',
  authenticator: 'login noinherit',
  supabase_admin: 'login superuser createdb createrole replication bypassrls',
  supabase_auth_admin: 'login noinherit createrole',
  supabase_storage_admin: 'login noinherit createrole',
  supabase_realtime_admin: 'nologin noinherit',
  supabase_functions_admin: 'login noinherit createrole',
  supabase_replication_admin: 'login replication',
  supabase_read_only_user: 'login bypassrls',
  dashboard_user: 'nologin createdb createrole replication',
  pgbouncer: 'login',
}

const CREATE_ROLES = Object.entries(ROLES)
  .map(([name, options]) => `if to_regrole('${name}') is null then create role ${name} ${options}; end if;`)
  .join('\n  ')

const EXTENSIONS = STANDARD_EXTENSIONS.map(
  name => `create extension if not exists "${name}" with schema extensions;`,
).join('\n')

/** May run again on any earlier version. */
const SCRIPT = `
do $$ begin
  ${CREATE_ROLES}
end $$;
grant anon, authenticated, service_role to authenticator, supabase_storage_admin, supabase_realtime_admin;
create schema if not exists extensions;
create schema if not exists graphql;
create schema if not exists graphql_public;
create schema if not exists vault;
${EXTENSIONS}
grant usage on schema public, extensions, graphql_public to anon, authenticated, service_role;
grant all on schema extensions to dashboard_user;
alter default privileges in schema public grant all on tables to anon, authenticated, service_role;
alter default privileges in schema public grant all on sequences to anon, authenticated, service_role;
alter default privileges in schema public grant all on functions to anon, authenticated, service_role;`

const VERSION = createHash('sha256').update(SCRIPT).digest('hex').slice(0, 16)

/** Updates the system's own objects; costs one query if they are up to date. */
export async function prepareSystem({ connection: { driver }, extensions }: Engine): Promise<void> {
  const { rows } = await driver.query<{ version: string | null }>(
    `select obj_description(to_regnamespace('extensions'), 'pg_namespace') as version`,
  )
  if (rows[0]?.version === VERSION) return
  await extensions.provide(STANDARD_EXTENSIONS)
  await driver.exec(`begin; ${SCRIPT} comment on schema extensions is '${VERSION}'; commit`)
}
