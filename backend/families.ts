// Creates the five services and the tools next to them.
import type { BackendOptions } from './index.ts'
import { authSettings, createAuth, createMailer, createOtherServer, type OtherServer } from './auth/index.ts'
import { systemClock, type Clock } from './shared/clock.ts'
import { renderedFolder, type Secrets } from './shared/data-directory.ts'
import type { Database } from './database/index.ts'
import { createFaults, createShiftableClock, type Faults } from './faults/index.ts'
import {
  createEdgeFunctions,
  createFunctions,
  DEMO_FUNCTIONS,
  type Deno,
  type EdgeFunctions,
  type EdgeFunctionsConfig,
} from './functions/index.ts'
import { createHealth } from './health.ts'
import { createInboxRoutes, type Inbox } from './inbox/index.ts'
import { isLoopback, LOOPBACK } from './shared/hosts.ts'
import { localUrl } from './shared/local-url.ts'
import { type Families, createOriginPolicy, parseOrigin } from './gateway/index.ts'
import type { ProjectFollower } from './project/index.ts'
import { createRealtime } from './realtime/index.ts'
import { createRest, describeSchemas, describeServedAccess } from './rest/index.ts'
import type { SqlTool } from './sql/index.ts'
import { createStorage, type Blobs } from './storage/index.ts'
import { createTokens, type Tokens } from './keys/index.ts'

/** Dependencies that any service may need. */
export interface Parts {
  readonly options: BackendOptions
  readonly url: string
  readonly secrets: Secrets
  readonly blobs: Blobs
  readonly database: Database
  readonly inbox: Inbox
  readonly stopping: AbortSignal
  /** The data directory; absent if the data is in memory. */
  readonly dataDir: string | undefined
  /** The port that the project configures. */
  readonly apiPort: number | undefined
  /** A project's Edge Functions, and what runs them; absent if there are none, or nothing that could. */
  readonly edge: EdgeParts | undefined
  /** What follows the files of the project. */
  readonly follower?: ProjectFollower | undefined
  /** The URL of the auth server that replaces the backend's own. */
  readonly authUrl: string | undefined
}

export interface EdgeParts {
  readonly functions: EdgeFunctionsConfig
  readonly deno: Deno
  /** Opens the database to drivers, if it is not open already. */
  readonly databaseUrl: () => Promise<string>
}

/** Creates the services; faults can shift their shared clock. */
export async function createFamilies(parts: Parts): Promise<
  Families & {
    readonly faults: Faults
    readonly clock: Clock
    readonly edgeFunctions?: EdgeFunctions
    readonly otherAuth?: OtherServer
  }
