// Extensions whose name exists, so that migrations that create them run. The functions that projects call exist as well,
// so that functions, triggers and grants that mention them do, and explain that they cannot work.

/**
 * @param signature with the names of its parameters, which calls may use
 * @param returns a type, `table (…)` or `trigger`
 */
const refusing = (
  extension: string,
  signature: string,
  returns: string,
  hint = `A PostgreSQL server that has ${extension} can be the engine: --engine postgres, or the URL of one.`,
) => `
create function ${signature} returns ${returns} language plpgsql volatile as $refusing$
begin
  raise feature_not_supported using
    message = '${signature.slice(0, signature.indexOf('('))} does not work: the embedded backend has ${extension} in name only',
    hint = '${hint}';
end $refusing$;`

const refuseAll = (
  extension: string,
  functions: readonly (readonly [signature: string, returns: string])[],
) => functions.map(([signature, returns]) => refusing(extension, signature, returns)).join('')

/** Creates the schema unless the project has. */
const schema = (name: string) => `
do $$ begin
  if to_regnamespace('${name}') is null then create schema ${name}; end if;
end $$;`

export const GRAPHQL_SCRIPT = `${schema('graphql')}
grant usage on schema graphql to anon, authenticated, service_role;
create function graphql.rebuild_schema() returns void language sql as $$ select $$;
create function graphql.comment_directive(comment_ text) returns jsonb language sql immutable as $$
  select coalesce((regexp_match(comment_, '@graphql\\((.+)\\)'))[1]::jsonb, '{}')
$$;${refusing(
  'pg_graphql',
  'graphql.resolve(query text, variables jsonb default null, "operationName" text default null, extensions jsonb default null)',
  'jsonb',
)}`

/** No statements are counted, so that there are no rows. */
export const STAT_STATEMENTS_SCRIPT = `
create function pg_stat_statements(
  showtext boolean, out userid oid, out dbid oid, out toplevel bool, out queryid bigint, out query text, out plans int8,
  out total_plan_time float8, out min_plan_time float8, out max_plan_time float8, out mean_plan_time float8,
  out stddev_plan_time float8, out calls int8, out total_exec_time float8, out min_exec_time float8,
  out max_exec_time float8, out mean_exec_time float8, out stddev_exec_time float8, out rows int8,
  out shared_blks_hit int8, out shared_blks_read int8, out shared_blks_dirtied int8, out shared_blks_written int8,
  out local_blks_hit int8, out local_blks_read int8, out local_blks_dirtied int8, out local_blks_written int8,
  out temp_blks_read int8, out temp_blks_written int8, out shared_blk_read_time float8, out shared_blk_write_time float8,
  out local_blk_read_time float8, out local_blk_write_time float8, out temp_blk_read_time float8,
  out temp_blk_write_time float8, out wal_records int8, out wal_fpi int8, out wal_bytes numeric, out jit_functions int8,
  out jit_generation_time float8, out jit_inlining_count int8, out jit_inlining_time float8,
  out jit_optimization_count int8, out jit_optimization_time float8, out jit_emission_count int8,
  out jit_emission_time float8, out jit_deform_count int8, out jit_deform_time float8, out stats_since timestamptz,
  out minmax_stats_since timestamptz
) returns setof record language plpgsql volatile strict as $$ begin return; end $$;
create function pg_stat_statements_info(out dealloc bigint, out stats_reset timestamptz) returns record language sql as $$
  select 0::bigint, null::timestamptz
$$;
create function pg_stat_statements_reset(
  userid oid default 0, dbid oid default 0, queryid bigint default 0, minmax_only boolean default false
) returns timestamptz language sql as $$ select now() $$;
create view pg_stat_statements as select * from pg_stat_statements(true);
create view pg_stat_statements_info as select * from pg_stat_statements_info();
grant select on pg_stat_statements, pg_stat_statements_info to public;`

export const HYPOPG_SCRIPT = refuseAll('hypopg', [
  ['hypopg()', 'table (indexname text, indexrelid oid, indrelid oid, innatts integer, amid oid)'],
  ['hypopg_create_index(sql_order text)', 'table (indexrelid oid, indexname text)'],
  ['hypopg_drop_index(indexid oid)', 'boolean'],
  ['hypopg_relation_size(indexid oid)', 'bigint'],
  ['hypopg_get_indexdef(indexid oid)', 'text'],
  ['hypopg_reset()', 'void'],
])

