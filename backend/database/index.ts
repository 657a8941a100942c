// The database: one PGlite, shared by @supabase/lite and our own queries under one mutex.
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { prepareAuth, restoreClaimFunctions } from '../auth/schema/prepare.ts'
import { openEngine, warmEngine, type Engine, type Place } from './engine.ts'
import { copyFolder, takeSnapshot, type Snapshot, type SnapshotKind } from './snapshot.ts'
import { prepareSystem } from './system.ts'
import { createLite, type Lite, type RestLimits } from './lite.ts'
import { createMutex, StoppedError } from './mutex.ts'
import { assumeRole, knownRole } from './roles.ts'
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
  return prepare(engine, options)
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
  return prepare(await openEngine(place), options)
}

/** Brings an open cluster up to this code. */
async function prepare(engine: Engine, options: DatabaseOptions): Promise<Database> {
  const { endPhase = measurePhases(undefined) } = options
  endPhase('database')
  try {
    await prepareSystem(engine)
    await prepareAuth(engine.connection.driver)
    const lite = await createLite(engine.connection, options.secrets, options.rest)
    await restoreClaimFunctions(engine.connection.driver)
    endPhase('rest')
    return shareDatabase(engine, lite)
  } catch (error) {
    await engine.connection.close()
    throw error
  }
}

/** Without its marker a cluster was left half-made by a start that never finished. It is kept, lest that be wrong. */
function setAside(path: string): void {
  rmSync(`${path}.unfinished`, { recursive: true, force: true })
  renameSync(path, `${path}.unfinished`)
}

/** Once closed it holds none of its memory: whoever keeps a stopped backend keeps 180 MB less. */
function shareDatabase(engine: Engine, lite: Lite): Database {
  let open: { readonly engine: Engine; readonly lite: Lite } | undefined = { engine, lite }
  const opened = () => {
    if (open) return open
    throw new StoppedError('The backend has stopped.')
  }
  const mutex = createMutex()
  const transaction = <T>(work: (tx: Queries) => Promise<T>) =>
    mutex.run(() =>
      opened().engine.connection.driver.transaction(tx =>
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
      mutex.run(() => opened().lite.rest(request, { ...claims, role: knownRole(claims) })),
    async listen(channel, callback) {
      opened().engine.channels.add(channel)
      await mutex.run(() => opened().engine.connection.driver.listen(channel, callback))
    },
    exclusive: work => mutex.run(() => work(opened().engine)),
    async close() {
      await mutex.close()
      const closing = open
      open = undefined
      await closing?.engine.connection.close()
    },
  }
}
