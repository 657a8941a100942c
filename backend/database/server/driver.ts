// The driver of a PostgreSQL server: a pool of sessions, each used by one task, and one more that listens.
import { AsyncLocalStorage } from 'node:async_hooks'
import pg from 'pg'
import { StoppedError } from '../../shared/unavailable.ts'
import {
  type Driver,
  type Login,
  type Parsers,
  type QueryOptions,
  type Results,
  ScriptError,
  type Serializers,
} from '../engine.ts'
import { arrayText, JSON_TYPES, jsonText, textOf } from '../values.ts'
import { PARSERS } from '../parsers.ts'
import { createSlots } from '../mutex.ts'
import {
  BYTEA,
  bytesOf,
  hexOf,
  type Isolation,
  type Keeping,
  type RunSeries,
  seriesOf,
  type SeriesStatement,
  UNDO,
} from '../series.ts'
import { createListener } from './listener.ts'
import { Script } from './script.ts'
import { type Prepended, Statement } from './statement.ts'
import { isLost, unreachable } from './unreachable.ts'

export interface ServerDriver extends Driver {
  /**
   * Runs a task in a separate session, by default the owner's: all its queries use that session. A task of
   * `authenticator` may have tasks of the owner within, but not the other way round.
   * @throws UnavailableError if the server can't be reached
   */
  inSession<T>(task: () => Promise<T>, login?: Login): Promise<T>
  onGap(callback: () => void): void
  prepend(sql: string, values?: readonly string[]): Promise<void>
  readonly series: RunSeries
  /** @throws ScriptError if a statement fails, UnavailableError if the server can't be reached */
  script(sql: string): Promise<void>
  /**
   * Reserves the database for this driver until it is closed.
   * @throws EngineError if another backend uses it
   */
  lock(): Promise<void>
  /** Why the server can't be reached, if it can't. */
  readonly outage: string | undefined
  close(): Promise<void>
}

/** A session on loan to a task. */
interface Lease {
  readonly client: pg.PoolClient
  /** Settles when the session is free for the next statement. */
  tail: Promise<unknown>
  /** What runs just before the next statement. */
  prepended: Prepended[]
}

/** For each login; enough for parallel requests, as a server has 100 by default, for all its clients. */
const SESSIONS = 10
const CONNECT_MS = 10_000
const IDLE_MS = 30_000

/** The settings of each session, like those of a hosted database. */
const SETTINGS = `-c search_path="$user",public,extensions -c timezone=UTC -c datestyle=ISO -c intervalstyle=postgres`

export interface ServerAddress {
  readonly config: pg.ClientConfig
  /** The user of the sessions of `authenticator`, if they have an own one. */
  readonly authenticator?: string
  /** Names the server in errors, without a password. */
  readonly name: string
}

/** The configuration of the owner's sessions. */
export function sessionConfig(
  { config }: ServerAddress,
  settings: Readonly<Record<string, string>>,
): pg.ClientConfig {
  const settingOptions = Object.entries(settings).map(([setting, value]) => ` -c ${setting}=${value}`)
  return {
    ...config,
    application_name: 'chartroom',
    options: `${SETTINGS}${settingOptions.join('')}`,
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
  }
}

/**
 * Connects with the first query.
 * @param settings what each session starts with; names and values contain no spaces
 */
