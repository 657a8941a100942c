// The embedded backend: all five services in one process on one loopback port. For development only.
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { JWK } from 'jose'
import type { AuthOptions, HookSettings, NewUser } from './auth/index.ts'
import { type Clock } from './shared/clock.ts'
import { CLI_KEYS } from './keys/index.ts'
import {
  generateSecrets,
  openDataDirectory,
  type DataDirectory,
  type Secrets,
} from './shared/data-directory.ts'
import {
  type Additions,
  EngineError,
  openDatabase,
  type Database,
  type EngineChoice,
} from './database/index.ts'
import { createFamilies, type EdgeParts } from './families.ts'
import { denoAt, findDeno, type EdgeFunctions, type FunctionLogLine } from './functions/index.ts'
import { applyProject, type ProjectReport, readProject, type Project, bare } from './project/index.ts'
import { DEMO_ACCOUNTS, harbour, type Account } from './demo/index.ts'
import { type FaultControl, type FaultPlan, type Faults } from './faults/index.ts'
import { measurePhases, type OnPhase } from './shared/phases.ts'
import { createInbox, type Inbox } from './inbox/index.ts'
import { openGateway, type Gateway, parseHost, parseOrigin } from './gateway/index.ts'
import { type RealtimeSettings } from './realtime/index.ts'
import { createDiskBlobs, createMemoryBlobs, prepareStorage } from './storage/index.ts'
import type { Wire, WireLimits } from './wire/index.ts'
import { localUrl } from './shared/local-url.ts'
import { databasePassword } from './wire/password.ts'
import { startCron, startNet, type Cron, type Net } from './workers/index.ts'

/** Options of `startBackend`; only `data` is required. */
export interface BackendOptions {
  /** 0 or absent: a free port, or the project's. */
  readonly port?: number
  /**
   * The address to listen on; defaults to loopback. Any other address opens the backend to the network: warn
   * about it.
   */
  readonly host?: string
  /**
   * Origins whose pages may call the backend, such as `https://app.example`, in addition to loopback origins
   * and those of `site_url` and the redirect URLs.
   */
  readonly allowOrigins?: readonly string[]
  /**
   * Host names, such as `api.example.test`, that requests may be for, with any port, in addition to loopback
   * and `host`: for a proxy that keeps `Host`.
   */
  readonly allowHosts?: readonly string[]
  /**
   * Whether a page simulates the OAuth providers. Defaults to on, except if `host` opens the backend to the
   * network.
   */
  readonly oauthStandIn?: boolean
  /** Where the data is stored; `memory` stores nothing on disk. */
  readonly data: 'memory' | { readonly dir: string }
  /** Lifetime of access tokens; defaults to an hour. */
  readonly accessTokenSeconds?: number
  /** Handles all paths that belong to no service. */
  readonly site?: (request: Request) => Response | Promise<Response>
  /** The folder of an existing project that contains `supabase`: used unmodified, instead of the demo. */
  readonly project?: string
  /** Folder with functions as `<name>.ts`; defaults to the demo's, and to none for a project. */
  readonly functionsDir?: string
  /**
   * What runs a project's Edge Functions: the path of a Deno program, or false to run none. By default, npm's
   * `deno` of the project or of the backend, or `deno` in `PATH`.
   */
  readonly deno?: string | false
  /** Called with each line that an Edge Function prints. */
  readonly onFunctionLog?: (line: FunctionLogLine) => void
  /** The clock for all expiries; defaults to the machine's. */
  readonly clock?: Clock
  /** Realtime limits that differ from the original's defaults. */
  readonly realtime?: Partial<RealtimeSettings>
  /** Auth settings that override the defaults. */
  readonly auth?: AuthOptions
  /**
   * The URL of an auth server that answers `/auth/v1` instead of the backend's own. It must verify and sign
   * tokens with the backend's JWT secret, which is then that of `keys: 'cli'`. The demo's users are created
   * there; `auth`, the clock and faults on sessions do not affect it. Defaults to the environment's
   * `CHARTROOM_AUTH_URL`, else the backend's own server answers.
   */
  readonly authUrl?: string
  /** Code that auth calls at certain points; defaults to the project's `[auth.hook.*]`. */
  readonly authHooks?: HookSettings
  /**
   * Whether the project may send requests to other machines: hooks of auth, and SQL with `pg_net`. Defaults to
   * false.
   */
  readonly allowOutgoing?: boolean
  /** `cli` uses the well-known keys of `supabase start` instead of the backend's own. */
  readonly keys?: 'own' | 'cli'
  /** JSON Web Keys that sign and verify tokens, instead of the backend's own key. */
  readonly signingKeys?: readonly JWK[]
  /**
   * Whether the roles of the API have access to new tables in `public` without GRANT, as in projects before
   * 2026; defaults to the project's `api.auto_expose_new_tables`, else to false.
   */
  readonly autoExposeNewTables?: boolean
  /** Opens the database to drivers and psql under a separate URL; `port` 0 or absent: a free port. */
  readonly databaseAccess?: DatabaseAccess
  /**
   * `pglite` runs PostgreSQL in this process, `postgres` starts a server from npm or of the system, and a URL
   * names a running one, whose user must be a superuser. Defaults to the environment's `CHARTROOM_ENGINE`, else
   * to `pglite`.
   */
  readonly engine?: 'pglite' | 'postgres' | { readonly url: string }
  /** Faults that apply from the first request on; `Backend.faults` can add more. */
  readonly faults?: FaultPlan
  /** Called with the duration of each startup phase. */
  readonly onPhase?: OnPhase
}

