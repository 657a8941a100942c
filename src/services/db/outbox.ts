// The outbox of an app: stores the writes of its collections, shows them, and sends them as the machine decides.
import type { PendingMutation } from '@tanstack/db'
import { fromCallback, type EventObject, type NonReducibleUnknown } from 'xstate'
import {
  type ClaimQueueEvent,
  outboxMachine,
  type OutboxStatus as MachineStatus,
  outboxStatus,
  SIGNED_OUT,
  type ReadQueueEvent,
  type SendWriteEvent,
  type StoreDecisionEvent,
  type WatchQueueEvent,
  type WriteDecision,
  type WriteInfo,
  writesStatus,
  type WriteStatus,
} from '../../machines/index.ts'
import { isEqual, Listeners } from '../../trace/index.ts'
import { type ChartroomClient, identityIn } from '../client/index.ts'
import { createEntropy, effect } from '../runtime/index.ts'
import { type CollectionLink, linkOf } from './collection.ts'
import { type CreateActor, runMachine, withoutRecording } from './run-machine.ts'
import { sendWrite, type Sent } from './send-write.ts'
import type { AnyCollection, ShownWrites } from './shown-writes.ts'
import {
  openWriteStorage,
  type Row,
  type StoredWrite,
  type Write,
  type WriteStorage,
} from './stored-write.ts'
import { createWatchClientPort } from './watch-client.ts'

/** What an outbox is made of. */
export interface OutboxOptions {
  readonly client: Pick<ChartroomClient, 'fetch' | 'status' | 'onStatus' | 'url'>
  /** The collections whose writes are stored. Keep the names: stored writes refer to them. */
  readonly collections: Readonly<Record<string, AnyCollection>>
  /** Distinguishes several outboxes of one origin and backend. */
  readonly name?: string
  /** Called once for each write whose row has changed since; answer with `keepMine` or `takeTheirs`, now or later. */
  readonly onConflict?: (write: OutboxWrite) => void
  /** Called once for each write that the backend refuses. */
  readonly onRefused?: (write: OutboxWrite) => void
  /** `record` or `attach` of `@chartroom/devtools`: records the machine of the outbox. */
  readonly record?: CreateActor
}

/** A write of the outbox. */
export interface OutboxWrite extends WriteStatus {
  /** Milliseconds since 1970, by the clock of the device. */
  readonly madeAt: number
  /** The row with the write; absent for a write of another user. */
  readonly row?: Row
  /** The columns that an update changes. */
  readonly changes?: Row
  /** The current row, while the write asks; null: it is gone, or not visible. */
  readonly theirs?: Row | null
}

/** What the outbox is doing. */
export interface OutboxStatus extends MachineStatus {
  /** False if this browser stores nothing: the writes are lost with the page. */
  readonly isDurable: boolean
}

/** The writes that wait on the device. */
export interface Outbox {
  /** All writes that were not delivered, oldest first; the same array until something changes. */
  list(): readonly OutboxWrite[]
  status(): OutboxStatus
  /** Calls the listener after each change of the list or the status. */
  onChange(listener: () => void): () => void
  /** Resolves once all writes that were stored on this device are known. */
  ready(): Promise<void>
  /** Answers a conflict: sends the write over the current row. */
  keepMine(id: string): void
  /** Answers a conflict: drops the write. */
  takeTheirs(id: string): void
  /** Drops a write that was refused, or one that waits. */
  discard(id: string): void
  /** Ends a pause between attempts. */
  retry(): void
  /** Stops sending. What is stored stays. */
  dispose(): void
}

/** What an outbox needs of the platform. */
export interface OutboxWorld {
  readonly storage: Promise<WriteStorage>
  readonly showWrites: (collections: OutboxOptions['collections']) => Promise<ShownWrites>
  /** The locks of the browser, so that one tab sends. */
  readonly locks: Pick<LockManager, 'request'> | undefined
  /** To the other tabs. */
  readonly channel: BroadcastChannel | undefined
  readonly now: () => number
  readonly id: () => string
  readonly random: () => number
}

/** Another tab has stored or delivered a write. */
interface Message {
  readonly kind: 'changed' | 'delivered'
  readonly id?: string
  readonly collection?: string
  readonly userId?: string
  readonly row?: Row | null
  readonly original?: Row
}

