// Sessions for SQL that a user writes: any statements, texts as results, and nothing of a session remains.
import type { Engine, Login } from './engine.ts'

/** A column of a result, as PostgreSQL describes it. */
export interface SqlField {
  readonly name: string
  /** OID of the table that it comes from unchanged; 0 for an expression. */
  readonly tableId: number
  /** Number of the column in that table; 0 for an expression. */
  readonly columnId: number
  readonly typeId: number
  readonly typeModifier: number
}

/** A notice or an error of PostgreSQL. */
export interface SqlMessage {
  readonly severity: string
  /** SQLSTATE. */
  readonly code: string
  readonly message: string
  readonly detail?: string
  readonly hint?: string
  /** The functions that were running. */
  readonly where?: string
  /** Which character of the statement it is about; the first is 1. */
  readonly position?: number
  readonly schema?: string
  readonly table?: string
  readonly column?: string
  readonly constraint?: string
}

export type SqlRow = readonly (string | null)[]

/** The result of one statement. */
export interface SqlOutcome {
  /** Undefined for a statement without rows. */
  readonly fields: readonly SqlField[] | undefined
  /** Values as PostgreSQL writes them. */
  readonly rows: readonly SqlRow[]
  /** Whether there are more rows; the statement was ended after those. */
  readonly hasMore: boolean
  /** The command tag, such as `INSERT 0 5`; undefined after an error, and if there are more rows. */
  readonly tag: string | undefined
  readonly error: SqlMessage | undefined
  readonly notices: readonly SqlMessage[]
  /** All notices, also those that were dropped. */
  readonly noticeCount: number
  readonly state: SqlState
}

/** Whether a transaction is open; `lost` if the session has ended. */
export type SqlState = 'idle' | 'inTransaction' | 'failed' | 'lost'

export interface SqlSession {
  /**
   * Runs one statement; a failed one resolves, too.
   * @param maxRows rows are read up to this number
   */
  run(sql: string, maxRows: number): Promise<SqlOutcome>
  /** Why PostgreSQL was asked to cancel, if it was. */
  readonly canceledBy: CancelReason | undefined
}

/** The user; the time limit; or a result that is too large to hold. */
export type CancelReason = 'user' | 'timeLimit' | 'size'

export interface SqlSessionOptions {
  readonly login: Login
  /** Cancels what runs. */
  readonly signal: AbortSignal
  /**
   * The file descriptor of the user's connection, if there is one: PGlite computes on the thread that would notice that
   * the connection was closed, so another one watches it.
   */
  readonly descriptor: () => number | undefined
  /** For all statements together. */
  readonly limitMs: number
}

/**
 * Runs work in a session that is closed afterwards. Settings, roles, temporary tables, prepared statements, locks and an
 * open transaction end with it.
 * @throws UnavailableError if the database can't be reached
 */
export type WithSqlSession = <T>(
  options: SqlSessionOptions,
  work: (session: SqlSession) => Promise<T>,
) => Promise<T>

/** Bytes of results that are held in memory. */
export const MOST_BYTES = 64 * 1024 * 1024
const MOST_NOTICES = 200

/** What `provideFor` of extensions may change. */
const CHANGES_EXTENSIONS = /\b(?:extension|event\s+trigger|publication)\b/i

/** Returns the statement to run. */
export async function provideExtensions(
  { extensions }: Pick<Engine, 'extensions'>,
  sql: string,
): Promise<string> {
  return CHANGES_EXTENSIONS.test(sql) ? extensions.provideFor(sql) : sql
}

type MessageFields = Partial<Record<keyof SqlMessage, unknown>>

/** The fields of an error or notice of a driver. */
export function messageOf(fields: MessageFields): SqlMessage {
  const text = (value: unknown): string | undefined =>
    typeof value === 'string' && value !== '' ? value : undefined
  const optional = Object.fromEntries(
    (['detail', 'hint', 'where', 'schema', 'table', 'column', 'constraint'] as const).flatMap(name => {
      const value = text(fields[name])
      return value === undefined ? [] : [[name, value]]
    }),
  )
  const position = Number(fields.position)
  return {
    severity: text(fields.severity) ?? 'ERROR',
    code: text(fields.code) ?? 'XX000',
    message: text(fields.message) ?? '',
    ...optional,
    ...(position > 0 ? { position } : {}),
  }
}

/** Collects the messages that follow one statement. */
export class OutcomeReader {
  readonly #maxRows: number
  readonly #onTooLarge: () => void
  readonly #hasPositions: boolean
  readonly #rows: SqlRow[] = []
  readonly #notices: SqlMessage[] = []
  #noticeCount = 0
  #bytes = 0
  #hasMore = false
  #fields: readonly SqlField[] | undefined
  #tag: string | undefined
  #error: SqlMessage | undefined
  #state: SqlState = 'idle'

  /**
   * @param onTooLarge called once the rows take more than `MOST_BYTES`
   * @param hasPositions whether positions are those of what the user wrote
   */
  constructor(maxRows: number, onTooLarge: () => void, hasPositions: boolean) {
    this.#maxRows = maxRows
    this.#onTooLarge = onTooLarge
    this.#hasPositions = hasPositions
  }

  describe(fields: readonly SqlField[]): void {
    this.#fields = fields
  }

  row(row: SqlRow): void {
    if (this.#rows.length >= this.#maxRows) this.#hasMore = true
    else if (this.#bytes <= MOST_BYTES) {
      this.#rows.push(row)
      for (const value of row) this.#bytes += (value?.length ?? 0) + 8
      if (this.#bytes > MOST_BYTES) this.#onTooLarge()
    }
  }

  notice(fields: MessageFields): void {
    this.#noticeCount += 1
    if (this.#notices.length < MOST_NOTICES) this.#notices.push(messageOf(fields))
  }

  complete(tag: string): void {
    this.#tag = tag
  }

  fail(fields: MessageFields): void {
    this.#error ??= messageOf(this.#hasPositions ? fields : { ...fields, position: undefined })
  }

  /** @param status as in the protocol: `I`, `T` or `E` */
  ready(status: string | null): void {
    this.#state = status === 'T' ? 'inTransaction' : status === 'E' ? 'failed' : 'idle'
  }

  end(state: SqlState = this.#state): SqlOutcome {
    return {
      fields: this.#fields,
      rows: this.#rows,
      hasMore: this.#hasMore,
      tag: this.#tag,
      error: this.#error,
      notices: this.#notices,
      noticeCount: this.#noticeCount,
      state,
    }
  }
}
