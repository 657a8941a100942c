// What the backend needs of PostgreSQL, whether it is PGlite in this process or a server.
import type { RunSeries } from './series.ts'

/** Converts a value of a type, given by its OID, to PostgreSQL's text format or from it. */
export type Serializers = Record<number, (value: unknown) => string>
export type Parsers = Record<number, (text: string) => unknown>

export interface QueryOptions {
  /** Parsers of this query, before those of the driver. */
  readonly parsers?: Parsers
}

export interface Results<Row> {
  readonly rows: Row[]
  /** Rows that were returned or written. */
  readonly affectedRows?: number
}

/** Runs SQL in a session. */
export interface Session {
  query<Row>(sql: string, parameters?: unknown[], options?: QueryOptions): Promise<Results<Row>>
  /** Runs several statements, without parameters. */
  exec(sql: string): Promise<unknown>
}

export interface Driver extends Session {
  transaction<T>(work: (tx: Session) => Promise<T>): Promise<T>
  /**
   * Runs a statement just before the next one of the current task, which saves a round trip. If it fails, the
   * next one fails with its error.
   */
  readonly prepend?: (sql: string, values?: readonly string[]) => Promise<void>
  /** Calls back with each NOTIFY payload; the callback must not run SQL synchronously. */
  listen(channel: string, callback: (payload: string) => void): Promise<unknown>
  /** Registers a callback for when notifications may have been lost; PGlite loses none. */
  readonly onGap?: (callback: () => void) => void
  readonly serializers: Serializers
  readonly parsers: Parsers
}

export interface ExtensionList {
  /** Names the engine in errors. */
  readonly owner: string
  /** Whether it is a server, and not PGlite. */
  readonly isServer: boolean
  readonly available: readonly string[]
  /** Extensions that a script may create, but that do nothing. */
  readonly empty: readonly string[]
}

export interface Extensions {
  /** Makes `create extension` possible for extensions that the engine has; ignores other names. */
  provide(names: Iterable<string>): Promise<void>
  /** Provides the extensions that `create extension` statements in a script name; returns the script to run. */
  provideFor(sql: string): Promise<string>
  list(): Promise<ExtensionList>
}

/**
 * Who a session belongs to: the owner of the project's objects, or `authenticator`, which may do nothing itself and
 * assumes the roles of the API.
 */
export type Login = 'owner' | 'authenticator'

/** An open database. */
export interface Engine {
  readonly driver: Driver
  /**
   * Runs statements that only a superuser may, with no code of the project: its event triggers and functions are not
   * reached.
   */
  admin(sql: string): Promise<void>
  /** What the superuser adds to a server's database; else empty. Refers to the schema `extensions`. */
  readonly ownerPrivileges: string
  /** Runs a transaction of `authenticator` in the current session. */
  readonly series: RunSeries
  /**
   * Runs several statements in the current session, amid its transaction if there is one.
   * @throws ScriptError if one fails
   */
  runScript(sql: string): Promise<void>
  /** Runs work in a session of the owner, also amid work of `authenticator`. */
  asOwner<T>(work: () => Promise<T>): Promise<T>
  /**
   * Runs work of a session of the owner as another role, for SQL of the project: where the engine allows it, that role
   * is the login, and no SQL becomes the owner again. If the work fails, the session is still that role's.
   */
  asRole<T>(session: Session, role: string, work: () => Promise<T>): Promise<T>
  /** The statement that gives a session back to its owner, whatever a script has made of it. */
  readonly returnToOwner: string
  readonly extensions: Extensions
  /** What enters the names of extensions, with their schemas, that the engine does not have; if it cannot have them. */
  readonly enterFromStart?: (schemas: Readonly<Record<string, string>>) => string
  /** Whether PostgreSQL can end a running statement, as for `statement_timeout`. */
  readonly endsStatements: boolean
}

/** How tasks use an open database. */
export interface Access<T> {
  /**
   * Runs work in a session that no other work uses; by default, in one of the owner.
   * @throws EngineFailure if the work itself ended PostgreSQL, UnavailableError if PostgreSQL is not available
   */
  use<R>(work: (opened: T) => Promise<R>, login?: Login): Promise<R>
  /** The same, after all earlier work of this kind has settled. */
  inTurn<R>(work: (opened: T) => Promise<R>, login?: Login): Promise<R>
  /** Why PostgreSQL is not available, if it is not. */
  readonly outage: string | undefined
  close(): Promise<void>
}

/** Extensions of every database, as on the hosted service. */
export const STANDARD_EXTENSIONS = ['pgcrypto', 'uuid-ossp']

/**
 * PostgreSQL ended while running a statement, whose transaction is rolled back. The engine must be reopened.
 */
export class EngineFailure extends Error {
  override name = 'EngineFailure'
  readonly severity = 'ERROR'
  /** A SQLSTATE. */
  readonly code: string
  readonly hint: string | undefined

  constructor({ code, message, hint }: { code: string; message: string; hint?: string }, cause: unknown) {
    super(message, { cause })
    this.code = code
    this.hint = hint
  }
}

/** A statement of a script failed; the cause is PostgreSQL's error. */
export class ScriptError extends Error {
  override name = 'ScriptError'
  /** How many statements before it had completed; 0 if the script could not be parsed. */
  readonly completed: number

  constructor(completed: number, cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause })
    this.completed = completed
  }
}

/** The engine can't be used as requested; the message names the fix. */
export class EngineError extends Error {
  override name = 'EngineError'
}
