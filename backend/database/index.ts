// The database: one PGlite, shared by @supabase/lite and our own queries under one mutex.
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { prepareAuth, restoreClaimFunctions } from '../auth/schema/prepare.ts'
import { openEngine, warmEngine, type Engine, type Place } from './engine.ts'
import { copyFolder, takeSnapshot, type Snapshot, type SnapshotKind } from './snapshot.ts'
import { prepareSystem } from './system.ts'
import { createLite, type Lite, type RestLimits } from './lite.ts'
import { EngineFailure } from './engine-guard.ts'
import { keepOpen } from './reopening.ts'
import { assumeRole, knownRole } from './roles.ts'
import { failureResponse } from '../rest/failures.ts'
import { measurePhases, type EndPhase } from '../phases.ts'
import { generateSecrets, type Secrets } from '../data-directory.ts'
import type { Claims } from '../keys/tokens.ts'

/** Runs SQL and answers its rows. */
export interface Queries {
  query<Row>(sql: string, parameters?: readonly unknown[]): Promise<Row[]>
  /** Runs several statements, without parameters. */
  script(sql: string): Promise<void>
}

export interface Database {
  /** A transaction as the owner, past every policy. Not to be nested. */
  owner<T>(work: (tx: Queries) => Promise<T>): Promise<T>
  /** A transaction under a caller's role and claims, so that row-level security applies. Not to be nested. */
  as<T>(claims: Claims, work: (tx: Queries) => Promise<T>): Promise<T>
  /** Answers a REST request, whose body must already be in memory, under the given claims. */
  rest(request: Request, claims: Claims): Promise<Response>
  /** Why the database does not answer, while it does not. */
  readonly outage: string | undefined
  /** Calls back whenever the database failed and was reopened: whatever its session held is lost. */
  onReopened(callback: () => void): void
  /** Calls back with each NOTIFY payload; must not run SQL itself before it returned. */
  listen(channel: string, callback: (payload: string) => void): Promise<void>
  /** The database itself, while nobody else uses it. */
  exclusive<T>(work: (engine: Engine) => Promise<T>): Promise<T>
  close(): Promise<void>
}

export interface DatabaseOptions {
  /** Folder of the cluster; memory when absent. */
  readonly path?: string
  readonly secrets: Secrets
  readonly rest?: RestLimits
  readonly endPhase?: EndPhase
}

/** What a new database starts with. It is made once and then copied, so it knows nothing of one backend's secrets. */
export interface Preparation {
  readonly kind: SnapshotKind
  /** Tells apart what is prepared of one kind in several ways. */
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

/** Opens the database; a new one starts as a copy of what `preparation` makes. */
export async function openDatabase(options: DatabaseOptions, preparation: Preparation): Promise<Database> {
  const { path, endPhase = measurePhases(undefined) } = options
  // Other threads compile while this one imports.
  void warmEngine().catch(() => undefined)
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
    // On a full disk half a copy is a burden.
    rmSync(partial, { recursive: true, force: true })
  }
  endPhase('copy')
  return openCluster({ folder: path }, options)
}

/** PostgreSQL opens what its own major version made; of other damage PGlite only tells that there is some. */
async function openKept(path: string, options: DatabaseOptions): Promise<Database> {
  const version = readFileSync(join(path, 'PG_VERSION'), 'utf8').trim()
  if (version !== POSTGRES)
    throw new Error(
      `The database in ${path} is of PostgreSQL ${version}, and this is ${POSTGRES}. ${WAY_OUT}`,
    )
  const engine = await openEngine({ folder: path }).catch((cause: unknown) => {
    const problem = `The database in ${path} does not open. Its files may be damaged, or the disk full.`
    throw new Error(`${problem} ${WAY_OUT}`, { cause })
  })
  return share(engine, options)
}

/** The marker says what a database began as; the first versions left it empty. */
function refuseOther(path: string, kind: SnapshotKind): void {
  const began = readFileSync(join(path, MARKER), 'utf8') || 'harbour'
  if (began === kind) return
  const [is, wanted] = began === 'harbour' ? ['the demo', 'a project'] : ["a project's", 'the demo']
  throw new Error(`The database in ${path} is ${is}, not ${wanted}. ${WAY_OUT}`)
}

async function fill(snapshot: Snapshot, preparation: Preparation): Promise<void> {
  const database = await openCluster({ folder: snapshot.database }, { secrets: generateSecrets() })
  try {
    await database.exclusive(async ({ connection }) => void (await connection.driver.exec(GRANTS)))
    await preparation.prepare(database, snapshot.objects)
    // What the next start would have to write again, or read past.
    await database.exclusive(async ({ connection }) => void (await connection.driver.exec('checkpoint')))
  } finally {
    await database.close()
  }
  writeFileSync(join(snapshot.database, MARKER), preparation.kind)
}

async function openCluster(place: Place, options: DatabaseOptions): Promise<Database> {
  return share(await openEngine(place), options)
}

/** An engine, and REST on top of it. */
interface Prepared {
  readonly engine: Engine
  readonly lite: Lite
}

/** Brings an open cluster up to this code. */
async function prepare(engine: Engine, options: DatabaseOptions): Promise<Prepared> {
  const { endPhase = measurePhases(undefined) } = options
  endPhase('database')
  try {
    await prepareSystem(engine)
    await prepareAuth(engine.connection.driver)
    const lite = await createLite(engine.connection, options.secrets, options.rest)
    await restoreClaimFunctions(engine.connection.driver)
    endPhase('rest')
    return { engine, lite }
  } catch (error) {
    engine.abandon()
    throw engine.failure ?? error
  }
}

/** Without its marker a cluster was left half-made by a start that never finished. It is kept, lest that be wrong. */
function setAside(path: string): void {
  rmSync(`${path}.unfinished`, { recursive: true, force: true })
  renameSync(path, `${path}.unfinished`)
}

async function share(engine: Engine, options: DatabaseOptions): Promise<Database> {
  const listeners = new Map<string, (payload: string) => void>()
  const reopened: (() => void)[] = []
  const kept = keepOpen(await prepare(engine, options), async place => {
    const next = await prepare(await openEngine(place), { ...options, endPhase: measurePhases(undefined) })
    for (const [channel, callback] of listeners) await listenOn(next.engine, channel, callback)
    for (const callback of reopened) callback()
    return next
  })
  const transaction = <T>(work: (tx: Queries) => Promise<T>) =>
    kept.use(({ engine: { connection } }) =>
      connection.driver.transaction(tx =>
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
        .use(({ lite }) => lite.rest(request, { ...claims, role: knownRole(claims) }))
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
  { connection, channels }: Engine,
  channel: string,
  callback: (payload: string) => void,
): Promise<void> {
  channels.add(channel)
  await connection.driver.listen(channel, callback)
}
