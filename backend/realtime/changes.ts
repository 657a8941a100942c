// Row changes and messages of the database: from its announcements to the listeners.
import type { Database } from '../database/index.ts'
import { StoppedError } from '../shared/unavailable.ts'
import { createNoticeReader, readNotices, type Notice, type RowChange } from './changes/announcements.ts'
import { prepareDelivery, reportGap, wants, type Listener } from './changes/delivery.ts'
import { checkRequest, type Subscription } from './changes/subscription.ts'
import { describeTables, roleOf, type TableShape } from './changes/table-shape.ts'
import { prepareRealtime } from './schema.ts'
import type { Hub } from './hub.ts'
import type { ChangeRequest } from './join-config.ts'
import type { Claims } from '../keys/index.ts'

export type { Subscription } from './changes/subscription.ts'

export interface Changes {
  start(): Promise<void>
  /** Validates a caller's request against the schema; throws with a message for the client. */
  check(request: ChangeRequest, id: number, claims: Claims): Promise<Subscription>
}

const BATCH = 200

export function createChanges(database: Database, hub: Hub): Changes {
  const waiting: Notice[] = []
  const read = createNoticeReader(() => Date.now())
  let isDraining = false
  const drain = async () => {
    isDraining = true
    try {
      while (waiting.length > 0) {
        await deliver(database, hub, waiting.splice(0, BATCH))
        // Yields so that sockets are flushed; otherwise fast readers would look slow.
        await new Promise(resolve => setImmediate(resolve))
      }
    } catch (error) {
      if (error instanceof StoppedError) waiting.length = 0
      else reportGaps(hub.members())
    } finally {
      isDraining = false
      if (waiting.length > 0) void drain()
    }
  }
  return {
    async start() {
      await database.listen(await prepareRealtime(database), notification => {
        waiting.push(read(notification))
        if (!isDraining) void drain()
      })
      database.onGap(() => reportGaps(hub.members()))
    },
    check: (request, id, claims) => database.owner(tx => checkRequest(tx, request, roleOf(claims), id)),
  }
}

async function deliver(database: Database, hub: Hub, notices: readonly Notice[]): Promise<void> {
  const announced = await readNotices(database, notices)
  const listeners = [...hub.members()].filter(({ subscriptions }) => subscriptions.length > 0)
  const isWanted = (change: RowChange) =>
    listeners.some(({ subscriptions }) => subscriptions.some(one => wants(one, change)))
  const changes = announced.flatMap(one => ('change' in one && isWanted(one.change) ? [one.change] : []))
  const shapes =
    changes.length === 0
      ? new Map<string, TableShape>()
      : await database.owner(tx => describeTables(tx, changes))
  const delivery = await prepareDelivery({ database, changes, shapes }, listeners)
  for (const one of announced) {
    if ('change' in one) delivery.push(one.change)
    else if ('sent' in one) hub.broadcast(one.sent.topic, one.sent.isPrivate, one.sent.message)
  }
  if (announced.some(one => 'isLost' in one)) reportGaps(listeners)
}

/** For losses in the database itself, which do not depend on a row. */
function reportGaps(members: Iterable<Listener>): void {
  for (const member of members) if (member.subscriptions.length > 0) reportGap(member)
}
