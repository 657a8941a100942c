// The embedded backend: all five endpoint families in one process on one loopback port. Development only.
import { createAuth } from './auth/index.ts'
import { systemClock, type Clock } from './clock.ts'
import { generateSecrets, openDataDirectory, type DataDirectory, type Secrets } from './data-directory.ts'
import { openDatabase, type Database, type Preparation } from './database.ts'
import { copyFolder } from './database/snapshot.ts'
import { CHARTS_POLICIES, HARBOUR_SCHEMA, TOPIC_POLICIES } from './demo/schema.ts'
import { DEMO_ACCOUNTS, seedHarbour, type Account } from './demo/seed.ts'
import { seedCharts } from './demo/charts.ts'
import { fieldOf, textOf } from './fields.ts'
import { createFunctions } from './functions-runner.ts'
import { measurePhases, type OnPhase } from './phases.ts'
import { createInboxRoutes } from './inbox/index.ts'
import { createInbox, type Inbox } from './inbox/store.ts'
import { openGateway, type Families, type Gateway } from './gateway.ts'
import { createRealtime } from './realtime/index.ts'
import { REALTIME_SCHEMA } from './realtime/schema.ts'
import { createRest } from './rest.ts'
import { createStorage } from './storage/index.ts'
import { copyBlobs, createDiskBlobs, createMemoryBlobs, type Blobs } from './storage/blobs.ts'
import { STORAGE_SCHEMA } from './storage/schema.ts'
import { createTokens } from './tokens.ts'
import type { Wire } from './wire/index.ts'
import { databasePassword } from './wire/password.ts'

export interface BackendOptions {
  /** 0 or absent: a free one. */
  readonly port?: number
  /** Where to listen; loopback unless given. Anything else lets others on the network in: warn of it. */
  readonly host?: string
  readonly data: 'memory' | { readonly dir: string }
  /** Life of an access token; an hour unless given. */
  readonly accessTokenSeconds?: number
  /** Serves every path that belongs to no endpoint family. */
  readonly site?: (request: Request) => Response | Promise<Response>
  /** Where functions lie as `<name>.ts`; the demo's own unless given. */
  readonly functionsDir?: string
  /** What expires, expires by this clock; the machine's unless given. */
  readonly clock?: Clock
  /** Opens the database to drivers and psql under a URL of its own; `port` 0 or absent: a free one. */
  readonly databaseAccess?: { readonly port?: number; readonly password?: string }
  /** Told what the start spends its time on. */
  readonly onPhase?: OnPhase
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
  /** The mails that the backend would have sent. */
  readonly inbox: Pick<Inbox, 'messages' | 'next' | 'clear'>
  /** Closes sockets with 1001, lets requests end, closes the database. May be called twice. */
  stop(): Promise<void>
}

const ACCESS_TOKEN_SECONDS = 3_600

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
  readonly stopping: AbortController
}

async function release({ gateway, wire, database, directory, stopping }: Held): Promise<void> {
  stopping.abort()
  await Promise.all([gateway?.stop(), wire?.stop()])
  await database?.close()
  directory?.release()
}

async function run(options: BackendOptions, held: Held): Promise<Backend> {
  // The port comes first: that it is taken is then known before seconds go into opening the database.
  const endPhase = measurePhases(options.onPhase)
  const gateway = (held.gateway = await openGateway(options.port ?? 0, options.host))
  const directory =
    options.data === 'memory' ? undefined : (held.directory = openDataDirectory(options.data.dir))
  const secrets = directory?.secrets ?? generateSecrets()
  const url = `http://127.0.0.1:${gateway.port}`
  const blobs = directory ? createDiskBlobs(directory.objects) : createMemoryBlobs()
  const accessTokenSeconds = options.accessTokenSeconds ?? ACCESS_TOKEN_SECONDS
  const database = (held.database = await openDatabase(
    { ...(directory ? { path: directory.database } : {}), secrets, accessTokenSeconds, endPhase },
    harbour(directory, blobs),
  ))
  const inbox = createInbox()
  const families = createFamilies({
    options,
    url,
    secrets,
    blobs,
    database,
    inbox,
    stopping: held.stopping.signal,
  })
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
    accounts: DEMO_ACCOUNTS,
    inbox,
    stop: () => (stopping ??= release(held)),
  }
}

async function openToDrivers(
  { databaseAccess }: BackendOptions,
  secrets: Secrets,
  held: Held,
): Promise<string | undefined> {
  const { database } = held
  if (!databaseAccess || !database) return undefined
  const { port = 0, password = databasePassword(secrets) } = databaseAccess
  const { startWire } = await import('./wire/index.ts')
  const wire = (held.wire = await startWire({ exclusive: work => database.exclusive(work), port, password }))
  return `postgresql://postgres:${encodeURIComponent(password)}@127.0.0.1:${wire.port}/postgres`
}

interface Parts {
  readonly options: BackendOptions
  readonly url: string
  readonly secrets: Secrets
  readonly blobs: Blobs
  readonly database: Database
  readonly inbox: Inbox
  readonly stopping: AbortSignal
}

function createFamilies({ options, url, secrets, blobs, database, inbox, stopping }: Parts): Families {
  const tokens = createTokens(secrets)
  return {
    tokens,
    auth: createAuth({ database, tokens, url }),
    rest: createRest({ database, tokens }),
    storage: createStorage({ database, tokens, blobs }),
    functions: createFunctions({
      tokens,
      secrets,
      url,
      ...(options.functionsDir ? { folder: options.functionsDir } : {}),
    }),
    realtime: createRealtime(database, tokens),
    inbox: createInboxRoutes({ inbox, clock: options.clock ?? systemClock, stopping }),
    site: options.site,
  }
}

function harbour(directory: DataDirectory | undefined, blobs: Blobs): Preparation {
  return {
    kind: 'harbour',
    prepare: (created, objects, secrets) => prepareHarbour(created, createDiskBlobs(objects), secrets),
    adopt: async objects => (directory ? copyFolder(objects, directory.objects) : copyBlobs(objects, blobs)),
  }
}

async function prepareHarbour(database: Database, blobs: Blobs, secrets: Secrets): Promise<void> {
  await database.owner(async tx => {
    for (const script of [STORAGE_SCHEMA, REALTIME_SCHEMA, HARBOUR_SCHEMA, CHARTS_POLICIES, TOPIC_POLICIES]) {
      await tx.script(script)
    }
  })
  const ids = await seedHarbour(database, account => signUp(database, secrets, account))
  await seedCharts(database, blobs, ids)
}

async function signUp(database: Database, secrets: Secrets, account: Account): Promise<string> {
  const response = await database.fetch(
    new Request('http://127.0.0.1/auth/v1/signup', {
      method: 'POST',
      headers: { apikey: secrets.publishableKey, 'content-type': 'application/json' },
      body: JSON.stringify(account),
    }),
  )
  const body: unknown = await response.json()
  const id = textOf(fieldOf(body, 'user'), 'id')
  if (id === undefined)
    throw new Error(`The demo account ${account.email} could not be made (${response.status}).`)
  return id
}
