// Stored writes in IndexedDB. Their order is the one in which the database added them, whichever tab did.
import { type DBSchema, type IDBPDatabase, openDB } from 'idb'
import type { StoredWrite, WriteStorage } from './stored-write.ts'

interface Schema extends DBSchema {
  writes: { key: number; value: StoredWrite; indexes: { id: string } }
}

/** @throws the browser's error if there is no database, as in some private windows */
export async function createIdbStorage(database: string): Promise<WriteStorage> {
  let opened: Promise<IDBPDatabase<Schema>> | undefined
  const open = () =>
    (opened ??= openDB<Schema>(database, 1, {
      upgrade(db) {
        db.createObjectStore('writes', { autoIncrement: true }).createIndex('id', 'id', { unique: true })
      },
      // Another page deletes the database, or a newer version of this code upgrades it.
      blocking: (_current, _wanted, event) => {
        opened = undefined
        ;(event.target as IDBDatabase).close()
      },
      terminated: () => void (opened = undefined),
    }))
  await open()
  /** Runs in one transaction with the place of a write. */
  const at = async (
    id: string,
    change: (place: number) => readonly ['put', StoredWrite] | readonly ['delete'],
  ) => {
    const { store, done } = (await open()).transaction('writes', 'readwrite')
    const place = await store.index('id').getKey(id)
    if (place !== undefined) {
      const [kind, write] = change(place)
      await (kind === 'put' && write ? store.put(write, place) : store.delete(place))
    }
    await done
  }
  return {
    isDurable: true,
    list: async () => (await open()).getAll('writes'),
    get: async id => (await open()).getFromIndex('writes', 'id', id),
    add: async write => void (await (await open()).add('writes', write)),
    replace: write => at(write.id, () => ['put', write]),
    remove: id => at(id, () => ['delete']),
    close: () => void opened?.then(db => db.close()),
  }
}
