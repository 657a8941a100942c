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
