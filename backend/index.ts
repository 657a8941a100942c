// The embedded backend: all five endpoint families in one process on one loopback port. Development only.
import type { JWK } from 'jose'
import { type AuthOptions } from './auth/settings.ts'
import { type Clock } from './clock.ts'
import { CLI_KEYS } from './keys/cli-keys.ts'
import { generateSecrets, openDataDirectory, type DataDirectory, type Secrets } from './data-directory.ts'
import { openDatabase, type Database } from './database/index.ts'
import { harbour } from './demo/harbour.ts'
import { createFamilies } from './families.ts'
import { applyProject, type ProjectReport } from './project/apply.ts'
import { readProject, type Project } from './project/files.ts'
import { bare } from './project/preparation.ts'
import { DEMO_ACCOUNTS, type Account } from './demo/seed.ts'
import { type FaultControl, type FaultPlan, type Faults } from './faults/index.ts'
import { measurePhases, type OnPhase } from './phases.ts'
import { createInbox, type Inbox } from './inbox/store.ts'
import { openGateway, type Gateway } from './gateway/index.ts'
import { parseOrigin } from './gateway/origins.ts'
import { type RealtimeSettings } from './realtime/index.ts'
import { createDiskBlobs, createMemoryBlobs } from './storage/blobs.ts'
import { prepareStorage } from './storage/schema.ts'
import type { Wire } from './wire/index.ts'
import { databasePassword } from './wire/password.ts'
import type { WireLimits } from './wire/patience.ts'

/** How `startBackend` starts; only where the data lies must be said. */
export interface BackendOptions {
  /** 0 or absent: a free one, or the project's. */
  readonly port?: number
  /** Where to listen; loopback unless given. Anything else lets others on the network in: warn of it. */
  readonly host?: string
  /**
   * Origins whose pages may call, such as `https://app.example`: besides loopback ones, and those of `site_url` and the
   * redirect addresses.
   */
  readonly allowOrigins?: readonly string[]
  /** Whether a page here plays the OAuth providers. On, except where `host` lets others on the network in. */
  readonly oauthStandIn?: boolean
  /** Where the data lies; `memory` keeps nothing. */
  readonly data: 'memory' | { readonly dir: string }
  /** Life of an access token; an hour unless given. */
  readonly accessTokenSeconds?: number
  /** Serves every path that belongs to no endpoint family. */
  readonly site?: (request: Request) => Response | Promise<Response>
  /** The folder of an existing project, which holds `supabase`: read as it is, in place of the demo. */
  readonly project?: string
  /** Where functions lie as `<name>.ts`; the demo's own unless given. */
  readonly functionsDir?: string
  /** What expires, expires by this clock; the machine's unless given. */
  readonly clock?: Clock
  /** Limits of realtime that differ from the original's defaults. */
  readonly realtime?: Partial<RealtimeSettings>
  /** Settings of the auth family, over the defaults. */
  readonly auth?: AuthOptions
  /** `cli` takes the well-known keys of `supabase start` in place of the backend's own. */
  readonly keys?: 'own' | 'cli'
  /** JSON Web Keys that sign and check tokens, in place of the backend's own key. */
  readonly signingKeys?: readonly JWK[]
  /** Opens the database to drivers and psql under a URL of its own; `port` 0 or absent: a free one. */
  readonly databaseAccess?: DatabaseAccess
  /** What goes wrong from the first request on; more can come through `Backend.faults`. */
  readonly faults?: FaultPlan
  /** Told what the start spends its time on. */
  readonly onPhase?: OnPhase
}

/** The database URL for drivers and psql, on loopback alone. */
export interface DatabaseAccess extends WireLimits {
  readonly port?: number
  readonly password?: string
}

