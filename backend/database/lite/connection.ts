// Connects lite to a driver of ours. Lite's own connections open a database themselves: its PGlite unpacks
// four extensions at each start, and its pool has sessions that no task owns.
import { createPostgresConnection } from '@supabase/lite/postgres'
import {
  type DatabaseConnection,
  type Dialect,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely'
import type { Driver, LiteConnection } from '../engine.ts'

/** Read at each change of the schema, although the names stay: PostgreSQL opens 600 files for them. */
const TIME_ZONES = 'SELECT name FROM pg_catalog.pg_timezone_names'

export type TimeZones = { names?: Promise<QueryResult<unknown>> | undefined }

/**
 * Lite's own pool stays empty: its queries belong to the session of the task that called it.
 * @param timeZones where the names are kept; databases with the same files may share it
 */
export function connectLite(driver: Driver, timeZones: TimeZones = {}): LiteConnection {
  return Object.assign(createPostgresConnection({}), {
    driver,
    kysely: new Kysely<unknown>({ dialect: dialectOf(driver, timeZones) }),
    close: async () => undefined,
  })
}

function dialectOf(driver: Driver, timeZones: TimeZones): Dialect {
  const execute = async (sql: string, parameters: readonly unknown[]): Promise<QueryResult<never>> => {
    const { rows, affectedRows } = await driver.query<never>(sql, [...parameters])
    return { rows, ...(affectedRows === undefined ? {} : { numAffectedRows: BigInt(affectedRows) }) }
  }
  const readTimeZones = () =>
    (timeZones.names ??= execute(TIME_ZONES, []).catch((error: unknown) => {
      timeZones.names = undefined
      throw error
    })) as Promise<QueryResult<never>>
  const connection: DatabaseConnection = {
    executeQuery: ({ sql, parameters }) => (sql === TIME_ZONES ? readTimeZones() : execute(sql, parameters)),
    streamQuery: () => {
      throw new Error('Streaming is not supported.')
    },
  }
  const run = (statement: string) => async () => void (await driver.query(statement))
  return {
    createAdapter: () => new PostgresAdapter(),
    createIntrospector: database => new PostgresIntrospector(database),
    createQueryCompiler: () => new PostgresQueryCompiler(),
    createDriver: () => ({
      init: async () => undefined,
      acquireConnection: async () => connection,
      beginTransaction: async () => void (await (driver.prepend?.('begin') ?? driver.query('begin'))),
      commitTransaction: run('commit'),
      rollbackTransaction: run('rollback'),
      releaseConnection: async () => undefined,
      destroy: async () => undefined,
    }),
  }
}
