// Row changes and messages of the database: from its announcements to those who listen.
import type { Database } from '../database/index.ts'
import { StoppedError } from '../database/mutex.ts'
import { createNoticeReader, readNotices, type Notice, type RowChange } from './changes/announcements.ts'
import { prepareDelivery, wants, type Listener } from './changes/delivery.ts'
import { checkRequest, type Subscription } from './changes/subscription.ts'
import { describeTables, roleOf, type TableShape } from './changes/table-shape.ts'
import { prepareRealtime } from './schema.ts'
import { ANNOUNCEMENTS } from './sql/announce.ts'
import type { Hub } from './hub.ts'
import type { ChangeRequest } from './join-config.ts'
import type { Claims } from '../keys/tokens.ts'

export type { Subscription } from './changes/subscription.ts'

export interface Changes {
  start(): Promise<void>
  /** Checks a request of a caller against the schema; throws with a message for the client. */
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
        // Sockets are written to in between, or whoever reads well would look like one who doesn't.
        await new Promise(resolve => setImmediate(resolve))
      }
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
      await prepareRealtime(database)
      await database.listen(ANNOUNCEMENTS, notification => {
        waiting.push(read(notification))
        if (!isDraining) void drain()
      })
    },
    check: (request, id, claims) => database.owner(tx => checkRequest(tx, request, roleOf(claims), id)),
  }
}

/** Subscribers learn that changes were lost, so that they can read anew. */
function tellOfGap(members: Iterable<Listener>): void {
  for (const member of members) {
    if (member.subscriptions.length === 0) continue
    const message = 'Changes could not be delivered'
    const channel = member.topic
    member.push('system', { extension: 'postgres_changes', status: 'error', message, channel })
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
  tellOfGap(announced.some(one => 'isLost' in one) ? listeners : delivery.unanswered)
}