export function openDriver(
  address: ServerAddress,
  settings: Readonly<Record<string, string>> = {},
): ServerDriver {
  const { authenticator, name } = address
  const config = sessionConfig(address, settings)
  const owners = openPool(config)
  const pools = {
    owner: owners,
    authenticator: authenticator === undefined ? owners : openPool({ ...config, user: authenticator }),
  }
  const current = new AsyncLocalStorage<Lease>()
  const [serializers, parsers]: [Serializers, Parsers] = [{}, { ...PARSERS }]
  const listener = createListener(config, name)
  let isClosed = false

  const inSession = async <T>(task: () => Promise<T>, login: Login = 'owner'): Promise<T> => {
    const { pool, slots } = pools[login]
    await slots.take()
    try {
      if (isClosed) throw new StoppedError('The backend is stopping.')
      const client = await pool.connect().catch((error: unknown) => {
        throw unreachable(name, error)
      })
      // A function may have left settings to the session.
      const prepended = login === 'owner' ? [] : [{ sql: 'reset all', values: [] }]
      return await inLease({ client, tail: Promise.resolve(), prepended }, task)
    } finally {
      slots.give()
    }
  }
  const inLease = async <T>(lease: Lease, task: () => Promise<T>): Promise<T> => {
    try {
      return await current.run(lease, task)
    } finally {
      await lease.tail
      // A task leaves no transaction behind; if it did, its locks would last.
      lease.client.release(lease.client.getTransactionStatus() !== 'I')
    }
  }

  const run = <T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> => {
    const lease = current.getStore()
    if (!lease) return inSession(() => run(work))
    const result = lease.tail.then(() => work(lease.client)).catch(explain)
    lease.tail = result.catch(() => undefined)
    return result
  }
  const explain = (error: unknown): never => {
    const cause = error instanceof ScriptError ? error.cause : error
    throw isLost(cause) ? unreachable(name, cause) : error
  }

  const takePrepended = (): readonly Prepended[] => current.getStore()?.prepended.splice(0) ?? []

  const query = async <Row>(sql: string, values: readonly unknown[] = [], options: QueryOptions = {}) => {
    const customParsers = options.parsers
    const statement = new Statement({
      sql,
      values,
      serialize: (value, type) => (serializers[type] ?? serializerOf(value, type))(value),
      parserOf: type => customParsers?.[type] ?? parsers[type],
      prepended: takePrepended(),
    })
    return (await run(client => client.query(statement).done)) as Results<Row>
  }
  /** A script is sent without parameters, so what is prepended runs on its own. */
  const runPrepended = async () => {
    if ((current.getStore()?.prepended.length ?? 0) > 0) await query('')
  }
  const exec = async (sql: string) => {
    await runPrepended()
    return run(client => client.query(sql))
  }

  const script = async (sql: string) => {
    await runPrepended()
    await run(client => client.query(new Script(sql)).done)
  }

  const series: RunSeries = async <Row>(
    statements: readonly SeriesStatement[],
    isKept: Keeping<Row>,
    isolation?: Isolation,
  ) => {
    const { statements: all, at } = seriesOf(statements, isKept, isolation)
    const prepended = takePrepended()
    const statement = new Statement({
      sql: all[at]?.sql ?? '',
      values: all[at]?.values ?? [],
      serialize: value => (value instanceof Uint8Array ? hexOf(value) : String(value)),
      parserOf: type => (type === BYTEA ? bytesOf : undefined),
      prepended: [...prepended, ...all.slice(0, at)],
      appended: all.slice(at + 1),
    })
    try {
      const { rows } = await run(client => client.query(statement).done)
      if (typeof isKept === 'function')
        for (const end of isKept(rows as Row[]) ? ['commit'] : UNDO) await run(client => client.query(end))
      return rows as Row[]
    } catch (error) {
      // What has begun explicitly does not end with an error.
      if (isKept !== true || isolation !== undefined)
        await run(client => client.query('rollback')).catch(() => undefined)
      throw error
    }
  }

  const driver: ServerDriver = {
    series,
    script,
    serializers,
    parsers,
    query,
    exec,
    async prepend(sql, values = []) {
      const lease = current.getStore()
      if (!lease) throw new Error('There is no next statement outside a task.')
      lease.prepended.push({ sql, values })
    },
    inSession,
    transaction: work =>
      current.getStore() ? transact(driver, work) : inSession(() => transact(driver, work)),
    lock: () => listener.connect(),
    listen: (channel, callback) => listener.listen(channel, callback),
    onGap: callback => listener.onGap(callback),
    get outage() {
      return listener.outage
    },
    async close() {
      isClosed = true
      const all = new Set(Object.values(pools))
      await Promise.all([listener.close(), ...[...all].map(({ pool }) => pool.end())])
    },
  }
  return driver
}

/** Tasks wait for a session as long as it takes; only connecting has a limit. */
function openPool(config: pg.ClientConfig) {
  const pool = new pg.Pool({ ...config, max: SESSIONS, idleTimeoutMillis: IDLE_MS })
  // Without a listener, a broken connection would end the process. The next query reports it.
  pool.on('error', () => undefined)
  pool.on('connect', client => client.on('error', () => undefined))
  return { pool, slots: createSlots(SESSIONS) }
}

async function transact<T>(
  driver: ServerDriver,
  work: (tx: Pick<Driver, 'query' | 'exec'>) => Promise<T>,
): Promise<T> {
  await driver.prepend('begin')
  try {
    const result = await work({ query: driver.query, exec: driver.exec })
    await driver.exec('commit')
    return result
  } catch (error) {
    await driver.exec('rollback').catch(() => undefined)
    throw error
  }
}

function serializerOf(value: unknown, type: number): (value: unknown) => string {
  if (JSON_TYPES.includes(type)) return jsonText
  return Array.isArray(value) ? arrayText : textOf
}
