// The embedded backend: all five services in one process on one loopback port. For development only.
import type { JWK } from 'jose'
import type { AuthOptions, HookSettings } from './auth/index.ts'
import type { Additions } from './database/index.ts'
import { warmPglite } from './database/pglite/binaries.ts'
import type { Account, DemoContent } from './demo/index.ts'
import type { FaultControl, FaultPlan } from './faults/index.ts'
import type { FunctionLogLine } from './functions/index.ts'
import type { Inbox } from './inbox/index.ts'
import type { ProjectFollower, ProjectReport } from './project/index.ts'
import type { RealtimeSettings } from './realtime/index.ts'
import type { Clock } from './shared/clock.ts'
import type { OnPhase } from './shared/phases.ts'
import type { WireLimits } from './wire/index.ts'

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
  /** Added to a new database of the demo; nothing for a project. */
  readonly demoContent?: DemoContent | undefined
  /**
   * Whether the project's files are watched: changes are applied as they are saved, and a broken migration is reported
   * by `Backend.projectFollower` instead of stopping the start. Defaults to false.
   */
  readonly followProject?: boolean
  /** Versions of the project's migrations to record as applied without running them; the data remembers them. */
  readonly skipMigrations?: readonly string[]
  /** Folder with functions as `<name>.ts`; defaults to the demo's, and to none for a project. */
  readonly functionsDir?: string
  /**
   * What runs a project's Edge Functions: the path of a Deno program, or false to run none. By default, npm's
   * `deno` next to the backend, or `deno` in `PATH`, but none inside of the project.
   */
  readonly deno?: string | false
  /** Called with each line that an Edge Function prints. */
  readonly onFunctionLog?: (line: FunctionLogLine) => void
  /** The clock for all expiries; defaults to the machine's. */
  readonly clock?: Clock
  /** Realtime limits that differ from the original's defaults. */
  readonly realtime?: Partial<RealtimeSettings>
  /** The size of the largest file in bytes; defaults to the project's, and to none for the demo. */
  readonly fileSizeLimit?: number
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
  /** The report on the project's files; only set if `project` is given, and its files could be applied. */
  readonly project: ProjectReport | undefined
  /** The state of the project as its files change; only set if `followProject` is. */
  readonly projectFollower: ProjectFollower | undefined
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
  const engine = options.engine ?? process.env['CHARTROOM_ENGINE'] ?? 'pglite'
  if (engine === 'pglite') warmPglite()
  // Loads while other threads compile PostgreSQL.
  const { start } = await import('./start.ts')
  return start(options, engine)
}