export interface Backend {
  readonly url: string
  readonly port: number
  readonly publishableKey: string
  /** Passes every policy. For servers and tests, never for a browser. */
  readonly secretKey: string
  readonly dataDir: string | undefined
  /** For drivers and psql, with the password in it; only where `databaseAccess` asked for it. */
  readonly databaseUrl: string | undefined
  readonly accounts: readonly Account[]
  /** What became of the project's files; only where `project` asked for it. */
  readonly project: ProjectReport | undefined
  /** The mails that the backend would have sent. */
  readonly inbox: Pick<Inbox, 'messages' | 'next' | 'clear'>
  /** What goes wrong on command. */
  readonly faults: FaultControl
  /** Closes sockets with 1012, lets requests end, closes the database. May be called twice. */
  stop(): Promise<void>
}

/**
 * Starts the backend.
 * @throws an error with code `EADDRINUSE` when the port is taken, `DirectoryInUseError` when the data is.
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

/** What a running backend holds, filled in as it starts. */
interface Held {
  gateway?: Gateway
  wire?: Wire
  database?: Database
  directory?: DataDirectory
  faults?: Faults
  readonly stopping: AbortController
}

async function release({ gateway, wire, database, directory, faults, stopping }: Held): Promise<void> {
  stopping.abort()
  faults?.stop()
  await Promise.all([gateway?.stop(), wire?.stop()])
  await database?.close()
  directory?.release()
}

async function run(options: BackendOptions, held: Held): Promise<Backend> {
  // The port comes first: that it is taken is then known before seconds go into opening the database.
  const endPhase = measurePhases(options.onPhase)
  // So does an origin that is none.
  options.allowOrigins?.forEach(parseOrigin)
  const project = options.project === undefined ? undefined : readProject(options.project)
  const port = options.port ?? project?.config.api.port ?? 0
  const gateway = (held.gateway = await openGateway(port, options.host))
  const directory =
    options.data === 'memory' ? undefined : (held.directory = openDataDirectory(options.data.dir))
  const secrets = secretsOf(options, project, directory?.secrets ?? generateSecrets())
  const url = `http://127.0.0.1:${gateway.port}`
  const blobs = directory ? createDiskBlobs(directory.objects) : createMemoryBlobs()
  const database = (held.database = await openDatabase(
    {
      ...(directory ? { path: directory.database } : {}),
      secrets,
      endPhase,
      rest: project?.config.api ?? {},
    },
    project ? bare(directory, blobs) : harbour(directory, blobs, options.auth?.passwordCost),
  ))
  await prepareStorage(database)
  const report = project && (await applyProject(database, project))
  if (project) endPhase('project')
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
  })
  held.faults = families.faults
  await families.realtime.start()
  const databaseUrl = await openToDrivers(options, secrets, held)
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
    accounts: project ? [] : DEMO_ACCOUNTS,
    project: report,
    inbox,
    faults: families.faults.control,
    stop: () => (stopping ??= release(held)),
  }
}

function secretsOf({ keys }: BackendOptions, project: Project | undefined, own: Secrets): Secrets {
  const { jwtSecret } = project?.config ?? {}
  return { ...own, ...(keys === 'cli' ? CLI_KEYS : {}), ...(jwtSecret === undefined ? {} : { jwtSecret }) }
}

/** Options that the project's config gives, where the caller does not. */
function settingsOf({
  config: { auth, signingKeys, jwtSecret },
}: Project): Pick<BackendOptions, 'auth' | 'signingKeys'> {
  // A project's own secret signs in place of the backend's own key.
  const keys = signingKeys ?? (jwtSecret === undefined ? undefined : [])
  return { auth, ...(keys ? { signingKeys: keys } : {}) }
}

async function openToDrivers(
  { databaseAccess, keys }: BackendOptions,
  secrets: Secrets,
  held: Held,
): Promise<string | undefined> {
  const { database } = held
  if (!databaseAccess || !database) return undefined
  const own = keys === 'cli' ? 'postgres' : databasePassword(secrets)
  const { port = 0, password = own, ...limits } = databaseAccess
  const { startWire } = await import('./wire/index.ts')
  const wire = (held.wire = await startWire({
    exclusive: work => database.exclusive(work),
    onReopened: callback => database.onReopened(callback),
    port,
    password,
    ...limits,
  }))
  return `postgresql://postgres:${encodeURIComponent(password)}@127.0.0.1:${wire.port}/postgres`
}
