// What the superuser of a started server does, so that the owner of a project's objects need not be one, as in hosted
// projects: the roles, and the statements that hosted projects allow to `postgres` in spite of that.
import { createHash } from 'node:crypto'
import pg from 'pg'
import { EngineError } from '../engine.ts'
import { quoteText } from './quote-text.ts'
import type { ServerAddress } from './driver.ts'

/** The superuser of a cluster: the user of initdb, whom no SQL of a project can become. */
export const SUPERUSER = 'supabase_admin'
export const OWNER = 'postgres'

/**
 * Extensions that hosted projects can create although PostgreSQL leaves them to superusers, without those that read
 * files, run programs or load other languages.
 */
export const ALLOWED: readonly string[] = [
  'address_standardizer',
  'address_standardizer_data_us',
  'autoinc',
  'bloom',
  'dblink',
  'earthdistance',
  'hypopg',
  'index_advisor',
  'insert_username',
  'moddatetime',
  'pg_hashids',
  'pg_jsonschema',
  'pg_prewarm',
  'pg_stat_statements',
  'pgmq',
  'pgroonga',
  'pgrouting',
  'pgrowlocks',
  'pgstattuple',
  'pgtap',
  'plpgsql_check',
  'postgis',
  'postgis_sfcgal',
  'postgis_tiger_geocoder',
  'postgis_topology',
  'postgres_fdw',
  'refint',
  'rum',
  'tcn',
  'unaccent',
  'vector',
]

/** Other predefined roles with this power would be roles of the operating system in all but name. */
const HOST_ROLES = `'pg_execute_server_program', 'pg_read_server_files', 'pg_write_server_files'`

/** Settings of PostgREST that a migration stores with `alter role authenticator set`. */
const POSTGREST_SETTINGS: readonly string[] = [
  'db_aggregates_enabled',
  'db_anon_role',
  'db_extra_search_path',
  'db_hoisted_tx_settings',
  'db_max_rows',
  'db_plan_enabled',
  'db_pre_config',
  'db_pre_request',
  'db_prepared_statements',
  'db_root_spec',
  'db_schemas',
  'db_timezone_enabled',
  'db_tx_end',
  'jwt_aud',
  'jwt_cache_max_lifetime',
  'jwt_role_claim_key',
  'jwt_secret',
  'jwt_secret_is_base64',
  'log_level',
  'log_query',
  'openapi_mode',
  'openapi_security_active',
  'openapi_server_proxy_uri',
  'server_cors_allowed_origins',
  'server_timing_enabled',
  'server_trace_header',
]

/** Other settings of a superuser that hosted projects allow to the owner. */
const SETTABLE: readonly string[] = [
  'deadlock_timeout',
  'log_lock_waits',
  'log_min_duration_statement',
  'log_min_messages',
  'log_parameter_max_length',
  'log_statement',
  'log_temp_files',
  'session_replication_role',
  'track_io_timing',
  'wal_compression',
  ...POSTGREST_SETTINGS.map(name => `pgrst.${name}`),
]

/**
 * Runs once in a new cluster, one statement a line, as PostgreSQL's single-user mode reads it. Before version 16, who
 * may create roles may also grant any role that is no superuser.
 */
export const OWNER_SCRIPT = [
  `create role ${OWNER} login createdb createrole replication bypassrls`,
  `alter database postgres owner to ${OWNER}`,
  `grant pg_monitor, pg_read_all_data, pg_signal_backend to ${OWNER} with admin option`,
  `grant set on parameter ${SETTABLE.map(name => `"${name}"`).join(', ')} to ${OWNER}`,
  `update pg_catalog.pg_extension set extowner = '${OWNER}'::regrole where extname = 'plpgsql'`,
  `update pg_catalog.pg_authid set rolsuper = true where rolname in (${HOST_ROLES}) and current_setting('server_version_num')::int < 160000`,
].join('\n')

/** A cached cluster is of one version of it. */
export const OWNER_VERSION = createHash('sha256').update(OWNER_SCRIPT).digest('hex').slice(0, 8)

const ownFunction = (signature: string, name: string, body: string) => `
drop procedure if exists extensions.${name} cascade;
create procedure extensions.${signature} language plpgsql security definer
set search_path = pg_catalog set session_replication_role = replica set chartroom.is_superuser = 'yes' as $$
${body} $$;
revoke all on procedure extensions.${name} from public;
grant execute on procedure extensions.${name} to ${OWNER};`

/** Its own roles are the owner's to grant and to change. */
const GRANT_ROLES = `
do $$ declare name text; begin
  for name in select rolname from pg_roles where not rolsuper and rolname !~ '^pg_' and rolname <> '${OWNER}' loop
    execute format('grant %I to ${OWNER} with admin option', name);
  end loop;
end $$;`

/**
 * The procedures run as the superuser without any code of the project: no event trigger of the project fires. Those
 * that a migration creates run for other users only, since they can neither be of `login` nor always fire.
 */
export const OWNER_PRIVILEGES = `${GRANT_ROLES}${ownFunction(
  'chartroom_create_extension(wanted text, place text, fixed boolean, cascades boolean)',
  'chartroom_create_extension',
  `declare wrapper name;