/** The database URL for drivers and psql, only on loopback. */
export interface DatabaseAccess extends WireLimits {
  readonly port?: number
  readonly password?: string
}

export interface Backend {
  readonly url: string
  readonly port: number
  readonly publishableKey: string
  /** Bypasses every policy. For servers and tests, never for a browser. */
  readonly secretKey: string
  readonly dataDir: string | undefined
  /** For drivers and psql, including the password; only set if `databaseAccess` is given. */
  readonly databaseUrl: string | undefined
  readonly accounts: readonly Account[]
  /** The roles and schemas created at this start; only set if `engine` is a URL. */
  readonly created: Additions | undefined
  /** The report on the project's files; only set if `project` is given. */
  readonly project: ProjectReport | undefined
  /** The emails that the backend would have sent; `put` adds one, such as one of another auth server. */
  readonly inbox: Pick<Inbox, 'messages' | 'next' | 'clear' | 'put'>
  /** Controls injected faults. */
  readonly faults: FaultControl
  /** Closes sockets with 1012, lets requests finish, closes the database. May be called twice. */
  stop(): Promise<void>
}

/**
 * Starts the backend.
 * @throws Error with code `EADDRINUSE` if the port is taken, `DirectoryInUseError` if the data is in use.
 */
export async function startBackend(options: BackendOptions): Promise<Backend> {
  const held: Held = { stopping: new AbortController() }
  try {
    return await run(options, held)
  } catch (error) {
    await release(held)
    throw error
  }
}

/** The parts of a running backend, filled in during startup. */
interface Held {
  gateway?: Gateway
  wire?: Wire
  database?: Database
  directory?: DataDirectory
  faults?: Faults
  edgeFunctions?: EdgeFunctions
  net?: Net
  cron?: Cron
  readonly stopping: AbortController
}

async function release(held: Held): Promise<void> {
  const { gateway, database, directory, faults, edgeFunctions, stopping } = held
  stopping.abort()
  faults?.stop()
  await Promise.all([gateway?.stop(), held.wire?.stop(), held.net?.stop(), held.cron?.stop()])
  await edgeFunctions?.stop()
  // A function that was starting may have opened it after the first stop.
  await held.wire?.stop()
  await database?.close()
  directory?.release()
}

async function run(options: BackendOptions, held: Held): Promise<Backend> {
  // The port is opened first, so that a taken port is reported before the slow opening of the database.
  const endPhase = measurePhases(options.onPhase)
  // An invalid origin is also reported first.
  options.allowOrigins?.forEach(parseOrigin)
  const project =
    options.project === undefined
      ? undefined
      : readProject(options.project, { allowsOutgoing: options.allowOutgoing ?? false })
  const port = options.port ?? project?.config.api.port ?? 0
  const gateway = (held.gateway = await openGateway(port, options.host, options.allowHosts?.map(parseHost)))
  const directory =
    options.data === 'memory' ? undefined : (held.directory = openDataDirectory(options.data.dir))
  const authUrl = options.authUrl ?? (process.env['CHARTROOM_AUTH_URL'] || undefined)
  const keys = authUrl === undefined ? options.keys : 'cli'
  const secrets = secretsOf(keys, project, directory?.secrets ?? generateSecrets())
  const url = `http://127.0.0.1:${gateway.port}`
  const blobs = directory ? createDiskBlobs(directory.objects) : createMemoryBlobs()
  const edge = project && edgeOf(project, options)
  const { autoExposeNewTables = project?.config.api.autoExposeNewTables ?? false } = options
  // A running database only gets what the backend needs.
  const hasDemo = !project && typeof options.engine !== 'object'
  const database = (held.database = await openDatabase(
    {
      engine: engineOf(options, secrets, options.databaseAccess !== undefined || edge !== undefined),
      ...(directory ? { path: directory.database } : {}),
      secrets,
      endPhase,
      rest: project?.config.api ?? {},
      autoExposeNewTables,
    },
    hasDemo ? harbour(directory, blobs, options.auth?.passwordCost) : bare(directory, blobs),
  ))
  await prepareStorage(database)
  const report = project && {
    ...(await applyProject(database, project, autoExposeNewTables)),
    ...reportOf(project, edge),
  }
  if (project) endPhase('project')
  let opening: Promise<string> | undefined
  const openToDrivers = () => (opening ??= openWire(options, secrets, database, held))
  const inbox = createInbox()
  const families = await createFamilies({
    options: project ? { ...settingsOf(project), ...options } : options,
    url,
    secrets,
    blobs,
    database,
    inbox,
    stopping: held.stopping.signal,
    dataDir: directory?.path,
    apiPort: project?.config.api.port,
    edge: edge && { ...edge, databaseUrl: openToDrivers },
    authUrl,
  })
  if (hasDemo) await families.otherAuth?.addUsers(await demoUsers(database))
  held.faults = families.faults
  if (families.edgeFunctions) held.edgeFunctions = families.edgeFunctions
  await families.realtime.start()
  const own = { port: gateway.port, configured: project?.config.api.port }
  held.net = await startNet({
    database,
    allowsOutgoing: options.allowOutgoing ?? false,
    toLocal: address => localUrl(address, own),
  })
  held.cron = await startCron({ database, clock: families.clock })
  const databaseUrl = options.databaseAccess ? await openToDrivers() : undefined
  gateway.serve(families)
  endPhase('realtime')
  let stopping: Promise<void> | undefined
  return {
    url,
    port: gateway.port,
    publishableKey: secrets.publishableKey,
    secretKey: secrets.secretKey,
    dataDir: directory?.path,
    databaseUrl,
    accounts: hasDemo ? DEMO_ACCOUNTS : [],
    created: await database.additions?.(),
    project: report,
    inbox,
    faults: families.faults.control,
    stop: () => (stopping ??= release(held)),
  }
}