export const INDEX_ADVISOR_SCRIPT = refuseAll('index_advisor', [
  [
    'index_advisor(query text)',
    'table (startup_cost_before jsonb, startup_cost_after jsonb, total_cost_before jsonb, total_cost_after jsonb, index_statements text[], errors text[])',
  ],
])

const WRAPPERS = [
  'airtable',
  'auth0',
  'big_query',
  'click_house',
  'cognito',
  'firebase',
  'hello_world',
  'iceberg',
  'logflare',
  'mssql',
  'redis',
  's3',
  's3_vectors',
  'stripe',
  'wasm',
] as const

/** Handlers of a type that only functions in C return: PostgreSQL's own for input, which always fails. */
export const WRAPPERS_SCRIPT = WRAPPERS.map(
  name => `
do $$ begin
  create function ${name}_fdw_handler() returns fdw_handler language internal strict as 'fdw_handler_in';
exception when insufficient_privilege then null; end $$;
create function ${name}_fdw_validator(options text[], catalog oid) returns void language plpgsql as $$ begin end $$;
create function ${name}_fdw_meta() returns table (name text, version text, author text, website text) language sql as $$
  select '${name}', null::text, null::text, null::text where false
$$;`,
).join('')

export const PGSODIUM_SCRIPT = `${schema('pgsodium')}${refuseAll('pgsodium', [
  ['pgsodium.randombytes_buf(size integer)', 'bytea'],
  ['pgsodium.crypto_secretbox_noncegen()', 'bytea'],
  ['pgsodium.crypto_secretbox_keygen()', 'bytea'],
  ['pgsodium.crypto_secretbox(message bytea, nonce bytea, key bytea)', 'bytea'],
  ['pgsodium.crypto_secretbox_open(ciphertext bytea, nonce bytea, key bytea)', 'bytea'],
  ['pgsodium.crypto_aead_det_noncegen()', 'bytea'],
  ['pgsodium.crypto_aead_det_keygen()', 'bytea'],
  [
    'pgsodium.crypto_aead_det_encrypt(message bytea, additional bytea, key_uuid uuid, nonce bytea default null)',
    'bytea',
  ],
  [
    'pgsodium.crypto_aead_det_decrypt(message bytea, additional bytea, key_uuid uuid, nonce bytea default null)',
    'bytea',
  ],
  ['pgsodium.create_key(key_type text default null, name text default null)', 'uuid'],
])}`

/** Nothing can be installed, so that nothing is. */
export const PG_TLE_SCRIPT = `${schema('pgtle')}${refuseAll('pg_tle', [
  [
    'pgtle.install_extension(name text, version text, description text, ext text, requires text[] default null)',
    'boolean',
  ],
  ['pgtle.install_update_path(name text, fromvers text, tovers text, ext text)', 'boolean'],
  ['pgtle.uninstall_extension(extname text)', 'boolean'],
  ['pgtle.set_default_version(name text, version text)', 'boolean'],
])}
create function pgtle.uninstall_extension_if_exists(extname text) returns boolean language sql as $$ select false $$;
create function pgtle.available_extensions(out name name, out default_version text, out comment text)
  returns setof record language sql as $$ select null::name, null::text, null::text where false $$;`

export const PLPGSQL_CHECK_SCRIPT = refuseAll('plpgsql_check', [
  ['plpgsql_check_function(funcoid regprocedure, relid regclass default 0)', 'setof text'],
])

export const PG_REPACK_SCRIPT = schema('repack')

export const REFINT_SCRIPT = refuseAll('refint', [
  ['check_primary_key()', 'trigger'],
  ['check_foreign_key()', 'trigger'],
])

export const DBLINK_SCRIPT = refuseAll('dblink', [
  ['dblink_connect(text)', 'text'],
  ['dblink_connect(text, text)', 'text'],
  ['dblink_disconnect()', 'text'],
  ['dblink_disconnect(text)', 'text'],
  ['dblink(text)', 'setof record'],
  ['dblink(text, text)', 'setof record'],
  ['dblink_exec(text)', 'text'],
  ['dblink_exec(text, text)', 'text'],
])

export const PREWARM_SCRIPT = refuseAll('pg_prewarm', [
  [
    `pg_prewarm(regclass, mode text default 'buffer', fork text default 'main', first_block int8 default null, last_block int8 default null)`,
    'int8',
  ],
])