begin
  if wanted <> all ('{${ALLOWED.join(',')}}') then
    raise insufficient_privilege using message = format('permission denied to create extension "%s"', wanted);
  end if;
  if place is null and not exists (select from pg_available_extension_versions v where v.name = wanted and v.schema is not null) then
    raise invalid_schema_name using message = 'no schema has been selected to create in';
  end if;
  execute format('create extension if not exists %I', wanted)
    || case when fixed or not exists (select from pg_available_extension_versions v where v.name = wanted and v.schema is not null)
      then format(' with schema %I', place) else '' end
    || case when cascades then ' cascade' else '' end;
  update pg_extension set extowner = '${OWNER}'::regrole where extname = wanted;
  for wrapper in select w.fdwname from pg_foreign_data_wrapper w join pg_depend d on d.objid = w.oid and d.deptype = 'e'
    and d.classid = 'pg_foreign_data_wrapper'::regclass join pg_extension e on e.oid = d.refobjid where e.extname = wanted loop
    execute format('grant usage on foreign data wrapper %I to ${OWNER} with grant option', wrapper);
  end loop;
  notify pgrst, 'reload schema';
end`,
)}${ownFunction(
  'chartroom_create_event_trigger(wanted text, event text, tags text[], called regprocedure)',
  'chartroom_create_event_trigger',
  `begin
  if event <> all ('{ddl_command_start,ddl_command_end,sql_drop,table_rewrite}') then
    raise insufficient_privilege using message = format('permission denied to create event trigger on "%s"', event);
  end if;
  execute format('create event trigger %I on %s %s execute function %s()', wanted, event,
    (select 'when tag in (' || string_agg(quote_literal(tag), ', ') || ')' from unnest(tags) tag),
    (select format('%I.%I', nspname, proname) from pg_proc p join pg_namespace n on n.oid = pronamespace where p.oid = called));
end`,
)}${ownFunction(
  'chartroom_alter_event_trigger(wanted text, enabled boolean)',
  'chartroom_alter_event_trigger',
  `begin
  execute format('alter event trigger %I %s', wanted, case when enabled then 'enable' else 'disable' end);
end`,
)}${ownFunction(
  'chartroom_drop_event_trigger(wanted text, missing_ok boolean)',
  'chartroom_drop_event_trigger',
  `begin
  execute format('drop event trigger %s %I', case when missing_ok then 'if exists' else '' end, wanted);
end`,
)}${ownFunction(
  'chartroom_create_wrapper(wanted text, handler text, validator text)',
  'chartroom_create_wrapper',
  `begin
  if handler is not null and to_regproc(handler) is null and handler ~ '^[a-z_]\\w*\\.[a-z_]\\w*_fdw_handler$' then
    execute format('create function %s() returns fdw_handler language internal strict as %L', handler, 'fdw_handler_in');
  end if;
  execute format('create foreign data wrapper %I', wanted) || coalesce(' handler ' || handler::regproc, '')
    || coalesce(' validator ' || validator::regproc, '');
  update pg_foreign_data_wrapper set fdwowner = '${OWNER}'::regrole where fdwname = wanted;
end`,
)}${ownFunction(
  'chartroom_publish_all(wanted text)',
  'chartroom_publish_all',
  `begin
  execute format('create publication %I for all tables', wanted);
  update pg_publication set pubowner = '${OWNER}'::regrole where pubname = wanted;
end`,
)}`

const NAME = String.raw`(?:"((?:[^"]|"")+)"|([a-z_][\w$]*))`
const EXTENSION = new RegExp(
  String.raw`\bcreate\s+extension\s+(?:if\s+not\s+exists\s+)?${NAME}([^;']*)`,
  'gi',
)
const EVENT_TRIGGER = new RegExp(
  String.raw`\bcreate\s+event\s+trigger\s+${NAME}\s+on\s+(\w+)([^;$]{0,1000}?)\bexecute\s+(?:function|procedure)\s+([\w."$]+)\s*\(\s*\)`,
  'gi',
)
const ALTERED = new RegExp(
  String.raw`\balter\s+event\s+trigger\s+${NAME}\s+(enable|disable)(?:\s+(?:always|replica))?`,
  'gi',
)
const OWNER_CHANGE = new RegExp(
  String.raw`\balter\s+event\s+trigger\s+${NAME}\s+owner\s+to\s+"?postgres"?\s*;`,
  'gi',
)
const DROPPED = new RegExp(
  String.raw`\bdrop\s+event\s+trigger\s+(if\s+exists\s+)?${NAME}(?:\s+(?:cascade|restrict))?`,
  'gi',
)
const PUBLISHED = new RegExp(
  String.raw`\bcreate\s+publication\s+${NAME}\s+for\s+all\s+tables(?!\s+with)`,
  'gi',
)