> {
  const { options, url, secrets, blobs, database, inbox, stopping, dataDir, edge, apiPort, authUrl } = parts
  const clock = createShiftableClock(options.clock ?? systemClock)
  // The shared secret is the only key that both auth servers have.
  const signingKeys = authUrl === undefined ? options.signingKeys : []
  const tokens = await createTokens(secrets, {
    clock,
    ...(signingKeys ? { signingKeys } : {}),
    needsKey: options.keys !== 'cli',
  })
  const otherAuth = authUrl === undefined ? undefined : createOtherServer(authUrl, tokens)
  const faults = createFaults({ database, tokens, clock, plan: options.faults })
  const isForNetwork = !isLoopback(options.host ?? LOOPBACK)
  const hasStandIn = options.oauthStandIn ?? !isForNetwork
  const auth = { ...options.auth, ...(hasStandIn ? {} : { external: {} }) }
  const settings = authSettings(auth, { url, jwtExpiry: options.accessTokenSeconds })
  const toLocal = (address: string) =>
    localUrl(address, { port: Number(new URL(url).port), configured: apiPort })
  const allowed = (options.allowOrigins ?? []).map(parseOrigin)
  const answerAuth =
    otherAuth?.handle ??
    createAuth({
      database,
      tokens,
      settings,
      clock,
      mailer: createMailer(inbox, clock),
      secrets,
      url,
      hooks: options.authHooks ?? {},
      outgoing: { allowsOutgoing: options.allowOutgoing ?? false, toLocal },
    })
  return {
    tokens,
    origins: createOriginPolicy([settings.siteUrl, ...settings.redirectUrls, ...allowed]),
    isStandInForNetwork: isForNetwork && hasStandIn,
    fileSizeLimit: options.fileSizeLimit,
    auth: answerAuth,
    ...(parts.follower ? { project: await createProject(parts, parts.follower, answerAuth) } : {}),
    ...(otherAuth ? { otherAuth } : {}),
    rest: createRest({ database, tokens, clock }),
    storage: createStorage({
      database,
      tokens,
      blobs,
      clock,
      renderedFolder: dataDir && renderedFolder(dataDir),
      fileSizeLimit: options.fileSizeLimit,
    }),
    functions: createFunctions({
      tokens,
      secrets,
      url,
      folder: options.functionsDir ?? (options.project === undefined ? DEMO_FUNCTIONS : undefined),
    }),
    ...(edge ? { edgeFunctions: createEdge(parts, edge, tokens) } : {}),
    realtime: createRealtime({
      database,
      tokens,
      clock,
      settings: options.realtime,
      wrap: faults.wrap,
    }),
    faults,
    clock,
    health: createHealth(database, dataDir),
    access: async () =>
      Response.json(await describeServedAccess(database), { headers: { 'cache-control': 'no-store' } }),
    schema: async () =>
      Response.json(await describeSchemas(database, url), { headers: { 'cache-control': 'no-store' } }),
    sql: lazySqlTool(database, url, clock),
    inbox: createInboxRoutes({ inbox, clock, stopping }),
    site: options.site,
  }
}

/** The module is only loaded for a followed project. */
async function createProject(
  { database, secrets, stopping, url }: Parts,
  follower: ProjectFollower,
  auth: Families['auth'],
): Promise<Families['auth']> {
  const { createProjectRoutes } = await import('./project/index.ts')
  const headers = {
    apikey: secrets.secretKey,
    authorization: `Bearer ${secrets.secretKey}`,
    'content-type': 'application/json',
    'x-forwarded-for': LOOPBACK,
  }
  return createProjectRoutes({
    follower,
    database,
    stopping,
    createUser: async account =>
      auth(
        new Request(`${url}/auth/v1/admin/users`, {
          method: 'POST',
          headers,
          body: JSON.stringify({ ...account, email_confirm: true }),
        }),
      ),
  })
}

/** The module is only loaded on first use. */
function lazySqlTool(database: Database, url: string, clock: Clock): SqlTool {
  let tool: Promise<SqlTool> | undefined
  const load = async () =>
    (await import('./sql/index.ts')).createSqlTool({ database, url, now: () => clock.now() })
  return async (request, connection) => (await (tool ??= load()))(request, connection)
}

/** The variables have the names and values of the local stack of the Supabase CLI, and of hosted projects. */
function createEdge({ options, url, secrets }: Parts, edge: EdgeParts, tokens: Tokens): EdgeFunctions {
  const { publishableKey, secretKey } = secrets
  // Signed once: they are the legacy API keys, which do not expire while the backend runs.
  const legacyKeys = ['anon', 'service_role'].map(role => tokens.sign({ iss: 'supabase', role, exp: FAR }))
  return createEdgeFunctions({
    deno: edge.deno,
    functions: edge.functions,
    tokens,
    ...(options.onFunctionLog ? { onLog: options.onFunctionLog } : {}),
    variables: async () => {
      const [anonKey = '', serviceRoleKey = ''] = await Promise.all(legacyKeys)
      return {
        SUPABASE_URL: url,
        SUPABASE_ANON_KEY: anonKey,
        SUPABASE_SERVICE_ROLE_KEY: serviceRoleKey,
        SUPABASE_DB_URL: await edge.databaseUrl(),
        SUPABASE_PUBLISHABLE_KEYS: JSON.stringify({ default: publishableKey }),
        SUPABASE_SECRET_KEYS: JSON.stringify({ default: secretKey }),
        SUPABASE_JWKS: JSON.stringify({ keys: tokens.jwks }),
      }
    },
  })
}

/** 2100, in seconds. */
const FAR = 4_102_444_800
