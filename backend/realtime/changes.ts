// Row changes: from the triggers' notifications to the subscribers whose policies let them see the row.
import { ATTACH_TRIGGERS, CHANGES_CHANNEL } from './schema.ts'
import { parseFilter, toSql, type Condition } from './filters.ts'
import { describeTables, tableKey, type TableShape } from './table-shape.ts'
import { visibleChanges, type RowChange } from './visibility.ts'
import { fieldOf } from '../fields.ts'
import { StoppedError } from '../mutex.ts'
import type { Channel } from './channel.ts'
import type { Hub } from './hub.ts'
import type { ChangeRequest } from './join-config.ts'
import type { Database } from '../database.ts'

export interface Subscription {
  readonly id: number
  readonly event: string
  readonly schema: string
  readonly table: string | undefined
  readonly select: readonly string[] | undefined
  readonly conditions: readonly Condition[]
}

export interface Changes {
  start(): Promise<void>
  /** Checks a request against the schema; throws with a message for the client. */
  check(request: ChangeRequest, id: number): Promise<Subscription>
}

const BATCH = 200

export function createChanges(database: Database, hub: Hub): Changes {
  const waiting: unknown[] = []
  let isDraining = false
  const drain = async () => {
    isDraining = true
    try {
      while (waiting.length > 0) await deliver(database, hub, waiting.splice(0, BATCH))
    } catch (error) {
      if (error instanceof StoppedError) waiting.length = 0
      else tellOfGap(hub.members())
    } finally {
      isDraining = false
      if (waiting.length > 0) void drain()
    }
  }
  return {
    async start() {
      await database.owner(tx => tx.script(ATTACH_TRIGGERS))
      await database.listen(CHANGES_CHANNEL, payload => {
        waiting.push(JSON.parse(payload))
        if (!isDraining) void drain()
      })
    },
    check: (request, id) => checkSubscription(database, request, id),
  }
}

/** Subscribers learn that changes were lost, so that they can read anew. */
function tellOfGap(members: Iterable<Channel>): void {
  for (const member of members) {
    if (member.subscriptions.length === 0) continue
    const message = 'Changes could not be delivered'
    const channel = member.topic
    member.push('system', { extension: 'postgres_changes', status: 'error', message, channel })
  }
}

async function checkSubscription(
  database: Database,
  request: ChangeRequest,
  id: number,
): Promise<Subscription> {
  const conditions = request.filter ? parseFilter(request.filter) : []
  const table = request.table && request.table !== '*' ? request.table : undefined
  await database.owner(async tx => {
    if (table === undefined) return
    const shape = (await describeTables(tx, [{ schema: request.schema, table }])).get(
      tableKey(request.schema, table),
    )
    if (!shape) throw new Error(`The table ${request.schema}.${table} does not exist`)
    const { sql, parameters } = toSql(conditions, shape.types, `null::${shape.name}`, 1)
    // Running it once finds a value that the column's type does not take.
    await tx.query(`select ${sql}`, parameters)
  })
  return {
    id,
    event: request.event,
    schema: request.schema,
    table,
    select: request.select ?? undefined,
    conditions,
  }
}

async function deliver(database: Database, hub: Hub, announced: readonly unknown[]): Promise<void> {
  const { changes, shapes } = await database.owner(async tx => {
    const changes = await fetchLarge(announced, numbers =>
      tx.query('delete from realtime.outbox where number = any ($1::bigint[]) returning payload', [numbers]),
    )
    return { changes, shapes: await describeTables(tx, changes) }
  })
  const members = [...hub.members()].filter(member => member.subscriptions.length > 0)
  const { seenBy, unanswered } = await visibleChanges(database, members, changes, shapes)
  for (const [index, change] of changes.entries()) {
    const shape = shapes.get(tableKey(change.schema, change.table))
    if (shape) for (const member of members) pushChange(member, change, shape, seenBy(member, index))
  }
  tellOfGap(unanswered)
}

async function fetchLarge(
  announced: readonly unknown[],
  take: (numbers: string[]) => Promise<{ payload: unknown }[]>,
): Promise<RowChange[]> {
  const numbers = announced.filter(item => !isChange(item)).map(item => String(fieldOf(item, 'number')))
  const large = numbers.length === 0 ? [] : (await take(numbers)).map(row => row.payload).filter(isChange)
  const byNumber = new Map(large.map(change => [change.number, change]))
  return announced.flatMap(item =>
    isChange(item) ? item : (byNumber.get(Number(fieldOf(item, 'number'))) ?? []),
  )
}

function isChange(value: unknown): value is RowChange {
  return typeof value === 'object' && value !== null && 'table' in value && 'type' in value
}

function pushChange(
  member: Channel,
  change: RowChange,
  shape: TableShape,
  seen: readonly Subscription[],
): void {
  // A member may have left, or lost its token, while its policies were being asked.
  const current = seen.filter(subscription => member.subscriptions.includes(subscription))
  const first = current[0]
  if (!first) return
  const pick = (row: Readonly<Record<string, unknown>>) =>
    first.select
      ? Object.fromEntries(Object.entries(row).filter(([name]) => first.select?.includes(name)))
      : row
  member.push('postgres_changes', {
    ids: current.map(subscription => subscription.id),
    data: {
      schema: change.schema,
      table: change.table,
      commit_timestamp: change.commit_timestamp,
      type: change.type,
      columns: [...shape.columns].filter(column => first.select?.includes(column.name) ?? true),
      ...(change.record ? { record: pick(change.record) } : {}),
      ...(change.old_record ? { old_record: shape.oldRecord(change.old_record) } : {}),
      errors: null,
    },
  })
}