const FUNCTION = String.raw`((?:"[^"]+"|[a-z_][\w$]*)(?:\.(?:"[^"]+"|[a-z_][\w$]*))?)`
const WRAPPER = new RegExp(
  String.raw`\bcreate\s+foreign\s+data\s+wrapper\s+${NAME}(?:\s+handler\s+${FUNCTION})?(?:\s+validator\s+${FUNCTION})?(?=\s*;)`,
  'gi',
)

const nameOf = (quoted: string | undefined, plain: string | undefined) =>
  quoted?.replaceAll('""', '"') ?? plain?.toLowerCase() ?? ''

/** The same lines, so that errors have the same place. */
const sameLines = (before: string, after: string) => `${after}${before.replaceAll(/[^\n]/g, '')}`

/**
 * A script in which the statements of a superuser that hosted projects allow are calls of these procedures, also in
 * blocks of PL/pgSQL.
 * @param untrusted available extensions that PostgreSQL leaves to superusers
 */
export function throughProcedures(sql: string, untrusted: readonly string[]): string {
  return sql
    .replaceAll(
      EXTENSION,
      (match: string, quoted: string | undefined, plain: string | undefined, rest: string) => {
        const name = nameOf(quoted, plain)
        if (!untrusted.includes(name) || !ALLOWED.includes(name)) return match
        const [, quotedSchema, plainSchema] = new RegExp(String.raw`\bschema\s+${NAME}`, 'i').exec(rest) ?? []
        const schema = nameOf(quotedSchema, plainSchema)
        const place = schema === '' ? 'current_schema()::text' : quoteText(schema)
        const cascades = /\bcascade\b/i.test(rest)
        const call = `call extensions.chartroom_create_extension(${quoteText(name)}, ${place}, ${schema !== ''}, ${cascades})`
        return sameLines(match, call)
      },
    )
    .replaceAll(
      EVENT_TRIGGER,
      (
        match: string,
        quoted: string | undefined,
        plain: string | undefined,
        event: string,
        filter: string,
        called: string,
      ) => {
        const tags = [...filter.matchAll(/'([^']*)'/g)].map(([, tag = '']) => quoteText(tag))
        const list = tags.length === 0 ? 'null' : `array[${tags.join(', ')}]`
        const name = quoteText(nameOf(quoted, plain))
        const call = `call extensions.chartroom_create_event_trigger(${name}, ${quoteText(event.toLowerCase())}, ${list}, ${quoteText(`${called}()`)}::regprocedure)`
        return sameLines(match, call)
      },
    )
    .replaceAll(
      ALTERED,
      (match: string, quoted: string | undefined, plain: string | undefined, change: string) =>
        sameLines(
          match,
          `call extensions.chartroom_alter_event_trigger(${quoteText(nameOf(quoted, plain))}, ${change.toLowerCase() === 'enable'})`,
        ),
    )
    .replaceAll(OWNER_CHANGE, match => sameLines(match, ''))
    .replaceAll(DROPPED, (match: string, missingOk?: string, quoted?: string, plain?: string) =>
      sameLines(
        match,
        `call extensions.chartroom_drop_event_trigger(${quoteText(nameOf(quoted, plain))}, ${missingOk !== undefined})`,
      ),
    )
    .replaceAll(
      WRAPPER,
      (match: string, quoted?: string, plain?: string, handler?: string, validator?: string) => {
        const functions = [handler, validator].map(name => (name === undefined ? 'null' : quoteText(name)))
        const call = `call extensions.chartroom_create_wrapper(${quoteText(nameOf(quoted, plain))}, ${functions.join(', ')})`
        return sameLines(match, call)
      },
    )
    .replaceAll(PUBLISHED, (match: string, quoted?: string, plain?: string) =>
      sameLines(match, `call extensions.chartroom_publish_all(${quoteText(nameOf(quoted, plain))})`),
    )
}

/** A session of the superuser in which no code of the project runs. */
const OPTIONS =
  '-c search_path=pg_catalog -c session_replication_role=replica -c chartroom.is_superuser=yes -c role=none'

/** Runs a script as the superuser, whose names are all qualified. */
export async function runAsSuperuser({ config }: ServerAddress, sql: string): Promise<void> {
  const client = new pg.Client({
    ...config,
    user: SUPERUSER,
    application_name: 'chartroom',
    options: OPTIONS,
  })
  client.on('error', () => undefined)
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}

/**
 * Gives the owner its password, for drivers.
 * @throws EngineError if the owner is a superuser
 */
export async function readyOwner(address: ServerAddress, password: string | undefined): Promise<void> {
  const client = new pg.Client({ ...address.config, user: SUPERUSER, options: OPTIONS })
  client.on('error', () => undefined)
  await client.connect()
  try {
    const { rows } = await client.query<{ user: string }>(
      `select rolname as user from pg_roles where rolsuper and rolcanlogin and rolname <> $1`,
      [SUPERUSER],
    )
    const [row] = rows
    if (row)
      throw new EngineError(
        `The database in ${address.name} has the superuser ${row.user}, with which SQL of a project could run programs. ` +
          'Choose another data directory, or reset it.',
      )
    if (password !== undefined)
      await client.query(`alter role ${OWNER} password ${client.escapeLiteral(password)}`)
  } finally {
    await client.end()
  }
}
