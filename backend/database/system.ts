// Roles, schemas and extensions that every hosted project has, and that migrations rely on.
import { createHash } from 'node:crypto'
import { STANDARD_EXTENSIONS, type Engine } from './engine.ts'
import { CRON_SYNTAX, OWN_EXTENSIONS, SERVICES, WEBHOOKS_SCRIPT } from './service-extensions/index.ts'

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

/** How long a statement of the API may take; only a server can end one. */
const LIMITS: Readonly<Record<string, readonly string[]>> = {
  anon: [`statement_timeout = '3s'`],
  authenticated: [`statement_timeout = '8s'`],
  authenticator: [`statement_timeout = '8s'`, `lock_timeout = '8s'`],
}

const CREATE_ROLES = Object.entries(ROLES)
  .map(([name, options]) => {
    const limits = (LIMITS[name] ?? []).map(limit => ` alter role ${name} set ${limit};`).join('')
    return `if to_regrole('${name}') is null then create role ${name} ${options};${limits} end if;`
  })
  .join('\n  ')

const EXTENSIONS = STANDARD_EXTENSIONS.map(
  name => `create extension if not exists "${name}" with schema extensions;`,
).join('\n')

/** Whether the engine has an extension that this user may create. */
const canCreate = (name: string) => `exists (
      select from pg_available_extension_versions v join pg_roles r on r.rolname = current_user
      where v.name = '${name}' and (rolsuper or trusted or not superuser)
    )`

/** Runs the script of an extension, if the engine cannot create the extension. */
const create = (name: string, schema: string) => `
    drop extension if exists ${name};
    if ${canCreate(name)} then
      create extension ${name} with schema ${schema};
    else
      execute $script$${OWN_EXTENSIONS[name]?.script}$script$;
    end if;`

/**
 * Those that a hosted project or the local stack has from the start; earlier versions created them empty. A
 * schema of the project with the name of the extension's is left alone.
 */
const PREPARE_SERVICES = `
do $prepare$ begin
  if to_regclass('vault.secrets') is null then${create('supabase_vault', 'vault')}
  end if;
  if to_regnamespace('net') is null then${create('pg_net', 'extensions')}
  end if;
  if to_regnamespace('cron') is null and (
    exists (select from pg_extension where extname = 'pg_cron')
    or not exists (select from pg_available_extensions where name = 'pg_cron')
  ) then${create('pg_cron', 'pg_catalog')}
  end if;
  if to_regprocedure('cron._is_schedule(text)') is not null then
    execute $syntax$${CRON_SYNTAX}$syntax$;
  end if;
  if to_regnamespace('supabase_functions') is null and to_regclass('net.http_request_queue') is not null then
    execute $webhooks$${WEBHOOKS_SCRIPT}$webhooks$;
  end if;
end $prepare$;`

const NAMED_FROM_START: Readonly<Record<string, string>> = {
  pg_graphql: 'graphql',
  pg_stat_statements: 'extensions',
}

/** Only for a new database: a project may have dropped them. */
const CREATE_NAMED = `
do $named$ begin${Object.entries(NAMED_FROM_START)
  .map(
    ([name, schema]) => `
  if ${canCreate(name)} then
    create extension if not exists ${name} with schema ${schema};
  end if;`,
  )
  .join('')}
end $named$;`

/** What only a superuser may; may run again on any earlier version. */
const ROLES_SCRIPT = `
do $$ begin
  ${CREATE_ROLES}
end $$;
grant anon, authenticated, service_role to authenticator, supabase_storage_admin, supabase_realtime_admin;`

/** May run again on any earlier version. */
const SCRIPT = `
create schema if not exists extensions;
create schema if not exists graphql;
create schema if not exists graphql_public;
create schema if not exists vault;
${EXTENSIONS}
${PREPARE_SERVICES}
grant usage on schema public, extensions, graphql_public to anon, authenticated, service_role;
grant all on schema extensions to dashboard_user;`

const API_ROLES = 'anon, authenticated, service_role'

/** What roles of the API may do with new objects in `public`, as projects had it until 2026. */
const EXPOSE_NEW = ['tables', 'sequences', 'functions']
  .map(kind => `alter default privileges in schema public grant all on ${kind} to ${API_ROLES};`)
  .join('\n')

/** As in production since then: the rest, such as TRUNCATE, is kept there, too. */
const KEEP_NEW_CLOSED = `${EXPOSE_NEW}
alter default privileges in schema public revoke select, insert, update, delete on tables from ${API_ROLES};
alter default privileges in schema public revoke usage, select on sequences from ${API_ROLES};
alter default privileges in schema public revoke execute on functions from ${API_ROLES};`

const hashOf = (script: string) => createHash('sha256').update(script).digest('hex').slice(0, 16)
const VERSION = hashOf(ROLES_SCRIPT + SCRIPT + CREATE_NAMED)

/**
 * Updates the system's own objects; costs one query if they are up to date.
 * @param exposesNew whether the API's roles have access to tables, sequences and functions that are created in
 * `public` from now on; undefined changes nothing
 */
export async function prepareSystem(
  { driver, extensions, admin, ownerPrivileges, enterFromStart }: Engine,
  exposesNew: boolean | undefined,
): Promise<void> {
  const privileges = exposesNew === undefined ? '' : exposesNew ? EXPOSE_NEW : KEEP_NEW_CLOSED
  const system = `${VERSION} ${hashOf(ownerPrivileges)}`
  const version = `${system} ${hashOf(privileges)}`
  const { rows } = await driver.query<{ version: string | null }>(
    `select obj_description(to_regnamespace('extensions'), 'pg_namespace') as version`,
  )
  const before = rows[0]?.version
  if (before === version) return
  const isCurrent = before?.startsWith(system) ?? false
  if (!isCurrent) {
    await extensions.provide([...STANDARD_EXTENSIONS, ...SERVICES, ...Object.keys(NAMED_FROM_START)])
    await admin(ROLES_SCRIPT)
  }
  if (!isCurrent) {
    await driver.exec(`begin; ${SCRIPT}${before ? '' : CREATE_NAMED} commit`)
    if (ownerPrivileges !== '') await admin(ownerPrivileges)
    const names = { supabase_vault: 'vault', pg_net: 'extensions', ...NAMED_FROM_START }
    if (!before && enterFromStart) await driver.exec(enterFromStart(names))
  }
  await driver.exec(`begin; ${privileges} comment on schema extensions is '${version}'; commit`)
}