function secretsOf(keys: BackendOptions['keys'], project: Project | undefined, own: Secrets): Secrets {
  const { jwtSecret } = project?.config ?? {}
  return { ...own, ...(keys === 'cli' ? CLI_KEYS : {}), ...(jwtSecret === undefined ? {} : { jwtSecret }) }
}

/** The demo's accounts with their ids, which its rows refer to. */
async function demoUsers(database: Database): Promise<NewUser[]> {
  const rows = await database.owner(tx =>
    tx.query<{ id: string; email: string }>('select id::text as id, email from auth.users'),
  )
  return DEMO_ACCOUNTS.flatMap(account => {
    const row = rows.find(({ email }) => email === account.email)
    return row ? [{ ...account, id: row.id }] : []
  })
}

/** Options from the project's config, unless the caller sets them. */
function settingsOf({
  config: { auth, hooks, signingKeys, jwtSecret },
}: Project): Pick<BackendOptions, 'auth' | 'authHooks' | 'signingKeys'> {
  // A project's own secret signs instead of the backend's own key.
  const keys = signingKeys ?? (jwtSecret === undefined ? undefined : [])
  return { auth, authHooks: hooks, ...(keys ? { signingKeys: keys } : {}) }
}

/** @param hasDrivers whether something needs a URL of the database */
function engineOf(options: BackendOptions, secrets: Secrets, hasDrivers: boolean): EngineChoice {
  const { engine = process.env['CHARTROOM_ENGINE'] ?? 'pglite' } = options
  if (typeof engine === 'object') return { kind: 'url', url: engine.url }
  if (engine === 'pglite') return { kind: engine }
  if (engine !== 'postgres')
    throw new EngineError(`There is no engine ${engine}. Choose "pglite" or "postgres" (CHARTROOM_ENGINE).`)
  if (!hasDrivers) return { kind: engine }
  const { port = 0, password } = databaseAccessOf(options, secrets)
  return { kind: engine, access: { port, password } }
}

function databaseAccessOf({ databaseAccess, keys }: BackendOptions, secrets: Secrets) {
  return { password: keys === 'cli' ? 'postgres' : databasePassword(secrets), ...databaseAccess }
}

/** Opens PGlite to drivers; a server is open already. */
async function openWire(
  options: BackendOptions,
  secrets: Secrets,
  database: Database,
  held: Held,
): Promise<string> {
  const { port = 0, password, ...limits } = databaseAccessOf(options, secrets)
  const { exclusive, driverUrl } = database
  if (driverUrl !== undefined) return driverUrl
  if (!exclusive) throw new EngineError('The database has no URL for drivers.')
  const { startWire } = await import('./wire/index.ts')
  const wire = (held.wire = await startWire({
    exclusive,
    onReopened: callback => database.onReopened(callback),
    port,
    password,
    ...limits,
  }))
  return `postgresql://postgres:${encodeURIComponent(password)}@127.0.0.1:${wire.port}/postgres`
}

/** A project's Edge Functions, if there is a Deno that can run them. */
function edgeOf(
  { config: { functions } }: Project,
  { deno, project }: BackendOptions,
): Pick<EdgeParts, 'functions' | 'deno'> | undefined {
  if (deno === false || !existsSync(functions.folder)) return undefined
  if (deno !== undefined) return { functions, deno: denoAt(deno) }
  const found = findDeno([resolve(project ?? '.'), import.meta.dirname])
  return found && { functions, deno: found }
}

function reportOf(
  { config: { functions } }: Project,
  edge: Pick<EdgeParts, 'deno'> | undefined,
): Pick<ProjectReport, 'functions' | 'servedFunctions'> {
  const names = functions.list().map(({ name }) => name)
  return edge && names.length > 0
    ? { functions: [], servedFunctions: { names, deno: edge.deno } }
    : { functions: names }
}
