// Settings of REST and of roles: `alter role … set`, also `in database`.
// Source: https://docs.postgrest.org/en/v14/references/configuration.html
import type { Name, RestLimits, RestSettings } from './schema-cache.ts'

/** As on hosted projects. */
export const DEFAULT_SCHEMAS: readonly string[] = ['public', 'graphql_public']

/** Hosted projects add `extensions` to PostgREST's default. */
export const DEFAULT_SEARCH_PATH: readonly string[] = ['public', 'extensions']

/** Reads a setting that lists names, separated by commas. */
const listSetting = (name: string, ofEmpty: string, otherwise: string): string => `coalesce((
    select case entry when 'pgrst.${name}=' then '${ofEmpty}'::text[]
      else regexp_split_to_array(btrim(substr(entry, ${`pgrst.${name}=`.length + 1}), E' \\t\\r\\n'), '\\s*,\\s*') end
    from own_settings where starts_with(entry, 'pgrst.${name}=') order by setdatabase desc limit 1
  ), ${otherwise})`

/** Tables of the statement: entries of `authenticator`, and the schemas that REST serves or finds types in. */
export const SETTINGS_TABLES = `
this_database as (select oid from pg_database where datname = current_database()),
own_settings as (
  select setdatabase, place, entry from pg_db_role_setting, unnest(setconfig) with ordinality as entries (entry, place)
  where setrole = to_regrole('authenticator') and (setdatabase = 0 or setdatabase = (select oid from this_database))
),
schema_lists as (
  select ${listSetting('db_schemas', '{public}', 'array(select json_array_elements_text($1::text::json))')} as served,
    ${listSetting('db_extra_search_path', '{}', 'array(select json_array_elements_text($2::text::json))')} as extra
),
served as (select oid, nspname from pg_namespace where nspname = any ((select served from schema_lists)::text[]))`

/** `[served, extra search path, own entries, role settings, version]`. */
export const SETTINGS = `json_build_array(
  (select to_json(served) from schema_lists),
  (select to_json(extra) from schema_lists),
  (select json_agg(entry order by setdatabase, place) from own_settings),
  (
    with entries as (
      select r.rolname, s.place, s.entry from pg_auth_members m join pg_roles r on r.oid = m.roleid
      join pg_db_role_setting d on d.setrole = r.oid and d.setdatabase = 0
      cross join lateral unnest(d.setconfig) with ordinality as s (entry, place)
      where m.member = to_regrole('authenticator')
      union all
      select 'authenticator', setdatabase::bigint * 1000 + place, entry from own_settings
    )
    select json_agg(json_build_array(rolname, name, substr(entry, length(name) + 2), context) order by place)
    from entries join pg_settings on name = split_part(entry, '=', 1) and context in ('user', 'superuser')
  ),
  current_setting('server_version_num')::int
)`

export type SettingsRow = readonly [
  served: readonly string[],
  extraSearchPath: readonly string[],
  entries: readonly string[] | null,
  roles: readonly RoleSettingRow[] | null,
  version: number,
]

type RoleSettingRow = readonly [role: string, name: string, value: string, context: 'user' | 'superuser']

type Query = <Row>(sql: string, parameters?: unknown[]) => Promise<readonly Row[]>

const PREFIX = 'pgrst.'
const APP_PREFIX = 'app.settings.'

const OPEN_API = ['follow-privileges', 'ignore-privileges', 'disabled'] as const
const TX_ENDS = ['commit', 'commit-allow-override', 'rollback', 'rollback-allow-override'] as const

/** PostgREST's own default is `commit`; here, a client may try a write without keeping it. */
const DEFAULT_TX_END = 'commit-allow-override'

const HOISTED = ['statement_timeout', 'plan_filter.statement_cost_limit', 'default_transaction_isolation']

interface Settings {
  readonly settings: RestSettings
  /** Patterns of the entries that a function may set: `db_hoisted_tx_settings`. */
  readonly hoisted: readonly string[]
}

export function decodeSettings([served, extra, entries]: SettingsRow, { maxRows }: RestLimits): Settings {
  // Those of this database come last.
  const all = new Map((entries ?? []).map(splitEntry))
  const get = (name: string) => all.get(PREFIX + name)
  const getText = (name: string) => get(name) || undefined
  const rows = get('db_max_rows')
  return {
    settings: {
      schemas: served,
      extraSearchPath: extra,
      maxRows: rows === undefined ? maxRows : parseInteger(rows),
      aggregates: parseFlag(get('db_aggregates_enabled')),
      plan: parseFlag(get('db_plan_enabled')),
      preRequest: parseName(getText('db_pre_request')),
      // Of the schema of the request, whatever the setting names.
      rootFunction: parseName(getText('db_root_spec'))?.name,
      openApi: OPEN_API.find(mode => mode === get('openapi_mode')) ?? 'follow-privileges',
      txEnd: TX_ENDS.find(end => end === get('db_tx_end')?.trim()) ?? DEFAULT_TX_END,
      appSettings: Object.fromEntries([...all].filter(([name]) => name.startsWith(APP_PREFIX))),
    },
    hoisted:
      getText('db_hoisted_tx_settings')
        ?.split(',')
        .map(pattern => pattern.trim()) ?? HOISTED,
  }
}

/** Splits `name=value`. */
export function splitEntry(entry: string): readonly [name: string, value: string] {
  const end = entry.indexOf('=')
  return [entry.slice(0, end), entry.slice(end + 1)]
}

/** Letters count alone, so that `"true"` is one as well; else a number above zero. */
function parseFlag(text = ''): boolean {
  return text.replaceAll(/\P{L}/gu, '').toLowerCase() === 'true' || (parseInteger(text) ?? 0) > 0
}

const parseInteger = (text: string): number | undefined =>
  /^\s*-?\d+\s*$/.test(text) ? Number(text) : undefined

/** Splits at the first dot; without one, the search path has the name. */
function parseName(text: string | undefined): Name | undefined {
  if (text === undefined) return undefined
  const dot = text.indexOf('.')
  return dot === -1 ? { schema: '', name: text } : { schema: text.slice(0, dot), name: text.slice(dot + 1) }
}

/** Settings of each role, above those of `authenticator`, which starts the session. */
export async function decodeRoleSettings(
  [, , , rows, version]: SettingsRow,
  query: Query,
): Promise<(role: string) => Readonly<Record<string, string>>> {
  const restricted = [...new Set(rows?.filter(row => row[3] === 'superuser').map(([, name]) => name))]
  const grantedSettings = version < 150_000 ? [] : await findGranted(restricted, query)
  const allowed = (rows ?? []).filter(
    ([, name, , context]) => context === 'user' || grantedSettings.includes(name),
  )
  const byRole = Map.groupBy(allowed, ([role]) => role)
  const settings = byRole.get('authenticator') ?? []
  const toRecord = (all: readonly RoleSettingRow[]) =>
    Object.fromEntries(all.map(([, name, value]) => [name, value]))
  const records = new Map([...byRole].map(([role, all]) => [role, toRecord([...settings, ...all])]))
  const base = toRecord(settings)
  return role => records.get(role) ?? base
}

/** Those of a superuser's settings that `grant set on parameter` lets `authenticator` set. */
async function findGranted(names: readonly string[], query: Query): Promise<readonly string[]> {
  if (names.length === 0) return []
  const rows = await query<{ name: string }>(
    `select name from json_array_elements_text($1::text::json) as names (name)
     where has_parameter_privilege('authenticator', name, 'set')`,
    [JSON.stringify(names)],
  )
  return rows.map(({ name }) => name)
}
