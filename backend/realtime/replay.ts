// Broadcasts stored in the database: replayed to late joiners, and deleted when old.
import { parseExactly } from '../shared/exact-json.ts'
import type { Clock } from '../shared/clock.ts'
import type { Database } from '../database/index.ts'
import type { Replay } from './realtime-context.ts'

const MOST_MESSAGES = 25
/** The clocks of writers may be ahead by this much. */
const DRIFT_MS = 60_000
const KEPT_MS = 72 * 3_600_000
const CLEANUP_MS = 3_600_000

interface MessageRow {
  readonly id: string
  readonly event: string
  readonly payload: string | null
  readonly bytes: Uint8Array | null
}

/** Returns the last private broadcasts of a topic since a time in milliseconds, oldest first, at most 25. */
export function createReplay(database: Database, clock: Clock): Replay {
  return async (topic, since, limit) => {
    // PostgreSQL text cannot contain NUL, so nothing is stored for such a topic.
    if (topic.includes('\0')) return []
    const from = Math.max(since, 0)
    const rows = await database.owner(tx =>
      tx.query<MessageRow>(
        `select id, event, payload::text as payload, binary_payload as bytes from realtime.messages
         where topic = $1 and private and extension = 'broadcast' and event is not null
           and inserted_at >= ${AT('$2')} and inserted_at < ${AT('$3')}
         order by inserted_at desc, ctid desc limit $4`,
        [topic, from, clock.now() + DRIFT_MS, Math.min(Math.max(limit, 1), MOST_MESSAGES)],
      ),
    )
    return rows.reverse().map(({ id, event, payload, bytes }) => ({
      id,
      event,
      payload: bytes ?? (payload === null ? null : parseExactly(payload)),
      meta: { replayed: true, id },
    }))
  }
}

const AT = (parameter: string) => `to_timestamp(${parameter}::float8 / 1000) at time zone 'utc'`

export interface MessageCleanup {
  /** Deletes messages older than 72 hours, now and every hour. */
  start(): Promise<void>
  stop(): void
}

export function createMessageCleanup(database: Database, clock: Clock): MessageCleanup {
  let timer: NodeJS.Timeout | undefined
  const clean = () =>
    database.owner(tx =>
      tx.query(`delete from realtime.messages where inserted_at < ${AT('$1')}`, [clock.now() - KEPT_MS]),
    )
  return {
    async start() {
      await clean()
      // A failed deletion is retried an hour later.
      timer = setInterval(() => void clean().catch(() => undefined), CLEANUP_MS)
      timer.unref()
    },
    stop: () => clearInterval(timer),
  }
}
