// A PostgreSQL server as the engine.
import type { Opened, Prepared, Services } from '../clusters.ts'
import type { Access, Engine, Extensions } from '../engine.ts'
import { OWN_EXTENSIONS } from '../service-extensions/index.ts'
import { asOnEitherProject, extensionStatements } from '../extensions.ts'
import { createMutex } from '../mutex.ts'
import { acceptAnyValue } from '../values.ts'
import { withServerSession } from './sql-session.ts'
import { openDriver, type ServerAddress, type ServerDriver } from './driver.ts'
import { enterFromStart, ownExtensionProcedures, withOwnExtensions } from './own-extensions.ts'
import { ALLOWED, OWNER, OWNER_PRIVILEGES, runAsSuperuser, throughProcedures } from './superuser.ts'

const TRANSACTION_TIMEOUT = /\b(set(?:\s+(?:local|session))?)\s+transaction_timeout\b/gi
const RETURN_TO_LOGIN = 'set session authorization default'

export interface ServerEngine extends Engine {
  readonly driver: ServerDriver
}

/** Connects to a running server; `end` is called when everything is closed. */
export async function connectServer(
  address: ServerAddress,
  services: Services,
  end: () => Promise<void> = async () => undefined,
): Promise<Opened> {
  const engine = await openServer(address, services.settings)
  const { driver } = engine
  try {
    const prepared = await driver.inSession(() => services.prepare(engine))
    return {
      access: shareServer(prepared, end),
      listen: async (channel, callback) => void (await driver.listen(channel, callback)),
      onGap: callback => driver.onGap(callback),
      withSqlSession: (options, work) =>
        withServerSession({ address, settings: services.settings, engine }, options, work),
    }
  } catch (error) {
    await driver.close()
    throw error
  }
}

/** @throws EngineError if another backend uses the database, UnavailableError if it can't be reached */
async function openServer(
  address: ServerAddress,
  settings: Readonly<Record<string, string>>,
): Promise<ServerEngine> {
  const driver = openDriver(address, settings)
  try {
    await driver.lock()
    await acceptAnyValue(driver)
    return {
      driver,
      admin: async sql =>
        address.authenticator === undefined ? void (await driver.exec(sql)) : runAsSuperuser(address, sql),
      ownerPrivileges:
        address.authenticator === undefined
          ? ownExtensionProcedures(undefined)
          : `${OWNER_PRIVILEGES}${ownExtensionProcedures(OWNER)}`,
      series: driver.series,
      runScript: sql => driver.script(sql),
      asOwner: work => driver.inSession(work),
      async asRole(session, role, work) {
        await session.query(`select set_config('role', $1, false)`, [role])
        const result = await work()
        await session.exec(RETURN_TO_LOGIN)
        return result
      },
      returnToOwner: RETURN_TO_LOGIN,
      extensions: createExtensions(driver, address.authenticator !== undefined),
      enterFromStart,
      endsStatements: true,
    }
  } catch (error) {
    await driver.close()
    throw error
  }
}

/** The server has its own extensions; those that only make sense at the hosted service may be missing. */
function createExtensions(driver: ServerDriver, hasSuperuser: boolean): Extensions {
  const namesOf = async (query: string) =>
    (await driver.query<{ name: string }>(query)).rows.map(({ name }) => name)
  const findAvailable = () => namesOf('select name from pg_available_extensions order by 1')
  const findUntrusted = () =>
    namesOf('select distinct name from pg_available_extension_versions where superuser and not trusted')
  /** Dumps of version 17, which hosted projects have, begin with a setting that earlier versions do not know. */
  const withTimeout = async (sql: string) => {
    const { rows } = await driver.query(`select from pg_settings where name = 'transaction_timeout'`)
    return rows.length > 0 ? sql : sql.replaceAll(TRANSACTION_TIMEOUT, '$1 chartroom.transaction_timeout')
  }
  return {
    provide: async () => undefined,
    async provideFor(sql) {
      const lenient = asOnEitherProject(/\btransaction_timeout\b/i.test(sql) ? await withTimeout(sql) : sql)
      const untrusted = hasSuperuser ? await findUntrusted() : []
      const written = hasSuperuser ? throughProcedures(lenient, untrusted) : lenient
      if (extensionStatements(written).length === 0) return written
      const available = await findAvailable()
      const isClosed = (name: string) => untrusted.includes(name) && !ALLOWED.includes(name)
      return withOwnExtensions(written, name => !available.includes(name) || isClosed(name))
    },
    async list() {
      const available = await findAvailable()
      const ownExtensions = Object.entries(OWN_EXTENSIONS).filter(([name]) => !available.includes(name))
      return {
        owner: 'The PostgreSQL server',
        isServer: true,
        available: [...available, ...ownExtensions.map(([name]) => name)].sort(),
        empty: ownExtensions.flatMap(([name, { works }]) => (works ? [] : [name])),
      }
    },
  }
}

/**
 * Runs tasks in parallel. Transactions of the services wait for each other, as on PGlite: they check before they
 * write, and no other process writes to their tables.
 */
function shareServer(opened: Prepared<ServerEngine>, end: () => Promise<void>): Access<Prepared> {
  const { driver } = opened.engine
  const mutex = createMutex()
  return {
    use: (work, login) => driver.inSession(() => work(opened), login),
    inTurn: (work, login) => mutex.run(() => driver.inSession(() => work(opened), login)),
    get outage() {
      return driver.outage
    },
    async close() {
      await mutex.close()
      try {
        await driver.close()
      } finally {
        await end()
      }
    },
  }
}
