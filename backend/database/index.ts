// The database: PGlite or a server, shared by REST and the other services.
import { hkdfSync } from 'node:crypto'
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { prepareAuth } from './auth-schema/prepare.ts'
import type {
  Additions,
  Clusters,
  ClusterPlace,
  ExistingDatabase,
  Opened,
  Prepared,
  Rest,
  Services,
} from './clusters.ts'
import { EngineError, type Engine, type Login } from './engine.ts'
import type { PgliteEngine } from './pglite/engine.ts'
import { unpackFolder } from './packed.ts'
import { takeSnapshot, type SnapshotFolders, type SnapshotKind } from './snapshot.ts'
import { pgliteVersion } from './pglite/version.ts'
import { VAULT_KEY } from './service-extensions/index.ts'
import type { WithSqlSession } from './sql-session.ts'
import { prepareSystem } from './system.ts'
import { followSchema } from './follow-schema.ts'
import type { ServerAccess } from './server/clusters.ts'
import { assumeRole, LOG_IN, roleOf } from './roles.ts'
import { measurePhases, type EndPhase } from '../shared/phases.ts'
import { generateSecrets, type Secrets } from '../shared/data-directory.ts'
import type { Claims } from '../keys/index.ts'

export {
  type Driver,
  type Engine,
  EngineError,
  EngineFailure,
  type ExtensionList,
  ScriptError,
} from './engine.ts'
export type { PgliteEngine } from './pglite/engine.ts'
export { RETURN_TO_OWNER } from './pglite/logins.ts'
export type { Additions, Rest } from './clusters.ts'
export type { ServerAccess } from './server/clusters.ts'
export { extensionsNamed } from './extensions.ts'
export { explainMissing } from './missing-extension.ts'
export { pgliteVersion } from './pglite/version.ts'
export { createMutex } from './mutex.ts'
export type { RunSeries, SeriesStatement } from './series.ts'
export type {
  CancelReason,
  SqlField,
  SqlMessage,
  SqlOutcome,
  SqlSession,
  WithSqlSession,
} from './sql-session.ts'
export { assumeClaims, assumeRole } from './roles.ts'
export { CRON_CHANNEL, NET_CHANNEL } from './service-extensions/index.ts'
export { copyFolder } from './snapshot.ts'

/** Runs SQL and returns its rows. */
export interface Queries {
  query<Row>(sql: string, parameters?: readonly unknown[]): Promise<Row[]>
  /** Runs several statements, without parameters. */
  script(sql: string): Promise<void>
  /** Runs a part of a transaction of the owner as a role, for SQL of the project; if it fails, so does the transaction. */
  asRole<T>(role: string, work: () => Promise<T>): Promise<T>
}

export interface Database {
  /** A transaction as the owner, which bypasses all policies. Must not be nested. */
  owner<T>(work: (tx: Queries) => Promise<T>): Promise<T>
  /**
   * A transaction with a caller's role and claims, so that row-level security applies. Must not be nested.
   */
  as<T>(claims: Claims, work: (tx: Queries) => Promise<T>): Promise<T>
  /** Runs a script of the backend as a superuser, with no code of the project; its names are qualified. */
  admin(sql: string): Promise<void>
  /** A transaction of `authenticator`, before it has assumed a caller's role. Must not be nested. */
  authenticator<T>(work: (tx: Queries) => Promise<T>): Promise<T>
  /** Handles a REST request with the given claims; its body must already be in memory. */
  rest(request: Request, claims: Claims): Promise<Response>
  /** Describes what REST serves to the claims' role; the request is for its root. */
  describe(request: Request, claims: Claims): Promise<Response>
  /** The schemas that REST serves; the first is the default. */
  servedSchemas(): Promise<readonly string[]>
  /** Why the database is not responding, if it is not. */
  readonly outage: string | undefined
  /** Registers a callback for when the database has failed and been reopened: its session state is lost. */
  onReopened(callback: () => void): void
  /** Registers a callback for when notifications may have been lost. */
  onGap(callback: () => void): void
  /** Calls back with each NOTIFY payload; the callback must not run SQL synchronously. */
  listen(channel: string, callback: (payload: string) => void): Promise<void>
  /** A session for work that is not one transaction, between the transactions of the services. */
  session<T>(work: (engine: Engine) => Promise<T>): Promise<T>
  readonly withSqlSession: WithSqlSession
  /** Only of PGlite: exclusive access to its session, which drivers share with the backend. */
  readonly exclusive: (<T>(work: (engine: PgliteEngine) => Promise<T>) => Promise<T>) | undefined
  /** Only of a server that drivers can connect to: its URL, with the password. */
  readonly driverUrl: string | undefined
  /** Only of a running database: what the backend created in it at this start. */
  readonly additions: (() => Promise<Additions>) | undefined
  close(): Promise<void>
}

/** PGlite in this process; a server that the backend starts; or a running one. */
export type EngineChoice =
  | { readonly kind: 'pglite' }
  | { readonly kind: 'postgres'; readonly access?: ServerAccess | undefined }
  | { readonly kind: 'url'; readonly url: string }

