// What differs between the kinds of PostgreSQL: how their clusters are created and opened.
import type { Access, Engine } from './engine.ts'
import type { PgliteEngine } from './pglite/engine.ts'
import type { WithSqlSession } from './sql-session.ts'
import type { Claims } from '../keys/index.ts'

/** REST on an engine; it runs in a session of `authenticator`. */
export interface Rest {
  /** Responds to a request with the given claims, whose role exists; the request's own credentials are ignored. */
  respond(request: Request, claims: Claims): Promise<Response>
  /** Responds to a request for the root with a description of what the role may use, whatever settings the root has. */
  describe(request: Request, claims: Claims): Promise<Response>
  /** The schemas that it serves; the first is the default. */
  servedSchemas(): Promise<readonly string[]>
}

/** An engine, with REST on top of it if the database serves it. */
export interface Prepared<E extends Engine = Engine> {
  readonly engine: E
  readonly rest: Rest | undefined
}

/** What a database had that the backend did not create. */
export interface ExistingDatabase {
  /** The roles of the API; what they may do with new tables is then not changed. */
  readonly hasRoles: boolean
}

/** The services of the database, on an engine that has just been opened. */
export interface Services {
  /** What each session of the database starts with, and what `reset all` restores. */
  readonly settings: Readonly<Record<string, string>>
  /** Upgrades the system's schemas to this code's version and starts REST. */
  prepare<E extends Engine>(engine: E, existing?: ExistingDatabase): Promise<Prepared<E>>
  /** Restores the state of sessions after the engine was reopened. */
  resume(engine: PgliteEngine): Promise<void>
}

/** What the backend created in a database. */
export interface Additions {
  readonly roles: readonly string[]
  readonly schemas: readonly string[]
}

/** An open cluster. */
export interface Opened {
  readonly access: Access<Prepared>
  listen(channel: string, callback: (payload: string) => void): Promise<void>
  /** Registers a callback for when notifications may have been lost. */
  onGap(callback: () => void): void
  readonly withSqlSession: WithSqlSession
  /** Only of PGlite: exclusive access to its session, which drivers share with the backend. */
  readonly exclusive?: <T>(work: (engine: PgliteEngine) => Promise<T>) => Promise<T>
  /** Only of a server that drivers can connect to: its URL, with the password. */
  readonly driverUrl?: string | undefined
  /** Only of a running database: what the backend created in it at this start. */
  readonly additions?: () => Promise<Additions>
}

/** A folder with a cluster, or the file of a packed one that is copied first, and is then used for this process only. */
export type ClusterPlace = { readonly folder: string } | { readonly copyOf: string }

/** A kind of PostgreSQL that keeps its clusters in folders. */
export interface Clusters {
  readonly kind: 'pglite' | 'postgres'
  /** Only the same version can open a cluster. */
  readonly version: string
  /** The major version in the file PG_VERSION. */
  readonly major: string
  /** Whether the cache of prepared clusters may be in a folder. */
  canUse(folder: string): boolean
  /** Creates an empty cluster; the folder does not exist. */
  create(folder: string): Promise<void>
  open(place: ClusterPlace, services: Services): Promise<Opened>
}