/** Name of the system in recordings. */
const SYSTEM = 'chartroom/db/outbox'

/**
 * Stores the writes of these collections on the device before they are sent, so that they survive a reload and a missing
 * network. They are sent in order, from one tab, each as the user who made it.
 * @throws TypeError for a collection that was not made with `chartroomCollectionOptions` and this client
 */
export const startOutbox = (options: OutboxOptions): Outbox => createOutbox(options)

function browserWorld(key: string): OutboxWorld {
  const { id, random } = createEntropy()
  return {
    storage: openWriteStorage(key),
    showWrites: async collections => (await import('./shown-writes.ts')).createShownWrites(collections),
    locks: globalThis.navigator?.locks,
    channel: openChannel(key),
    now: () => Date.now(),
    id,
    random,
  }
}

/** Undefined if a page (of an opaque origin) has the constructor but may not use it. */
function openChannel(key: string): BroadcastChannel | undefined {
  try {
    const channel = new BroadcastChannel(key)
    // A program ends without waiting for messages.
    ;(channel as { unref?: () => void }).unref?.()
    return channel
  } catch {
    return undefined
  }
}

/** @param parts parts of the platform that differ from the browser's */
export function createOutbox(options: OutboxOptions, parts: Partial<OutboxWorld> = {}): Outbox {
  const { client, name = 'outbox' } = options
  const key = `chartroom-${name}:${client.url}`
  const world = { ...browserWorld(key), ...parts }
  const links = linksOf(options)
  const changes = new Listeners()
  const listeners = new Listeners()
  /** The writes as last read. */
  let stored = new Map<string, StoredWrite>()
  const shownWrites = world.showWrites(options.collections)

  const notifyAll = (message: Message = { kind: 'changed' }) => {
    world.channel?.postMessage(message)
    changes.notify()
  }

  /** Takes a delivered row into its collection, in this tab and the others. */
  const take = ({ collection = '', userId, row, original = {} }: Message) => {
    const target = links.get(collection)
    const isVisible = userId === SIGNED_OUT || userId === identityIn(client.status())
    if (!target || !isVisible) return
    if (row) target.synced.put(row)
    else target.synced.remove(target.keyOf(original))
  }
  const onMessage = ({ data }: { readonly data: Message }) => {
    if (data.kind === 'delivered') take(data)
    changes.notify()
  }
  world.channel?.addEventListener('message', onMessage)

  /** Changes of what is stored and shown, one after the other: a list that was read before a change must not undo it. */
  let last: Promise<unknown> = Promise.resolve()
  const inOrder = <T>(run: () => Promise<T>): Promise<T> => {
    const result = last.then(run)
    last = result.catch(() => undefined)
    return result
  }

  /** Shows the writes of the signed-in user that wait, and hides all others. */
  const show = async () => {
    const view = await shownWrites
    const identity = identityIn(client.status())
    const visible = [...stored.values()].filter(
      ({ phase, userId, collection }) =>
        phase !== 'refused' && (userId === SIGNED_OUT || userId === identity) && links.has(collection),
    )
    const visibleIds = new Set(visible.map(({ id }) => id))
    for (const id of view.ids()) if (!visibleIds.has(id)) view.hide(id)
    await view.show(visible)
  }

  const read = (): Promise<ReadQueueEvent> =>
    inOrder(async () => {
      const writes = await (await world.storage).list()
      stored = new Map(writes.map(write => [write.id, write]))
      await show()
      return { type: 'queue.read', writes: writes.map(infoOf) }
    })

  const store = async (mutation: PendingMutation, write: Write, userId: string, collection: string) => {
    const view = await shownWrites
    const [writeId, madeAt] = [world.id(), world.now()]
    const entry: StoredWrite = {
      ...write,
      id: writeId,
      userId,
      madeAt,
      collection,
      transaction: view.serialize(writeId, mutation, madeAt),
      phase: 'queued',
    }
    await inOrder(async () => {
      await (await world.storage).add(entry)
      stored.set(writeId, entry)
      // The collection drops its own optimistic row as soon as this resolves.
      await show()
    })
    update()
    notifyAll()
  }

  const send = async (writeId: string, userId: string, signal: AbortSignal): Promise<SendWriteEvent> => {
    const storage = await world.storage
    const write = await storage.get(writeId)
    // It was discarded.
    if (!write || write.phase !== 'queued') return { type: 'write.delivered', id: writeId }
    // From here to the request nothing waits, and the request keeps the identity with which it began.
    if (userId !== SIGNED_OUT && identityIn(client.status()) !== userId)
      return { type: 'write.failed', id: writeId, failure: otherUser }
    const sent = await sendWrite(client, write, { access: userId === SIGNED_OUT ? 'public' : 'user', signal })
    return inOrder(() => settle(storage, write, sent))
  }

  const settle = async (storage: WriteStorage, write: StoredWrite, sent: Sent): Promise<SendWriteEvent> => {
    const { id, collection, userId, original } = write
    switch (sent.kind) {
      case 'delivered': {
        const message: Message = { kind: 'delivered', id, collection, userId, row: sent.row, original }
        await storage.remove(id)
        stored.delete(id)
        // First the row of the backend, so that the row is there at every moment.
        take(message)
        await show()
        notifyAll(message)
        return { type: 'write.delivered', id }
      }
      case 'asking':
        await storage.replace({ ...write, phase: 'asking', theirs: sent.theirs })
        notifyAll()
        return { type: 'write.asking', id }
      case 'refused':
        await storage.replace({ ...write, phase: 'refused', failure: sent.failure })
        notifyAll()
        return { type: 'write.refused', id, failure: sent.failure }
      case 'failed':
        return { type: 'write.failed', id, failure: sent.failure }
    }
  }

  const decide = async (writeId: string, decision: WriteDecision): Promise<StoreDecisionEvent> => {
    const storage = await world.storage
    const write = await storage.get(writeId)
    const result = write && decided(write, decision)
    if (result === 'drop') {
      await storage.remove(writeId)
      // The row as the user has just accepted it.
      const { theirs, collection = '', userId = '', original = {} } = write ?? {}
      if (theirs !== undefined) take({ kind: 'delivered', collection, userId, row: theirs, original })
    } else if (result) await storage.replace(result)
    notifyAll()
    return { type: 'decision.stored' }
  }

  const machine = outboxMachine.provide({
    actors: {
      watchClient: createWatchClientPort(client, () => void inOrder(show)),
      watchQueue: fromCallback<EventObject, NonReducibleUnknown, WatchQueueEvent>(({ sendBack }) =>
        changes.subscribe(() => sendBack({ type: 'queue.changed' })),
      ),
      readQueue: effect<NonReducibleUnknown, ReadQueueEvent>(read),
      claimQueue: createClaimPort(world, key),
      sendWrite: effect(({ id, userId }: { readonly id: string; readonly userId: string }, signal) =>
        send(id, userId, signal),
      ),
      storeDecision: effect(({ id, decision }: { readonly id: string; readonly decision: WriteDecision }) =>
        inOrder(() => decide(id, decision)),
      ),
    },
  })
  const input = { seed: Math.floor(world.random() * 2 ** 32) }
  const system = runMachine(machine, input, SYSTEM, options.record ?? withoutRecording)
  const { actor } = system

  let isDurable = true
  let status: OutboxStatus = { ...outboxStatus(actor.getSnapshot()), isDurable }
  let list: readonly OutboxWrite[] = []
  let hasRead = false
  let letReady: () => void = () => undefined
  const ready = new Promise<void>(resolve => (letReady = resolve))
  const reported = new Set<string>()

  const update = () => {
    const snapshot = actor.getSnapshot()
    const next = { ...outboxStatus(snapshot), isDurable }
    const infos = [...stored.values()].map(infoOf)
    const writes = writesStatus(snapshot, infos).map(one => withRow(one, stored.get(one.id)))
    const isSame = isEqual(next, status) && isEqual(writes, list)
    if (!isEqual(writes, list)) list = writes
    status = next
    if (!hasRead && next.phase !== 'waiting') {
      hasRead = true
      void inOrder(async () => letReady())
    }
    if (isSame) return
    for (const write of list) report(write)
    listeners.notify()
  }
  const report = (write: OutboxWrite) => {
    if (!write.isOwn || (write.phase !== 'asking' && write.phase !== 'refused')) return
    const name = `${write.phase} ${write.id}`
    if (reported.has(name)) return
    reported.add(name)
    const call = write.phase === 'asking' ? options.onConflict : options.onRefused
    // Not within a step of the machine.
    if (call) queueMicrotask(() => call(write))
  }
  actor.subscribe(update)
  void world.storage.then(storage => {
    isDurable = storage.isDurable
    update()
  })
  for (const [collection, link] of links)
    link.store = (mutation, write, userId) => store(mutation, write, userId, collection)
  system.start()

  const sendDecision = (writeId: string, decision: WriteDecision) =>
    actor.send({ type: 'write.decide', id: writeId, decision })
  return {
    list: () => list,
    status: () => status,
    onChange: listeners.subscribe,
    ready: () => ready,
    keepMine: writeId => sendDecision(writeId, 'keepMine'),
    takeTheirs: writeId => sendDecision(writeId, 'takeTheirs'),
    discard: writeId => sendDecision(writeId, 'discard'),
    retry: () => actor.send({ type: 'outbox.retry' }),
    dispose() {
      for (const link of links.values()) link.store = undefined
      system.stop()
      world.channel?.removeEventListener('message', onMessage)
      world.channel?.close()
      void inOrder(async () => {
        const view = await shownWrites
        for (const id of view.ids()) view.hide(id)
      })
      void world.storage.then(storage => storage.close())
    },
  }
}

