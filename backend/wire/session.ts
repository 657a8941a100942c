// One client of the database URL: it borrows the single PostgreSQL session and restores its state afterwards.
import type { PGlite } from '@electric-sql/pglite'
import { EngineFailure, type PgliteEngine, createMutex, RETURN_TO_OWNER } from '../database/index.ts'
import { fieldOf } from '../shared/fields.ts'
import { errorResponse, readAnswer, READY_FOR_QUERY } from './answers.ts'
import { WireError } from './errors.ts'
import { StatementNames } from './statement-names.ts'

/** Runs work while no other work uses the database. */
export type Exclusive = <T>(work: (engine: PgliteEngine) => Promise<T>) => Promise<T>

const SYNC = Uint8Array.of(0x53, 0, 0, 0, 4)
const QUERY = 0x51
const PARSE = 0x50
/**
 * Query, Parse, Bind, Describe, Execute, Close, Flush, Sync, FunctionCall; other messages would end
 * PostgreSQL itself.
 */
const FRONTEND_TYPES = new Set(Buffer.from('QPBDECHSF'))
/** After these messages, more follow until a Sync. */
const AMID_SERIES = new Set(Buffer.from('PBDECH'))

const CHANGES_SETTINGS = /\b(?:set|set_config|reset|discard)\b/i
const READS_FROM_CLIENT = /\bcopy\b(?:(?!\bcopy\b)[^;])*\bfrom\s+stdin\b/i
const STOPS_LISTENING = /\b(?:unlisten|discard)\b/i
const DISCARD_ALL = /^\s*discard\s+all\s*(?:;\s*)?$/i

const RESET = `${RETURN_TO_OWNER}; reset all`
/** Raises the error in PostgreSQL, so that its transaction state fails too. */
const NO_COPY = `do $$ begin raise feature_not_supported using
  message = 'COPY FROM STDIN is not supported by the embedded database.',
  hint = 'Use INSERT; pg_dump --inserts writes them.'; end $$`
const LEAVE = 'close all; discard temp; select pg_advisory_unlock_all()'

interface Loan {
  readonly engine: PgliteEngine
  giveBack(): void
}

export class WireSession {
  readonly #exclusive: Exclusive
  readonly #statements: StatementNames
  #settings: ReadonlyMap<string, string>
  readonly #turns = createMutex()
  readonly #customSettings = new Set<string>()
  #loan: Loan | undefined
  #changesSettings = false
  #stopsListening = false
  /**
   * After an error within a series of messages, the rest of the series is void. PGlite does not track this
   * between messages.
   */
  #skipsToSync = false
  #isRevoked = false
  #hasBorrowed = false
  #hasFailed = false

  constructor(exclusive: Exclusive, client: number, settings: ReadonlyMap<string, string>) {
    this.#exclusive = exclusive
    this.#statements = new StatementNames(client)
    this.#settings = settings
  }

  /** Whether the database is blocked for others until this client continues. */
  get isHolding(): boolean {
    return this.#loan !== undefined
  }

  /** Whether PostgreSQL may have state of this session, which is lost when the database is reopened. */
  get hasBorrowed(): boolean {
    return this.#hasBorrowed
  }

