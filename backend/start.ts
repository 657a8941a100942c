// Starts the services, and stops them.
import { existsSync } from 'node:fs'
import type { NewUser } from './auth/index.ts'
import { CLI_KEYS } from './keys/index.ts'
import {
  generateSecrets,
  openDataDirectory,
  type DataDirectory,
  type Secrets,
} from './shared/data-directory.ts'
import { openRest } from './rest/index.ts'
import { EngineError, openDatabase, type Database, type EngineChoice } from './database/index.ts'
import { createFamilies, type EdgeParts } from './families.ts'
import { denoAt, findDeno } from './functions/index.ts'
import type { Project, ProjectReport, StartedFollower } from './project/index.ts'
import { DEMO_ACCOUNTS, harbour } from './demo/index.ts'
import { type EndPhase, measurePhases } from './shared/phases.ts'
import { createInbox, type Inbox } from './inbox/index.ts'
import { openGateway, type Gateway, parseHost, parseOrigin } from './gateway/index.ts'
import type { Backend, BackendOptions } from './index.ts'
import { createDiskBlobs, createMemoryBlobs, prepareStorage } from './storage/index.ts'
import type { Wire } from './wire/index.ts'
import { localUrl } from './shared/local-url.ts'
import { databasePassword } from './wire/password.ts'
import { startCron, startNet, type Cron, type Net } from './workers/index.ts'

/** @param engine the option, or its default; the name may be wrong */
export async function start(options: BackendOptions, engine: EngineName): Promise<Backend> {
  const resources: Resources = {}
  try {
    return await run(options, engine, resources)
  } catch (error) {
    await release(resources)
    throw error
  }
}

type EngineName = string | { readonly url: string }

/** The parts of a running backend, filled in during startup. */
interface Resources {
  gateway?: Gateway
  directory?: DataDirectory
  follower?: StartedFollower
  services?: Services
}

/** The parts that a reset replaces, filled in while they open. */
interface Services {
  wire?: Wire
  database?: Database
  families?: Awaited<ReturnType<typeof createFamilies>>
  net?: Net
  cron?: Cron
  readonly stopping: AbortController
}

async function release(resources: Resources): Promise<void> {
  const { gateway, directory, follower, services } = resources
  services?.stopping.abort()
  services?.families?.faults.stop()
  await Promise.all([gateway?.stop(), follower?.stop()])
  await releaseServices(services)
  directory?.release()
}

async function releaseServices(services: Services | undefined): Promise<void> {
  const { database, families, stopping } = services ?? {}
  stopping?.abort()
  families?.faults.stop()
  await Promise.all([services?.wire?.stop(), services?.net?.stop(), services?.cron?.stop()])
  await families?.edgeFunctions?.stop()
  // A function that was starting may have opened it after the first stop.
  await services?.wire?.stop()
  await database?.close()
}

/** What stays the same when a reset opens the services again. */
interface Ground {
  readonly options: BackendOptions
  readonly engine: EngineName
  readonly resources: Resources
  readonly gateway: Gateway
  readonly secrets: Secrets
  readonly inbox: Inbox
  readonly authUrl: string | undefined
  readonly endPhase: EndPhase
}

async function run(options: BackendOptions, engine: EngineName, resources: Resources): Promise<Backend> {
  // The port is opened first, so that a taken port is reported before the slow opening of the database.
  const endPhase = measurePhases(options.onPhase)
  // An invalid origin is also reported first.
  options.allowOrigins?.forEach(parseOrigin)
  const project = await projectOf(options)
  const port = options.port ?? project?.config.api.port ?? 0
  const gateway = (resources.gateway = await openGateway(
    port,
    options.host,
    options.allowHosts?.map(parseHost),
  ))
  const directory =
    options.data === 'memory' ? undefined : (resources.directory = openDataDirectory(options.data.dir))
  const authUrl = options.authUrl ?? (process.env['CHARTROOM_AUTH_URL'] || undefined)
  const keys = authUrl === undefined ? options.keys : 'cli'
  const secrets = secretsOf(keys, project, directory?.secrets ?? generateSecrets())
  const ground = {
    options,
    engine,
    resources,
    gateway,
    secrets,
    inbox: createInbox(),
    authUrl,
    endPhase,
  }
  if (options.project !== undefined && options.followProject)
    resources.follower = await followerOf(options.project, ground)
  const { database, families, url, hasDemo, report, databaseUrl } = await openServices(ground, project)
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
    projectFollower: resources.follower,
    inbox: ground.inbox,
    get faults() {
      return (resources.services?.families ?? families).faults.control
    },
    stop: () => (stopping ??= release(resources)),
  }
}

async function projectOf({ project, allowOutgoing = false }: BackendOptions): Promise<Project | undefined> {
  if (project === undefined) return undefined
  const { readProject } = await import('./project/index.ts')
  return readProject(project, { allowsOutgoing: allowOutgoing })
}