function linksOf({ client, collections }: OutboxOptions): ReadonlyMap<string, CollectionLink> {
  return new Map(
    Object.entries(collections).map(([name, { utils }]) => {
      const link = linkOf(utils)
      if (!link)
        throw new TypeError(`The collection \`${name}\` must be made with chartroomCollectionOptions.`)
      if (link.client !== client)
        throw new TypeError(`The collection \`${name}\` belongs to another client than the outbox.`)
      return [name, link]
    }),
  )
}

const otherUser = {
  kind: 'auth',
  code: 'other_user',
  message: 'The user who made this write is not signed in.',
} as const

const infoOf = ({ id, userId, table, kind, phase, failure }: StoredWrite): WriteInfo => ({
  id,
  userId,
  table,
  kind,
  phase,
  ...(failure && { failure }),
})

function withRow(status: WriteStatus, write: StoredWrite | undefined): OutboxWrite {
  const madeAt = write?.madeAt ?? 0
  if (!write || !status.isOwn) return { ...status, madeAt }
  const { row, changes, theirs } = write
  return { ...status, madeAt, row, changes, ...(theirs !== undefined && { theirs }) }
}

/** The write after a decision; `drop`: it is not needed any more. */
function decided(write: StoredWrite, decision: WriteDecision): StoredWrite | 'drop' | undefined {
  if (decision === 'discard') return 'drop'
  if (write.phase !== 'asking') return undefined
  if (decision === 'takeTheirs') return 'drop'
  const { theirs, ...rest } = write
  const next = { ...rest, phase: 'queued' } as const
  // The row is gone: it is added again.
  if (!theirs)
    return write.kind === 'delete' ? 'drop' : { ...next, kind: 'insert', changes: {}, original: {} }
  if (write.kind !== 'insert') return { ...next, original: theirs }
  const key = new Set(write.primaryKey)
  const changes = Object.fromEntries(Object.entries(write.row).filter(([column]) => !key.has(column)))
  return { ...next, kind: 'update', changes, original: theirs }
}

/** Held by the tab that sends, until its state is exited. */
const createClaimPort = ({ locks }: Pick<OutboxWorld, 'locks'>, name: string) =>
  fromCallback<EventObject, NonReducibleUnknown, ClaimQueueEvent>(({ sendBack }) => {
    // Two tabs would find out that a write has arrived already.
    if (!locks) return sendBack({ type: 'claim.held' })
    const waiting = new AbortController()
    let isHeld = false
    let release: () => void = () => undefined
    const until = new Promise<void>(resolve => (release = resolve))
    locks
      .request(name, { signal: waiting.signal }, () => {
        if (waiting.signal.aborted) return undefined
        isHeld = true
        sendBack({ type: 'claim.held' })
        return until
      })
      .catch(() => {
        if (!waiting.signal.aborted) sendBack({ type: isHeld ? 'claim.lost' : 'claim.held' })
      })
    return () => {
      waiting.abort()
      release()
    }
  })