  /** Handles one message; waits until the database is free. */
  handle(message: Uint8Array): Promise<Uint8Array> {
    return this.#turns.run(() =>
      this.#answer(message).catch((error: unknown) => this.#answerFailure(error, message)),
    )
  }

  /** Cancels statements that still wait for the database. */
  revoke(): void {
    this.#isRevoked = true
  }

  /** Rolls back open transactions and removes all state of the client. May be called twice. */
  async end(): Promise<void> {
    await this.#turns.run(() => this.#depart()).catch(() => undefined)
    await this.#turns.close()
  }

  async #answer(message: Uint8Array): Promise<Uint8Array> {
    const text = textOf(message)
    refuse(message)
    if (this.#skipsToSync && message[0] !== SYNC[0]) return new Uint8Array()
    if (this.#skipsToSync && this.#hasFailed) {
      this.#skipsToSync = false
      return READY_FOR_QUERY
    }
    this.#loan ??= await this.#borrow()
    if (this.#isRevoked) return new Uint8Array()
    const { driver, extensions } = this.#loan.engine
    await extensions.provideFor(text)
    if (CHANGES_SETTINGS.test(text)) this.#changesSettings = true
    if (STOPS_LISTENING.test(text)) this.#stopsListening = true
    for (const name of customSettings(text)) this.#customSettings.add(name)
    const request = replacement(message, text) ?? this.#statements.translate(message)
    const isAmidSeries = AMID_SERIES.has(message[0] ?? 0)
    const answer = readAnswer(await driver.execProtocolRaw(request), isAmidSeries)
    this.#skipsToSync = answer.hasFailed && isAmidSeries
    if (answer.state === 'idle') await this.#leave(false)
    return answer.bytes
  }

  /**
   * Drivers report an error only once the server is ready again, so the statement that ended PostgreSQL gets
   * an ordinary error. The reopening starts now; afterwards this session is ended like the others.
   */
  #answerFailure(error: unknown, message: Uint8Array): Uint8Array {
    if (!(error instanceof EngineFailure)) throw error
    this.#hasFailed = true
    this.#skipsToSync = AMID_SERIES.has(message[0] ?? 0)
    this.#loan?.giveBack()
    this.#loan = undefined
    const response = errorResponse(error)
    return this.#skipsToSync ? response : Buffer.concat([response, READY_FOR_QUERY])
  }

  async #depart(): Promise<void> {
    if (!this.#hasBorrowed) return
    this.#loan ??= await this.#borrow()
    const { giveBack, engine } = this.#loan
    try {
      const { driver } = engine
      // Runs before the Sync, which would commit an unfinished series of messages.
      await driver.execProtocolRaw(query('rollback'))
      await driver.execProtocolRaw(SYNC)
      await driver.exec(LEAVE)
      await this.#leave(true)
    } finally {
      giveBack()
    }
  }

  #borrow(): Promise<Loan> {
    const { promise, resolve, reject } = Promise.withResolvers<Loan>()
    this.#exclusive(async engine => {
      await this.#restore(engine.driver)
      this.#hasBorrowed = true
      await new Promise<void>(giveBack => resolve({ engine, giveBack }))
    }).catch(reject)
    return promise
  }

  async #leave(forGood: boolean): Promise<void> {
    const loan = this.#loan
    if (!loan) return
    try {
      const { driver } = loan.engine
      if (this.#changesSettings) this.#settings = await readSettings(driver, [...this.#customSettings])
      this.#changesSettings = false
      const dropped = this.#statements.takeDropped(forGood)
      await driver.exec(RESET)
      await deallocate(driver, dropped)
      if (this.#stopsListening) await listenAgain(loan.engine)
      this.#stopsListening = false
    } finally {
      this.#loan = undefined
      loan.giveBack()
    }
  }

  async #restore(driver: PGlite): Promise<void> {
    if (this.#settings.size === 0) return
    const values = [...this.#settings].flat()
    const calls = values.flatMap((_, index) =>
      index % 2 === 0 ? [`set_config($${index + 1}, $${index + 2}, false)`] : [],
    )
    await driver.query(`select ${calls.join(', ')}`, values).catch((error: unknown) => {
      const code = fieldOf(error, 'code')
      throw error instanceof Error && typeof code === 'string' ? new WireError(code, error.message) : error
    })
  }
}

function refuse(message: Uint8Array): void {
  if (!FRONTEND_TYPES.has(message[0] ?? 0)) {
    throw new WireError('08P01', 'Unsupported message.')
  }
}

/** A replacement for statements that the shared session or PGlite does not support. */
function replacement(message: Uint8Array, text: string): Uint8Array | undefined {
  if (message[0] !== QUERY) return undefined
  if (DISCARD_ALL.test(text)) return query(RESET)
  return READS_FROM_CLIENT.test(text) ? query(NO_COPY) : undefined
}

/** The SQL of a message, if it has any. */
function textOf(message: Uint8Array): string {
  if (message[0] !== QUERY && message[0] !== PARSE) return ''
  return Buffer.from(message.subarray(5)).toString().replaceAll('\0', ' ')
}

function query(sql: string): Uint8Array {
  const text = Buffer.from(`${sql}\0`)
  const head = Buffer.from([QUERY, 0, 0, 0, 0])
  head.writeInt32BE(4 + text.length, 1)
  return Buffer.concat([head, text])
}

/** Settings with a dot in their name, which PostgreSQL does not list. */
function customSettings(text: string): string[] {
  const change = /\b(?:set(?:\s+(?:session|local))?\s+|set_config\s*\(\s*')([a-z_]\w*\.[\w.]+)/gi
  return [...text.matchAll(change)].map(([, name = '']) => name)
}

/** The role is set last, because it may lack permission for the other settings. */
async function readSettings(driver: PGlite, custom: string[]): Promise<ReadonlyMap<string, string>> {
  const { rows } = await driver.query<{ name: string; setting: string | null }>(
    `select name, setting from pg_settings where source = 'session'
     union all select name, current_setting(name, true) from unnest($1::text[]) as custom (name)
     union all select 'session_authorization', session_user
     union all select 'role', current_setting('role')`,
    [custom],
  )
  return new Map(rows.flatMap(({ name, setting }) => (setting === null ? [] : [[name, setting]])))
}

/**
 * A client's UNLISTEN affects the shared session, in which the backend listens too, so this listens again.
 */
async function listenAgain({ driver, channels }: PgliteEngine): Promise<void> {
  for (const channel of channels) await driver.exec(`listen ${channel}`)
}

/** Skips names whose Parse failed, because they do not exist. */
async function deallocate(driver: PGlite, names: readonly string[]): Promise<void> {
  if (names.length === 0) return
  const { rows } = await driver.query<{ name: string }>(
    'select name from pg_prepared_statements where name = any($1)',
    [names],
  )
  if (rows.length > 0) await driver.exec(rows.map(({ name }) => `deallocate ${name}`).join('; '))
}
