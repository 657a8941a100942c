// What machines know of stored writes and of the rows of a table.
import type { Failure } from '../failure.ts'
import { port } from '../port.ts'
import type { PortBroken } from '../ports.ts'

/** The identity of writes and rows for which no user has to be signed in. */
export const SIGNED_OUT = ''

/**
 * A stored write; its values stay in the services under `id`. `asking`: the row has changed since, and the user
 * decides. `refused`: the backend will not accept it, now or later.
 */
export interface WriteInfo {
  readonly id: string
  /** The user who made it: it is never sent as another one. */
  readonly userId: string
  readonly table: string
  readonly kind: 'insert' | 'update' | 'delete'
  readonly phase: 'queued' | 'asking' | 'refused'
  /** Why it was refused. */
  readonly failure?: Failure
}

/** What becomes of a write that asks or was refused; `discard` also removes one that waits. */
export type WriteDecision = 'keepMine' | 'takeTheirs' | 'discard'

type OfWrite = { readonly id: string }
type HasFailure = { readonly failure: Failure }

/** Reports immediately, and then on each change, the signed-in user and whether the device is online. */
export type WatchClientEvent = {
  readonly type: 'client.changed'
  /** A user's id, `SIGNED_OUT` while signed out; absent until the session is known. */
  readonly identity?: string
  readonly online: boolean
}
export const watchClient = port<WatchClientEvent>('watchClient')

/** Reports each change of the stored writes, also by other tabs. */
export type WatchQueueEvent = { readonly type: 'queue.changed' }
export const watchQueue = port<WatchQueueEvent>('watchQueue')

/** Reads the stored writes in the order in which they were made. */
export type ReadQueueEvent =
  { readonly type: 'queue.read'; readonly writes: readonly WriteInfo[] } | PortBroken
export const readQueue = port<ReadQueueEvent>('readQueue')

/** Holds the right to send among the tabs until stopped; in browsers without locks it is held at once. */
export type ClaimQueueEvent = { readonly type: 'claim.held' } | { readonly type: 'claim.lost' } | PortBroken
export const claimQueue = port<ClaimQueueEvent>('claimQueue')

/** Sends a write, and stores its outcome before it reports it. */
export type SendWriteEvent =
  | ({ readonly type: 'write.delivered' } & OfWrite)
  | ({ readonly type: 'write.asking' } & OfWrite)
  | ({ readonly type: 'write.refused' } & OfWrite & HasFailure)
  /** It may have arrived; the next attempt finds out. */
  | ({ readonly type: 'write.failed' } & OfWrite & HasFailure)
  | PortBroken
export const sendWrite = port<SendWriteEvent, { readonly id: string; readonly userId: string }>('sendWrite')

/** Stores what the user decided. */
export type StoreDecisionEvent = { readonly type: 'decision.stored' } | PortBroken
export const storeDecision = port<StoreDecisionEvent, OfWrite & { readonly decision: WriteDecision }>(
  'storeDecision',
)

/** Commands from the app to the outbox. */
export type OutboxCommand =
  | ({ readonly type: 'write.decide'; readonly decision: WriteDecision } & OfWrite)
  /** Ends a pause between attempts. */
  | { readonly type: 'outbox.retry' }

/** Reads all rows of a table. */
export type ReadRowsEvent =
  | { readonly type: 'rows.read'; readonly count: number }
  | ({ readonly type: 'rows.failed' } & HasFailure)
  | PortBroken
export const readRows = port<ReadRowsEvent>('readRows')

/** Follows the changes of a table until stopped; reports when some may have been missed. */
export type WatchRowsEvent = { readonly type: 'rows.outdated' } | PortBroken
export const watchRows = port<WatchRowsEvent>('watchRows')

/** Commands from the app to the rows of a table. */
export type RowsCommand = { readonly type: 'rows.reload' }
