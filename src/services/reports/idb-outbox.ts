// The outbox in IndexedDB.
import { type DBSchema, type IDBPDatabase, openDB } from 'idb'
import type { Outbox, Spent, StoredReport } from './outbox.ts'

interface Schema extends DBSchema {
  reports: { key: string; value: StoredReport }
  spent: { key: 'today'; value: Spent }
}

/** @throws the browser's error if there is no database, as in some private windows */
export async function createIdbOutbox(database: string): Promise<Outbox> {
  let opened: Promise<IDBPDatabase<Schema>> | undefined
  const open = () =>
    (opened ??= openDB<Schema>(database, 1, {
      upgrade(db) {
        db.createObjectStore('reports', { keyPath: 'id' })
        db.createObjectStore('spent')
      },
      // Another page deletes the database, or a newer version of this code upgrades it.
      blocking: (_current, _wanted, event) => {
        opened = undefined
        ;(event.target as IDBDatabase).close()
      },
      terminated: () => void (opened = undefined),
    }))
  await open()
  return {
    list: async () => (await open()).getAll('reports'),
    get: async id => (await open()).get('reports', id),
    put: async report => void (await (await open()).put('reports', report)),
    remove: async id => (await open()).delete('reports', id),
    spent: async () => (await open()).get('spent', 'today'),
    spend: async spent => void (await (await open()).put('spent', spent, 'today')),
    close: () => void opened?.then(db => db.close()),
  }
}
