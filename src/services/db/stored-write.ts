// A write that waits on the device, and where such writes are stored: in IndexedDB, or in memory.
import type { Failure, WriteInfo } from '../../machines/index.ts'

/** A row as the backend returns it, by column. */
export type Row = Readonly<Record<string, unknown>>

/** The table that a collection shows. */
export interface TableAddress {
  readonly table: string
  /** Schema of the database. */
  readonly schema: string
  /** Columns of the primary key. */
  readonly primaryKey: readonly string[]
  /** Column that changes with each change of a row. */
  readonly version?: string | undefined
}

/** The part of a write that is sent. */
export interface Write extends TableAddress {
  readonly kind: WriteInfo['kind']
  /** The row with the write. */
  readonly row: Row
  /** The columns that an update changes. */
  readonly changes: Row
  /** The row that the user saw; empty for an insert. */
  readonly original: Row
}

/** A write on the device. */
export interface StoredWrite extends Write {
  readonly id: string
  /** `''`: it needs no signed-in user. */
  readonly userId: string
  /** Milliseconds since 1970, by the clock of the device. */
  readonly madeAt: number
  /** Name of its collection in `collections`. */
  readonly collection: string
  /** The transaction as @tanstack/offline-transactions stores it, from which it is shown after a reload. */
  readonly transaction: string
  readonly phase: WriteInfo['phase']
  /** Why it was refused. */
  readonly failure?: Failure
  /** The current row, while the write asks; null: it is gone, or not visible. */
  readonly theirs?: Row | null
}

/** The writes of all tabs of an origin, in the order in which they were added. Methods reject with the device's error. */
export interface WriteStorage {
  /** False if the writes are lost with the page. */
  readonly isDurable: boolean
  list(): Promise<readonly StoredWrite[]>
  get(id: string): Promise<StoredWrite | undefined>
  add(write: StoredWrite): Promise<void>
  /** Replaces a write in its place; does nothing if it is gone. */
  replace(write: StoredWrite): Promise<void>
  remove(id: string): Promise<void>
  close(): void
}

/** For browsers that store nothing, as in some private windows, and for programs. */
export function createMemoryStorage(): WriteStorage {
  const writes = new Map<string, StoredWrite>()
  return {
    isDurable: false,
    list: () => Promise.resolve([...writes.values()]),
    get: id => Promise.resolve(writes.get(id)),
    add: write => Promise.resolve(void writes.set(write.id, write)),
    replace: write => Promise.resolve(void (writes.has(write.id) && writes.set(write.id, write))),
    remove: id => Promise.resolve(void writes.delete(id)),
    close: () => undefined,
  }
}

/** Uses IndexedDB if it works, and memory otherwise. */
export async function openWriteStorage(database: string): Promise<WriteStorage> {
  if (typeof indexedDB === 'undefined') return createMemoryStorage()
  try {
    const { createIdbStorage } = await import('./idb-write-storage.ts')
    return await createIdbStorage(database)
  } catch {
    return createMemoryStorage()
  }
}
