// The database's announcements: row changes and messages, read from notifications and the outbox.
import { fieldOf, textOf } from '../../shared/fields.ts'
import { markDeepValues, parseAnnouncement } from './deep-values.ts'
import type { Database, Queries } from '../../database/index.ts'
import type { BroadcastMessage } from '../frames.ts'
import type { Row } from './table-shape.ts'

/** A committed row change. Rows contain JSON values in PostgreSQL's format. */
export interface RowChange {
  readonly schema: string
  readonly table: string
  readonly type: 'INSERT' | 'UPDATE' | 'DELETE'
  /** The same for all changes of a transaction. */
  readonly commitTimestamp: string
  readonly record?: Row
  readonly oldRecord?: Row
}

/** A broadcast inserted into realtime.messages. */
export interface SentMessage {
  readonly topic: string
  readonly isPrivate: boolean
  readonly message: BroadcastMessage
}

/** Announced, but no longer in the outbox. */
interface LostChange {
  readonly isLost: true
}

export type Announced = { readonly change: RowChange } | { readonly sent: SentMessage } | LostChange

/** A raw notification, with its commit time. */
export interface Notice {
  readonly announcement: unknown
  readonly committedAt: string
}

/** Creates a reader; notifications of one transaction, which arrive together, get the same time. */
export function createNoticeReader(now: () => number): (notification: string) => Notice {
  let last = { transaction: '', committedAt: '' }
  return notification => {
    const announcement = read(notification)
    const transaction = textOf(announcement, 'transaction') ?? last.transaction
    if (transaction !== last.transaction) last = { transaction, committedAt: new Date(now()).toISOString() }
    return { announcement, committedAt: last.committedAt }
  }
}

/** Replaces references by their outbox entries and drops invalid notices. */
export async function readNotices(
  database: Pick<Database, 'owner'>,
  notices: readonly Notice[],
): Promise<Announced[]> {
  const large = notices.flatMap(({ announcement }) =>
    isInOutbox(announcement) ? [numberOf(announcement)] : [],
  )
  const rowsByNumber =
    large.length === 0 ? new Map<string, unknown>() : await database.owner(tx => takeOut(tx, large))
  return notices.flatMap(({ announcement, committedAt }) => {
    const stored = isInOutbox(announcement) ? rowsByNumber.get(numberOf(announcement)) : announcement
    if (stored === undefined) return { isLost: true }
    const body = fieldOf(stored, 'body')
    return toMessage(fieldOf(body, 'message')) ?? toChange(body, committedAt) ?? []
  })
}

/** `undefined` for invalid JSON; an exception here would stop the process. */
function read(text: string): unknown {
  try {
    return parseAnnouncement(text)
  } catch {
    return undefined
  }
}

function numberOf(announcement: unknown): string {
  return String(fieldOf(announcement, 'number'))
}

function isInOutbox(announcement: unknown): boolean {
  return fieldOf(announcement, 'body') === undefined && /^\d{1,18}$/.test(numberOf(announcement))
}

async function takeOut(tx: Queries, numbers: readonly string[]): Promise<Map<string, unknown>> {
  const rows = await tx.query<{ number: string; body: string }>(
    'delete from realtime.outbox where number = any ($1::bigint[]) returning number::text, body',
    [numbers],
  )
  return new Map(rows.map(row => [row.number, read(row.body)]))
}

function toChange(body: unknown, commitTimestamp: string): Announced | undefined {
  const [schema, table, type] = ['schema', 'table', 'type'].map(name => textOf(body, name))
  if (schema === undefined || table === undefined) return undefined
  if (type !== 'INSERT' && type !== 'UPDATE' && type !== 'DELETE') return undefined
  const [record, oldRecord] = ['record', 'old_record'].map(name => fieldOf(body, name))
  const rows = {
    ...(isRow(record) ? { record: markDeepValues(record) } : {}),
    ...(isRow(oldRecord) ? { oldRecord: markDeepValues(oldRecord) } : {}),
  }
  return { change: { schema, table, type, commitTimestamp, ...rows } }
}

function toMessage(value: unknown): Announced | undefined {
  const [id, topic, event, bytes] = ['id', 'topic', 'event', 'bytes'].map(name => textOf(value, name))
  if (topic === undefined || event === undefined) return undefined
  const payload =
    bytes === undefined ? fieldOf(value, 'payload') : new Uint8Array(Buffer.from(bytes, 'base64'))
  const isPrivate = fieldOf(value, 'private') === true
  return { sent: { topic, isPrivate, message: { event, payload, meta: { id } } } }
}

function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null
}
