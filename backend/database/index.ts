// The database: one PGlite, shared by @supabase/lite and our own queries under one mutex.
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { prepareAuth, restoreClaimFunctions } from './auth-schema/prepare.ts'
import { EngineFailure } from './engine.ts'
import { openPglite, warmPglite, type PgliteEngine, type Place } from './pglite/engine.ts'
import { keepOpen } from './pglite/reopening.ts'
import { copyFolder, takeSnapshot, type Snapshot, type SnapshotKind } from './snapshot.ts'
import { prepareSystem } from './system.ts'
import { createLite, type Lite } from './lite/lite.ts'
import type { RestLimits } from './lite/settings.ts'
import { assumeRole, roleOf } from './roles.ts'
import { failureResponse } from './lite/failures.ts'
import { measurePhases, type EndPhase } from '../shared/phases.ts'
import { generateSecrets, type Secrets } from '../shared/data-directory.ts'
import type { Claims } from '../keys/index.ts'

export { EngineFailure, type Engine, type Driver, type Session } from './engine.ts'
export type { PgliteEngine } from './pglite/engine.ts'
export { EMPTY_EXTENSIONS, availableExtensions, extensionsNamed, pgliteVersion } from './pglite/extensions.ts'
export { createMutex } from './mutex.ts'
export { assumeRole } from './roles.ts'
export { copyFolder } from './snapshot.ts'

/** Runs SQL and returns its rows. */
export interface Queries {
  query<Row>(sql: string, parameters?: readonly unknown[]): Promise<Row[]>
  /** Runs several statements, without parameters. */
  script(sql: string): Promise<void>
}

export interface Database {
  /** A transaction as the owner, which bypasses all policies. Must not be nested. */
  owner<T>(work: (tx: Queries) => Promise<T>): Promise<T>
  /**
   * A transaction with a caller's role and claims, so that row-level security applies. Must not be nested.
   */
  as<T>(claims: Claims, work: (tx: Queries) => Promise<T>): Promise<T>
  /** Handles a REST request with the given claims; its body must already be in memory. */
  rest(request: Request, claims: Claims): Promise<Response>
  /** Why the database is not responding, if it is not. */
  readonly outage: string | undefined
  /** Registers a callback for when the database has failed and been reopened: its session state is lost. */
  onReopened(callback: () => void): void
  /** Calls back with each NOTIFY payload; the callback must not run SQL synchronously. */
  listen(channel: string, callback: (payload: string) => void): Promise<void>
  /** Exclusive access to the engine, while no other work uses it. */
  exclusive<T>(work: (engine: PgliteEngine) => Promise<T>): Promise<T>
  close(): Promise<void>
}

export interface DatabaseOptions {
  /** Folder of the cluster; in memory if absent. */
  readonly path?: string
  readonly secrets: Secrets
  readonly rest?: RestLimits
  /** Whether the API's roles have access to new tables in `public` without GRANT; defaults to false. */
  readonly autoExposeNewTables?: boolean
  readonly endPhase?: EndPhase
}

/**
 * The initial contents of a new database. Created once and then copied, so it must not contain secrets of a
 * backend.
 */
export interface Preparation {
  readonly kind: SnapshotKind
  /** Distinguishes several variants of one kind. */
  readonly variant?: string
  /** Fills the database; file contents go into the folder `objects`. */
  prepare(database: Database, objects: string): Promise<void>
  /** Takes over the file contents of a copy. */
  adopt(objects: string): Promise<void>
}

const GRANTS = `
grant usage on schema auth to anon, authenticated, service_role;
grant all on all tables in schema auth to service_role;`

const MARKER = 'CHARTROOM_READY'
const POSTGRES = '17'
const WAY_OUT = 'Choose another data directory, or reset it.'

/** Opens the database; a new one starts as a copy of the prepared one. */
export async function openDatabase(options: DatabaseOptions, preparation: Preparation): Promise<Database> {
  const { path, endPhase = measurePhases(undefined) } = options
  // Compilation runs on other threads during the imports.
  void warmPglite().catch(() => undefined)
  if (path !== undefined && existsSync(join(path, MARKER))) {
    refuseOther(path, preparation.kind)
    return openKept(path, options)
  }
  if (path !== undefined && existsSync(path)) setAside(path)
  const snapshot = await takeSnapshot(preparation, folder => fill(folder, preparation))
  endPhase('snapshot')
  await preparation.adopt(snapshot.objects)
  if (path === undefined) return openCluster({ copyOf: snapshot.database }, options)
  const partial = `${path}.partial`
  rmSync(partial, { recursive: true, force: true })
  try {
    copyFolder(snapshot.database, partial)
    renameSync(partial, path)
  } finally {
    // Frees the space of an incomplete copy, as the disk may be full.
    rmSync(partial, { recursive: true, force: true })
  }
  endPhase('copy')
  return openCluster({ folder: path }, options)
}