/** Opens everything behind the gateway, at first and after a reset. */
async function openServices(
  { options, engine, resources, gateway, secrets, inbox, authUrl, endPhase }: Ground,
  project: Project | undefined,
) {
  const { directory } = resources
  const services: Services = (resources.services = { stopping: new AbortController() })
  // A running database only gets what the backend needs.
  const hasDemo = options.project === undefined && typeof engine !== 'object'
  const projects = hasDemo ? undefined : await import('./project/index.ts')
  const url = `http://127.0.0.1:${gateway.port}`
  const blobs = directory ? createDiskBlobs(directory.objects) : createMemoryBlobs()
  const { edge, ignored = [] }: ProjectEdge = project ? edgeOf(project, options) : {}
  const { autoExposeNewTables = project?.config.api.autoExposeNewTables ?? false } = options
  const database = (services.database = await openDatabase(
    {
      engine: engineOf(engine, options, secrets, options.databaseAccess !== undefined || edge !== undefined),
      ...(directory ? { path: directory.database } : {}),
      secrets,
      endPhase,
      openRest: (opened, follow) => openRest(opened, follow, project?.config.api ?? {}),
      autoExposeNewTables,
    },
    projects?.bare(directory, blobs) ??
      harbour(directory, blobs, { passwordCost: options.auth?.passwordCost, content: options.demoContent }),
  ))
  await prepareStorage(database)
  const apply = async (read: Project, skip?: readonly string[]): Promise<ProjectReport | undefined> =>
    projects && {
      ...(await projects.applyProject(database, read, autoExposeNewTables, skip)),
      ...reportOf(read, edge),
      ...(ignored.length > 0 ? { ignoredPrograms: ignored } : {}),
    }
  const report =
    project &&
    (await (resources.follower?.begin({
      database,
      project,
      apply,
      exposesNew: autoExposeNewTables,
      skip: options.skipMigrations,
      deno: edge?.deno,
      ignoredPrograms: ignored,
    }) ?? apply(project, options.skipMigrations)))
  if (project) endPhase('project')
  let opening: Promise<string> | undefined
  const openToDrivers = () => (opening ??= openWire(options, secrets, database, services))
  const families = (services.families = await createFamilies({
    options: project ? { ...settingsOf(project), ...options } : options,
    url,
    secrets,
    blobs,
    database,
    inbox,
    stopping: services.stopping.signal,
    dataDir: directory?.path,
    apiPort: project?.config.api.port,
    edge: edge && { ...edge, databaseUrl: openToDrivers },
    authUrl,
    follower: resources.follower,
  }))
  if (hasDemo) await families.otherAuth?.addUsers(await demoUsers(database))
  await families.realtime.start()
  const ports = { port: gateway.port, configured: project?.config.api.port }
  services.net = await startNet({
    database,
    allowsOutgoing: options.allowOutgoing ?? false,
    toLocal: address => localUrl(address, ports),
  })
  services.cron = await startCron({ database, clock: families.clock })
  const databaseUrl = options.databaseAccess ? await openToDrivers() : undefined
  gateway.serve(families)
  endPhase('realtime')
  return { url, database, families, hasDemo, report, databaseUrl }
}

async function followerOf(folder: string, ground: Ground): Promise<StartedFollower> {
  const { engine, resources, options, gateway, inbox } = ground
  const { followProject } = await import('./project/index.ts')
  const reset = async () => {
    // Read first: a broken config.toml must not cost the data.
    const project = await projectOf(options)
    const { families } = resources.services ?? {}
    gateway.serve(undefined)
    await families?.realtime.stop()
    await releaseServices(resources.services)
    inbox.clear()
    if (resources.directory) {
      const { clearDataDirectory } = await import('./transfer/index.ts')
      clearDataDirectory(resources.directory)
    }
    await openServices(ground, project)
  }
  return followProject({
    folder,
    read: () => projectOf(options),
    engine: typeof engine === 'object' ? 'url' : engine === 'postgres' ? engine : 'pglite',
    dataDir: resources.directory?.path,
    ...(typeof engine === 'object' ? {} : { reset }),
  })
}

function secretsOf(keys: BackendOptions['keys'], project: Project | undefined, defaults: Secrets): Secrets {
  const { jwtSecret } = project?.config ?? {}
  return {
    ...defaults,
    ...(keys === 'cli' ? CLI_KEYS : {}),
    ...(jwtSecret === undefined ? {} : { jwtSecret }),
  }
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
  config: { auth, fileSizeLimit, hooks, signingKeys, jwtSecret },
}: Project): Pick<BackendOptions, 'auth' | 'authHooks' | 'fileSizeLimit' | 'signingKeys'> {
  // A project's own secret signs instead of the backend's own key.
  const keys = signingKeys ?? (jwtSecret === undefined ? undefined : [])
  return { auth, authHooks: hooks, fileSizeLimit, ...(keys ? { signingKeys: keys } : {}) }
}

/** @param hasDrivers whether something needs a URL of the database */
function engineOf(
  engine: EngineName,
  options: BackendOptions,
  secrets: Secrets,
  hasDrivers: boolean,
): EngineChoice {
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
  services: Services,
): Promise<string> {
  const { port = 0, password, ...limits } = databaseAccessOf(options, secrets)
  const { exclusive, driverUrl } = database
  if (driverUrl !== undefined) return driverUrl
  if (!exclusive) throw new EngineError('The database has no URL for drivers.')
  const { startWire } = await import('./wire/index.ts')
  const wire = (services.wire = await startWire({
    exclusive,
    onReopened: callback => database.onReopened(callback),
    port,
    password,
    ...limits,
  }))
  return `postgresql://postgres:${encodeURIComponent(password)}@127.0.0.1:${wire.port}/postgres`
}

/** A project's Edge Functions, if there is a Deno that can run them. */
function edgeOf({ config: { functions } }: Project, { deno, project }: BackendOptions): ProjectEdge {
  if (deno === false || !existsSync(functions.folder)) return {}
  if (deno !== undefined) return { edge: { functions, deno: denoAt(deno) } }
  const { deno: denoPath, ignored } = findDeno(project)
  return { edge: denoPath && { functions, deno: denoPath }, ignored }
}

interface ProjectEdge {
  readonly edge?: Pick<EdgeParts, 'functions' | 'deno'> | undefined
  /** Programs of the project that could have run them. */
  readonly ignored?: readonly string[]
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
