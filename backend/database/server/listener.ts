// The session that listens: it reconnects after a failure and reports that notifications may have been lost.
import pg from 'pg'
import { EngineError } from '../engine.ts'
import { unreachable } from './unreachable.ts'

export interface Listener {
  /** Reserves the database for this session. */
  connect(): Promise<void>
  listen(channel: string, callback: (payload: string) => void): Promise<void>
  onGap(callback: () => void): void
  readonly outage: string | undefined
  close(): Promise<void>
}

const RETRY_MS = 500
/** The key of the advisory lock: "chart" in ASCII. */
const LOCK = 0x63_68_61_72_74

export function createListener(config: pg.ClientConfig, name: string): Listener {
  const callbacks = new Map<string, (payload: string) => void>()
  const gaps: (() => void)[] = []
  let client: Promise<pg.Client> | undefined
  let outage: string | undefined
  let retry: NodeJS.Timeout | undefined
  let isClosed = false

  const connect = async (): Promise<pg.Client> => {
    const next = new pg.Client(config)
    let isConnected = false
    next.on('error', () => undefined)
    next.on('notification', ({ channel, payload = '' }) => callbacks.get(channel)?.(payload))
    next.on('end', () => {
      if (isConnected && !isClosed) reconnect()
    })
    await next.connect().catch((error: unknown) => {
      throw unreachable(name, error)
    })
    const { rows } = await next.query<{ locked: boolean }>(`select pg_try_advisory_lock(${LOCK}) as locked`)
    if (rows[0]?.locked !== true) {
      await next.end()
      throw new EngineError(
        `Another backend uses the database at ${name}. Stop it, or choose another database.`,
      )
    }
    for (const channel of callbacks.keys()) await next.query(`listen ${pg.escapeIdentifier(channel)}`)
    isConnected = true
    return next
  }
  const reconnect = () => {
    outage ??= `PostgreSQL at ${name} closed the connection.`
    retry = setTimeout(() => {
      client = connect()
      client.then(
        () => {
          outage = undefined
          for (const gap of gaps) gap()
        },
        () => {
          if (!isClosed) reconnect()
        },
      )
    }, RETRY_MS)
  }

  return {
    async connect() {
      await (client ??= connect())
    },
    async listen(channel, callback) {
      callbacks.set(channel, callback)
      const before = client
      client ??= connect()
      const listening = await client
      if (before) await listening.query(`listen ${pg.escapeIdentifier(channel)}`)
    },
    onGap: callback => void gaps.push(callback),
    get outage() {
      return outage
    },
    async close() {
      isClosed = true
      clearTimeout(retry)
      const last = await client?.catch(() => undefined)
      await last?.end().catch(() => undefined)
    },
  }
}