/** PostgreSQL only opens clusters of the same major version; for other damage, PGlite gives no details. */
async function openKept(path: string, options: DatabaseOptions): Promise<Database> {
  const version = readFileSync(join(path, 'PG_VERSION'), 'utf8').trim()
  if (version !== POSTGRES)
    throw new Error(
      `The database in ${path} was created by PostgreSQL ${version}, but this is ${POSTGRES}. ${WAY_OUT}`,
    )
  const engine = await openPglite({ folder: path }).catch((cause: unknown) => {
    const problem = `The database in ${path} failed to open. Its files may be damaged, or the disk may be full.`
    throw new Error(`${problem} ${WAY_OUT}`, { cause })
  })
  return share(engine, options)
}

/** The marker stores the initial contents of a database; the first versions left it empty. */
function refuseOther(path: string, kind: SnapshotKind): void {
  const began = readFileSync(join(path, MARKER), 'utf8') || 'harbour'
  if (began === kind) return
  const [is, wanted] = began === 'harbour' ? ['the demo', 'a project'] : ["a project's", 'the demo']
  throw new Error(`The database in ${path} is ${is}, not ${wanted}. ${WAY_OUT}`)
}

async function fill(snapshot: Snapshot, preparation: Preparation): Promise<void> {
  const database = await openCluster({ folder: snapshot.database }, { secrets: generateSecrets() })
  try {
    await database.exclusive(async ({ driver }) => void (await driver.exec(GRANTS)))
    await preparation.prepare(database, snapshot.objects)
    // Otherwise the next start would have to replay the log.
    await database.exclusive(async ({ driver }) => void (await driver.exec('checkpoint')))
  } finally {
    await database.close()
  }
  writeFileSync(join(snapshot.database, MARKER), preparation.kind)
}

async function openCluster(place: Place, options: DatabaseOptions): Promise<Database> {
  return share(await openPglite(place), options)
}

/** An engine with REST on top. */
interface Prepared {
  readonly engine: PgliteEngine
  readonly lite: Lite
}

/** Upgrades an open cluster to this code's version. */
async function prepare(engine: PgliteEngine, options: DatabaseOptions): Promise<Prepared> {
  const { endPhase = measurePhases(undefined) } = options
  endPhase('database')
  try {
    await prepareSystem(engine, options.autoExposeNewTables ?? false)
    await prepareAuth(engine.driver)
    const lite = await createLite(engine.connection, options.secrets, options.rest)
    await restoreClaimFunctions(engine.driver)
    endPhase('rest')
    return { engine, lite }
  } catch (error) {
    engine.abandon()
    throw engine.failure ?? error
  }
}

/**
 * A cluster without a marker was left incomplete by an interrupted start. It is renamed rather than deleted,
 * as a precaution.
 */
function setAside(path: string): void {
  rmSync(`${path}.unfinished`, { recursive: true, force: true })
  renameSync(path, `${path}.unfinished`)
}

async function share(engine: PgliteEngine, options: DatabaseOptions): Promise<Database> {
  const listeners = new Map<string, (payload: string) => void>()
  const reopened: (() => void)[] = []
  const kept = keepOpen(await prepare(engine, options), async place => {
    const next = await prepare(await openPglite(place), { ...options, endPhase: measurePhases(undefined) })
    for (const [channel, callback] of listeners) await listenOn(next.engine, channel, callback)
    for (const callback of reopened) callback()
    return next
  })
  const transaction = <T>(work: (tx: Queries) => Promise<T>) =>
    kept.use(({ engine: { driver } }) =>
      driver.transaction(tx =>
        work({
          query: async <Row>(sql: string, parameters: readonly unknown[] = []) =>
            (await tx.query<Row>(sql, [...parameters])).rows,
          script: async sql => void (await tx.exec(sql)),
        }),
      ),
    )
  return {
    owner: transaction,
    as: (claims, work) =>
      transaction(async tx => {
        await assumeRole(tx, claims)
        return work(tx)
      }),
    rest: (request, claims) =>
      kept
        .use(async ({ lite, engine: { driver } }) => {
          const query = async <Row>(sql: string, parameters: readonly unknown[] = []) =>
            (await driver.query<Row>(sql, [...parameters])).rows
          return lite.rest(request, { ...claims, role: await roleOf(query, claims) })
        })
        .catch((error: unknown) => {
          if (error instanceof EngineFailure) return failureResponse(error)
          throw error
        }),
    get outage() {
      return kept.outage
    },
    onReopened: callback => void reopened.push(callback),
    async listen(channel, callback) {
      await kept.use(async current => {
        await listenOn(current.engine, channel, callback)
        listeners.set(channel, callback)
      })
    },
    exclusive: work => kept.use(current => work(current.engine)),
    close: () => kept.close(),
  }
}

async function listenOn(
  { driver, channels }: PgliteEngine,
  channel: string,
  callback: (payload: string) => void,
): Promise<void> {
  channels.add(channel)
  await driver.listen(channel, callback)
}
