// The backend's own extensions on a server, whose folder of extensions the backend does not change: procedures run their
// scripts and enter their names, so that they can be dropped and queried like others.
import { replaceExtensions, type ExtensionStatement } from '../extensions.ts'
import { OWN_EXTENSIONS } from '../service-extensions/index.ts'
import { quoteText } from './quote-text.ts'
import { ALLOWED } from './superuser.ts'

/** Their scripts run at the start. */
const RUN_AT_START: readonly string[] = ['pg_cron', 'pg_net', 'supabase_vault']

const NAMES = Object.keys(OWN_EXTENSIONS)
const SCRIPTS = Object.entries(OWN_EXTENSIONS).filter(
  ([name, { script }]) => script !== '' && !RUN_AT_START.includes(name),
)
const REQUIRED = Object.entries(OWN_EXTENSIONS).flatMap(([name, { requires }]) =>
  requires === undefined ? [] : [`when '${name}' then '${requires}'`],
)

const HOMES = Object.entries(OWN_EXTENSIONS).flatMap(([name, { home }]) =>
  home === undefined ? [] : [`when '${name}' then '${home}'`],
)

/** Everything that an extension can contain here. */
const OBJECTS = `
  select 'pg_catalog.pg_namespace'::regclass::oid as class, oid, nspowner as owner from pg_catalog.pg_namespace
  union all select 'pg_catalog.pg_class'::regclass, oid, relowner from pg_catalog.pg_class where relkind in ('r', 'v')
  union all select 'pg_catalog.pg_type'::regclass, t.oid, typowner from pg_catalog.pg_type t left join pg_catalog.pg_class c on c.oid = typrelid
    where typtype in ('d', 'e') or c.relkind = 'c'
  union all select 'pg_catalog.pg_proc'::regclass, oid, proowner from pg_catalog.pg_proc`

const REFUSE_OTHERS = `
  if wanted <> all ('{${NAMES.join(',')}}') then
    raise insufficient_privilege using message = format('permission denied to name extension "%s"', wanted);
  end if;`

/**
 * Procedures of a superuser that change only `pg_extension` and what belongs to it, and one that runs with the rights of
 * its caller.
 * @param owner the role that may call them, unless it is a superuser
 */
