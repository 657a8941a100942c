// Shows stored writes in their collections until they are delivered, with the engine of @tanstack/offline-transactions:
// its format of stored transactions, and its restoring of them as optimistic state.
import {
  KeyScheduler,
  type OfflineConfig,
  type OfflineTransaction,
  OutboxManager,
  type StorageAdapter,
  TransactionExecutor,
  TransactionSerializer,
} from '@tanstack/offline-transactions'
import type { Collection, PendingMutation } from '@tanstack/db'

/** The collections of an app by the names under which their writes are stored. */
export type Collections = Readonly<Record<string, object>>

/** What the engine makes of a stored transaction. */
type Restored = Parameters<TransactionSignaler['registerRestorationTransaction']>[1]
type TransactionSignaler = ConstructorParameters<typeof TransactionExecutor>[3]

type Engine = {
  readonly collections: OfflineConfig['collections']
  readonly serializer: TransactionSerializer
}

const PREFIX = 'tx:'

/** The part of a stored write that is shown. */
interface ShownWrite {
  readonly id: string
  readonly transaction: string
}

export type ShownWrites = ReturnType<typeof createShownWrites>

export function createShownWrites(collectionOptions: Collections) {
  // The engine has an own copy of the types of @tanstack/db.
  const collections = collectionOptions as OfflineConfig['collections']
  const { serializer }: Engine = { collections, serializer: new TransactionSerializer(collections) }
  const restoredWrites = new Map<string, Restored>()
  /** What the engine reads next. */
  let next: readonly ShownWrite[] = []
  const storage: StorageAdapter = {
    keys: () => Promise.resolve(next.map(({ id }) => PREFIX + id)),
    get: key => Promise.resolve(next.find(({ id }) => PREFIX + id === key)?.transaction ?? null),
    // The outbox decides what is stored.
    set: () => Promise.resolve(),
    delete: () => Promise.resolve(),
    clear: () => Promise.resolve(),
  }
  const engine = new TransactionExecutor(
    new KeyScheduler(),
    new OutboxManager(storage, collections),
    { collections, mutationFns: {} },
    {
      // It shows transactions and never sends any.
      isOnline: () => false,
      resolveTransaction: () => undefined,
      rejectTransaction: () => undefined,
      registerRestorationTransaction: (id, transaction) => restoredWrites.set(id, transaction),
    },
  )
  let showing = Promise.resolve()
  const showAll = async (writes: readonly ShownWrite[]) => {
    next = writes.filter(({ id }) => !restoredWrites.has(id))
    if (next.length === 0) return
    await engine.loadPendingTransactions()
    engine.clear()
    next = []
  }
  return {
    /** The form in which a write is stored, and can be shown after a reload. */
    serialize(id: string, mutation: PendingMutation, madeAt: number): string {
      const transaction: OfflineTransaction = {
        id,
        mutationFnName: 'chartroom',
        mutations: [mutation as unknown as OfflineTransaction['mutations'][number]],
        keys: [mutation.globalKey],
        idempotencyKey: id,
        createdAt: new Date(madeAt),
        retryCount: 0,
        nextAttemptAt: 0,
        version: 1,
      }
      return serializer.serialize(transaction)
    },
    /** Shows these writes in this order, after those that are shown. */
    show: (writes: readonly ShownWrite[]): Promise<void> => (showing = showing.then(() => showAll(writes))),
    ids: (): readonly string[] => [...restoredWrites.keys()],
    hide(id: string) {
      const transaction = restoredWrites.get(id)
      restoredWrites.delete(id)
      // Later writes to the same row stay.
      transaction?.rollback({ isSecondaryRollback: true })
    },
  }
}

/** A collection, of which only what the outbox uses is known. */
export type AnyCollection = Pick<Collection, 'id' | 'utils'>
