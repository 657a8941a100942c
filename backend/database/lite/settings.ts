// PostgREST's settings in the database: `alter role authenticator set pgrst.… = …`.
import type { LiteConnection } from '../engine.ts'

/** Reads the settings of the role `authenticator` that lite has, by their names without `pgrst.`. */
export async function readSettings({
  driver,
}: Pick<LiteConnection, 'driver'>): Promise<ReadonlyMap<string, string>> {
  const { rows } = await driver.query<{ setting: string }>(
    `select unnest(setconfig) as setting from pg_db_role_setting
     where setrole = to_regrole('authenticator') and setdatabase in (0, (select oid from pg_database where datname = current_database()))
     order by setdatabase`,
  )
  return new Map(
    rows.flatMap(({ setting }) => {
      const [, name, value = ''] = /^pgrst\.(\w+)=(.*)$/s.exec(setting) ?? []
      return name === undefined ? [] : [[name, value] as const]
    }),
  )
}

/** Settings of a role, as texts. */
export type RoleSettings = Readonly<Record<string, string>>

/**
 * Reads what `alter role … set` says of the roles that `authenticator` may have, as far as any user may set it.
 * A role without an own limit has that of `authenticator`, which starts the session in production.
 */
export async function readRoleSettings({
  driver,
}: Pick<LiteConnection, 'driver'>): Promise<ReadonlyMap<string, RoleSettings>> {
  const { rows } = await driver.query<{ role: string; setting: string; value: string }>(
    `with roles as (
       select pg_roles.oid, rolname, (rolname <> 'authenticator')::int as place from pg_roles
       where rolname = 'authenticator' or pg_roles.oid in
         (select roleid from pg_auth_members where member = to_regrole('authenticator'))
     ), settings as (
       select rolname, place, setdatabase, unnest(setconfig) as entry
       from roles join pg_db_role_setting on setrole = roles.oid
       where setdatabase in (0, (select oid from pg_database where datname = current_database()))
     )
     select rolname::text as role, name as setting, substr(entry, strpos(entry, '=') + 1) as value
     from settings join pg_settings on name = split_part(entry, '=', 1) and context = 'user'
     order by place, setdatabase`,
  )
  const byRole = Map.groupBy(rows, ({ role }) => role)
  return new Map(
    [...byRole].map(([role, all]) => [
      role,
      Object.fromEntries(all.map(({ setting, value }) => [setting, value])),
    ]),
  )
}

/** What REST exposes of the database, and how many rows per request. */
export interface RestLimits {
  readonly schemas?: readonly string[]
  readonly maxRows?: number
}

/** Lite's options: the database's settings, and these limits where it has none. */
export function liteOptions(settings: ReadonlyMap<string, string>, { schemas, maxRows }: RestLimits) {
  const flag = (name: string) => /^(?:t|true|on|yes|1)$/i.test(settings.get(name) ?? '')
  const rows = Number(settings.get('db_max_rows') ?? maxRows ?? Number.NaN)
  const served =
    settings
      .get('db_schemas')
      ?.split(',')
      .map(name => name.trim()) ?? schemas
  return {
    ...(served && { schemas: [...served] }),
    aggregates_enabled: flag('db_aggregates_enabled'),
    plan_enabled: flag('db_plan_enabled'),
    ...(Number.isInteger(rows) && rows > 0 && { max_rows: rows }),
  }
}