/** Opens REST on an engine. */
export type OpenRest = (
  engine: Engine,
  follow: (read: () => Promise<void>) => ReturnType<typeof followSchema>,
) => Promise<Rest>

export interface DatabaseOptions {
  /** Without it, the database does not serve REST. */
  readonly openRest?: OpenRest
  /** Defaults to PGlite. */
  readonly engine?: EngineChoice
  /** Folder of the cluster; in memory if absent. */
  readonly path?: string
  readonly secrets: Secrets
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

/** Otherwise the next start would have to replay the log, which copies would also contain. */
const EMPTY_LOG = 'set wal_recycle = off; select pg_switch_wal(); checkpoint; reset wal_recycle'

const MARKER = 'CHARTROOM_READY'
const WAY_OUT = 'Choose another data directory, or reset it.'

/** Opens the database; a new cluster starts as a copy of the prepared one. A running database is never filled. */
export async function openDatabase(options: DatabaseOptions, preparation: Preparation): Promise<Database> {
  const { path, endPhase = measurePhases(undefined), engine = { kind: 'pglite' } } = options
  if (engine.kind === 'url') {
    const { openUrl } = await import('./server/existing.ts')
    return open(options, services => openUrl(engine.url, services))
  }
  const clusters = await clustersOf(engine)
  if (path !== undefined && existsSync(join(path, MARKER))) {
    refuseOther(path, preparation.kind, clusters)
    return openKept(path, options, clusters)
  }
  if (path !== undefined && existsSync(path)) setAside(path)
  const snapshot = await takeSnapshot({ ...preparation, clusters }, folders =>
    fill(folders, preparation, clusters),
  )
  endPhase('snapshot')
  await preparation.adopt(snapshot.objects)
  if (path === undefined) return openCluster({ copyOf: snapshot.archive }, options, clusters)
  const partial = `${path}.partial`
  rmSync(partial, { recursive: true, force: true })
  try {
    unpackFolder(snapshot.archive, partial)
    renameSync(partial, path)
  } finally {
    // Frees the space of an incomplete copy, as the disk may be full.
    rmSync(partial, { recursive: true, force: true })
  }
  endPhase('copy')
  return openCluster({ folder: path }, options, clusters)
}

/** The modules of the other engine are not loaded. */
async function clustersOf(engine: Exclude<EngineChoice, { kind: 'url' }>): Promise<Clusters> {
  if (engine.kind === 'pglite') return (await import('./pglite/clusters.ts')).pgliteClusters()
  return (await import('./server/clusters.ts')).serverClusters(engine.access)
}

/** PostgreSQL only opens clusters of the same major version; for other damage, PGlite gives no details. */
async function openKept(path: string, options: DatabaseOptions, clusters: Clusters): Promise<Database> {
  const version = readFileSync(join(path, 'PG_VERSION'), 'utf8').trim()
  if (version !== clusters.major)
    throw new Error(
      `The database in ${path} was created by PostgreSQL ${version}, but this is ${clusters.major}. ${WAY_OUT}`,
    )
  return openCluster({ folder: path }, options, clusters).catch((cause: unknown) => {
    if (cause instanceof EngineError) throw cause
    const problem = `The database in ${path} failed to open. Its files may be damaged, or the disk may be full.`
    throw new Error(`${problem} ${WAY_OUT}`, { cause })
  })
}

/** The marker of a server's cluster names the engine after the kind of its contents. */
const markerOf = (kind: SnapshotKind, clusters: Clusters) =>
  clusters.kind === 'pglite' ? kind : `${kind} ${clusters.kind}`

/** Files of a server's cluster depend on its major version and on the kind of machine. */
const serverVersion = (major: string) => `postgres-${major}-${process.platform}-${process.arch}`

/** The version that opens a cluster, for exports. */
export function clusterVersion(path: string): string {
  const isServers = readFileSync(join(path, MARKER), 'utf8').endsWith('postgres')
  return isServers ? serverVersion(readFileSync(join(path, 'PG_VERSION'), 'utf8').trim()) : pgliteVersion()
}

/** Whether a cluster of this version can be opened here, provided that a server is installed. */
export function canOpenCluster(version: string): boolean {
  const [, major = ''] = /^postgres-(\d+)-/.exec(version) ?? []
  return version === pgliteVersion() || version === serverVersion(major)
}

/** The marker stores the initial contents of a database; the first versions left it empty. */
function refuseOther(path: string, kind: SnapshotKind, clusters: Clusters): void {
  const [began = '', engine = 'pglite'] = (readFileSync(join(path, MARKER), 'utf8') || 'harbour').split(' ')
  if (engine !== clusters.kind) {
    const advice = `Start the backend with --engine ${engine}, or choose another data directory`
    throw new Error(
      `The database in ${path} was created by the engine ${engine}, not ${clusters.kind}. ${advice}.`,
    )
  }
  if (began === kind) return
  const [is, requested] = began === 'harbour' ? ['the demo', 'a project'] : ["a project's", 'the demo']
  throw new Error(`The database in ${path} is ${is}, not ${requested}. ${WAY_OUT}`)
}

async function fill(folders: SnapshotFolders, preparation: Preparation, clusters: Clusters): Promise<void> {
  const place = { folder: folders.database }
  const database = await openCluster(place, { secrets: generateSecrets() }, clusters)
  try {
    await database.session(async ({ driver }) => void (await driver.exec(GRANTS)))
    await preparation.prepare(database, folders.objects)
    await database.admin(EMPTY_LOG)
  } finally {
    await database.close()
  }
  writeFileSync(join(folders.database, MARKER), markerOf(preparation.kind, clusters))
}

/** Keys that SQL uses, but that are not in the database. */
function settingsOf({ secrets }: DatabaseOptions): Record<string, string> {
  return { [VAULT_KEY]: deriveKey(secrets, 'vault') }
}

function deriveKey({ encryptionKey }: Secrets, purpose: string): string {
  return Buffer.from(hkdfSync('sha256', encryptionKey, '', `chartroom ${purpose}`, 32)).toString('hex')
}

async function openCluster(
  place: ClusterPlace,
  options: DatabaseOptions,
  clusters: Clusters,
): Promise<Database> {
  return open(options, services => clusters.open(place, services))
}

async function open(
  options: DatabaseOptions,
  connect: (services: Services) => Promise<Opened>,
): Promise<Database> {
  const reopened: (() => void)[] = []
  let { endPhase = measurePhases(undefined) } = options
  const services: Services = {
    settings: settingsOf(options),
    async prepare(engine, existing) {
      endPhase('database')
      const prepared = await prepare(engine, options, existing)
      endPhase('rest')
      // Later times, the engine is reopened.
      endPhase = measurePhases(undefined)
      return prepared
    },
    async resume() {
      for (const callback of reopened) callback()
    },
  }
  return share(await connect(services), callback => void reopened.push(callback))
}

/** Upgrades an open cluster to this code's version. */
async function prepare<E extends Engine>(
  engine: E,
  { openRest, autoExposeNewTables = false }: DatabaseOptions,
  existing: ExistingDatabase | undefined,
): Promise<Prepared<E>> {
  await prepareSystem(engine, existing?.hasRoles ? undefined : autoExposeNewTables)
  await prepareAuth(engine.driver)
  // In a new cluster, the snapshot has them.
  if (existing) await engine.driver.exec(GRANTS)
  return { engine, rest: await openRest?.(engine, read => followSchema(engine, read)) }
}

/**
 * A cluster without a marker was left incomplete by an interrupted start. It is renamed rather than deleted,
 * as a precaution.
 */
function setAside(path: string): void {
  rmSync(`${path}.unfinished`, { recursive: true, force: true })
  renameSync(path, `${path}.unfinished`)
}

function restOf(rest: Rest | undefined): Rest {
  if (!rest) throw new Error('This database does not serve REST.')
  return rest
}

function share(opened: Opened, onReopened: Database['onReopened']): Database {
  const { access } = opened
  const transaction = <T>(work: (tx: Queries) => Promise<T>, login: Login) =>
    access.inTurn(
      ({ engine }) =>
        engine.driver.transaction(tx =>
          work({
            query: async <Row>(sql: string, parameters: readonly unknown[] = []) =>
              (await tx.query<Row>(sql, [...parameters])).rows,
            script: async sql => void (await tx.exec(sql)),
            asRole: (role, part) => engine.asRole(tx, role, part),
          }),
        ),
      login,
    )
  const ask = (method: 'respond' | 'describe') => (request: Request, claims: Claims) =>
    access.use(async ({ rest, engine: { driver } }) => {
      const query = async <Row>(sql: string, parameters: readonly unknown[] = []) =>
        (await driver.query<Row>(sql, [...parameters])).rows
      return restOf(rest)[method](request, { ...claims, role: await roleOf(query, claims) })
    }, 'authenticator')
  return {
    owner: work => transaction(work, 'owner'),
    admin: sql => access.use(({ engine }) => engine.admin(sql)),
    as: (claims, work) =>
      transaction(async tx => {
        await assumeRole(tx, claims)
        return work(tx)
      }, 'authenticator'),
    authenticator: work =>
      transaction(async tx => {
        await tx.query(`select ${LOG_IN}`)
        return work(tx)
      }, 'authenticator'),
    rest: ask('respond'),
    describe: ask('describe'),
    servedSchemas: () => access.use(({ rest }) => restOf(rest).servedSchemas()),
    get outage() {
      return access.outage
    },
    onReopened,
    onGap: callback => opened.onGap(callback),
    listen: (channel, callback) => opened.listen(channel, callback),
    session: work => access.inTurn(({ engine }) => work(engine)),
    withSqlSession: opened.withSqlSession,
    exclusive: opened.exclusive,
    driverUrl: opened.driverUrl,
    additions: opened.additions,
    close: () => access.close(),
  }
}
