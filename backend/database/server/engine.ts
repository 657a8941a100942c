// A PostgreSQL server as the engine.
import type { Opened, Prepared, Services } from '../clusters.ts'
import type { Access, Engine, Extensions } from '../engine.ts'
import { SERVICE_EXTENSIONS } from '../service-extensions/index.ts'
import { EMPTY_EXTENSIONS, extensionsNamed, withoutExtensions } from '../extensions.ts'
import { createMutex } from '../mutex.ts'
import { acceptAnyValue } from '../values.ts'
import { openDriver, type ServerAddress, type ServerDriver } from './driver.ts'
import { OWNER_PRIVILEGES, runAsSuperuser, throughProcedures } from './superuser.ts'

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
      ownerPrivileges: address.authenticator === undefined ? '' : OWNER_PRIVILEGES,
      series: driver.series,
      asOwner: work => driver.inSession(work),
      async asRole(session, role, work) {
        await session.query(`select set_config('role', $1, false)`, [role])
        const result = await work()
        await session.exec(RETURN_TO_LOGIN)
        return result
      },
      returnToOwner: RETURN_TO_LOGIN,
      extensions: createExtensions(driver, address.authenticator !== undefined),
      endsStatements: true,
    }
  } catch (error) {
    await driver.close()
    throw error
  }
}

/** The server has its own extensions; those that only make sense at the hosted service may be missing. */
function createExtensions(driver: ServerDriver, hasSuperuser: boolean): Extensions {
  const list = async () => {
    const { rows } = await driver.query<{ name: string }>(
      'select name from pg_available_extensions order by 1',
    )
    const available = rows.map(({ name }) => name)
    return {
      owner: 'The PostgreSQL server',
      available,
      empty: EMPTY_EXTENSIONS.filter(name => !available.includes(name)),
    }
  }
  const untrusted = async () => {
    const { rows } = await driver.query<{ name: string }>(
      'select distinct name from pg_available_extension_versions where superuser and not trusted',
    )
    return rows.map(({ name }) => name)
  }
  return {
    provide: async () => undefined,
    async provideFor(sql) {
      const written = hasSuperuser ? throughProcedures(sql, await untrusted()) : sql
      if (extensionsNamed(written).length === 0) return written
      const { available, empty } = await list()
      // The scripts of the backend's own extensions have run without them.
      const own = Object.keys(SERVICE_EXTENSIONS).filter(name => !available.includes(name))
      return withoutExtensions(written, [...empty, ...own])
    },
    list,
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
