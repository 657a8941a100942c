// The rows of a table in a collection: what the backend has, without the writes that wait on the device.
import type { SyncConfig } from '@tanstack/db'
import { isEqual } from '../../trace/index.ts'
import type { Row } from './stored-write.ts'

/** How a collection takes rows. */
type Sync = Parameters<SyncConfig<object>['sync']>[0]

/** The key of a row, as the collection has it. */
export type KeyOf = (row: Row) => string | number

export type SyncedRows = ReturnType<typeof createSyncedRows>

export function createSyncedRows(keyOf: KeyOf) {
  let sync: Sync | undefined
  const rows = new Map<string | number, Row>()
  let isReady = false

  const commit = (change: (write: Sync['write']) => void) => {
    if (!sync) return
    sync.begin()
    change(sync.write)
    void Promise.resolve(sync.commit()).catch(() => undefined)
  }
  const put = (row: Row, write: Sync['write']) => {
    const key = keyOf(row)
    const cachedRow = rows.get(key)
    if (cachedRow && isEqual(cachedRow, row)) return
    rows.set(key, row)
    write({ type: cachedRow ? 'update' : 'insert', value: row })
  }
  const remove = (key: string | number, write: Sync['write']) => {
    const row = rows.get(key)
    if (row && rows.delete(key)) write({ type: 'delete', value: row })
  }
  const markReady = () => {
    if (!sync || isReady) return
    isReady = true
    sync.markReady()
  }
  return {
    start(syncHandlers: Sync) {
      sync = syncHandlers
      isReady = false
      rows.clear()
    },
    stop() {
      sync = undefined
    },
    markReady,
    /** The rows could not be read at all. */
    markError(error: unknown) {
      if (!isReady) sync?.markError(error)
    },
    /** Shows exactly these rows. */
    replace(next: readonly Row[]) {
      commit(write => {
        const keys = new Set(next.map(keyOf))
        for (const key of rows.keys()) if (!keys.has(key)) remove(key, write)
        for (const row of next) put(row, write)
      })
      markReady()
    },
    put: (row: Row) => commit(write => put(row, write)),
    remove: (key: string | number) => commit(write => remove(key, write)),
    clear: () => commit(write => [...rows.keys()].forEach(key => remove(key, write))),
  }
}