export function ownExtensionProcedures(owner: string | undefined): string {
  const privileged = (name: string, parameters: string, body: string) => `
drop procedure if exists extensions.${name} cascade;
create procedure extensions.${name}(${parameters}) language plpgsql security definer
set search_path = pg_catalog set session_replication_role = replica set chartroom.is_superuser = 'yes' as $privileged$
${body} $privileged$;
revoke all on procedure extensions.${name} from public;
${owner === undefined ? '' : `grant execute on procedure extensions.${name} to ${owner};`}`
  return `${privileged(
    'chartroom_enter_extension',
    'wanted text, place text, its_version text, before oid[], its_owner oid',
    `declare
  extension oid := pg_nextoid('pg_extension', 'oid', 'pg_extension_oid_index');
  schema oid := (select oid from pg_namespace where nspname = place);
begin${REFUSE_OTHERS}
  ${owner === undefined ? '' : `its_owner := '${owner}'::regrole;`}
  insert into pg_extension (oid, extname, extowner, extnamespace, extrelocatable, extversion)
  values (extension, wanted, its_owner, schema, true, its_version);
  insert into pg_depend (classid, objid, objsubid, refclassid, refobjid, refobjsubid, deptype)
  values ('pg_extension'::regclass, extension, 0, 'pg_namespace'::regclass, schema, 0, 'n');
  insert into pg_depend (classid, objid, objsubid, refclassid, refobjid, refobjsubid, deptype)
  select class, oid, 0, 'pg_extension'::regclass, extension, 0, 'e' from (${OBJECTS}) as objects
  where owner = its_owner and oid <> all (before);
end`,
  )}${privileged(
    'chartroom_update_extension',
    'wanted text, its_version text',
    `begin${REFUSE_OTHERS}
  update pg_extension set extversion = its_version where extname = wanted;
  if not found then
    raise undefined_object using message = format('extension "%s" does not exist', wanted);
  end if;
end`,
  )}${privileged(
    'chartroom_move_extension',
    'wanted text, place text',
    `begin
  if not exists (select from pg_extension where extname = wanted and ${owner === undefined ? 'true' : `extowner = '${owner}'::regrole`}) then
    raise undefined_object using message = format('extension "%s" does not exist', wanted);
  end if;
  execute format('alter extension %I set schema %I', wanted, place);
end`,
  )}
drop procedure if exists extensions.chartroom_create_own cascade;
create procedure extensions.chartroom_create_own(wanted text, place text, its_version text, if_missing boolean, cascades boolean)
language plpgsql as $own$
declare
  path text := current_setting('search_path');
  before oid[];
  required text := case wanted ${REQUIRED.join(' ')} end;
  home text := case wanted ${HOMES.join(' ')} end;
begin
  if exists (select from pg_catalog.pg_extension where extname = wanted) then
    if if_missing then return; end if;
    raise duplicate_object using message = format('extension "%s" already exists', wanted);
  end if;
  if home is not null then
    place := home;
    if to_regnamespace(quote_ident(home)) is null then execute format('create schema %I', home); end if;
  end if;
  if place is null or place = '' then
    raise invalid_schema_name using message = 'no schema has been selected to create in';
  elsif not exists (select from pg_catalog.pg_namespace where nspname = place) then
    raise invalid_schema_name using message = format('schema "%s" does not exist', place);
  elsif required is not null and not exists (select from pg_catalog.pg_extension where extname = required) then
    if not cascades then
      raise undefined_object using message = format('required extension "%s" is not installed', required),
        hint = 'Use CREATE EXTENSION ... CASCADE to install required extensions too.';
    end if;
    call extensions.chartroom_create_own(required, place, '1.0', true, true);
  end if;
  before := array(select oid from (${OBJECTS}) as objects);
  perform set_config('search_path', format('%I, extensions', place), true);
  case wanted${SCRIPTS.map(
    ([name, { script }]) => `
    when '${name}' then
      execute replace(replace($script$${script}$script$, '@extschema@', quote_ident(place)), '@extschema:pgcrypto@', 'extensions');`,
  ).join('')}
    else null;
  end case;
  perform set_config('search_path', path, true);
  call extensions.chartroom_enter_extension(wanted, place, its_version, before, quote_ident(current_user)::regrole);
end $own$;
revoke all on procedure extensions.chartroom_create_own from public;
${owner === undefined ? '' : `grant execute on procedure extensions.chartroom_create_own to ${owner};`}`
}

/** A script in which statements on the backend's own extensions are calls of these procedures. */
export function withOwnExtensions(sql: string, isOwn: (name: string) => boolean): string {
  return replaceExtensions(sql, ({ kind, name, version, ifNotExists, rest }: ExtensionStatement) => {
    const [, quotedSchema, plainSchema] = /\bschema\s+(?:"([^"]+)"|([a-z_][\w$]*))/i.exec(rest) ?? []
    const schema = quotedSchema ?? plainSchema?.toLowerCase()
    // In hosted projects, too, the objects of an extension are the superuser's.
    if (kind === 'alter' && schema !== undefined)
      return `call extensions.chartroom_move_extension(${quoteText(name)}, ${quoteText(schema)})`
    const extension = OWN_EXTENSIONS[name]
    if (extension === undefined || !isOwn(name) || kind === 'alter') return undefined
    const inVersion = quoteText(version ?? extension.version)
    if (kind === 'update')
      return `call extensions.chartroom_update_extension(${quoteText(name)}, ${inVersion})`
    const place = schema === undefined ? 'current_schema()::text' : quoteText(schema)
    const cascades = /\bcascade\b/i.test(rest)
    return `call extensions.chartroom_create_own(${quoteText(name)}, ${place}, ${inVersion}, ${ifNotExists}, ${cascades})`
  })
}

/** Enters the names that a hosted project has from the start; those that could be created have been. */
export function enterFromStart(schemas: Readonly<Record<string, string>>): string {
  const calls = Object.entries(schemas).map(([name, schema]) => {
    const version = OWN_EXTENSIONS[name]?.version
    const statement = `call extensions.chartroom_create_own('${name}', '${schema}', '${version}', true, false);`
    const real = ALLOWED.includes(name)
      ? `if exists (select from pg_available_extensions where name = '${name}') then
      call extensions.chartroom_create_extension('${name}', '${schema}', true, false);
    else
      ${statement}
    end if;`
      : statement
    return `
  if not exists (select from pg_extension where extname = '${name}') then
    ${real}
  end if;`
  })
  return `do $enter$ begin${calls.join('')} end $enter$;`
}
