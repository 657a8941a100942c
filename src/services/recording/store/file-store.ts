// A recording store in a folder, for Node.
import { createEntropy } from '../../runtime/index.ts'
import { createFileStorage, type Sync } from './file-storage.ts'
import { StoreEngine } from './store-engine.ts'
import { createStore } from './store.ts'
import type { Retention, TraceStore } from './trace-store.ts'

/** Options of `createFileStore`. */
export interface FileStoreOptions extends Retention {
  /**
   * When to flush writes to disk: `segment` (default) after each completed piece of a few megabytes, `chunk`
   * after each write, `never` when the operating system decides. A crash of the process alone loses the same
   * amount in all modes.
   */
  readonly sync?: Sync
}

/**
 * Stores recordings in the folder `dir`, which several processes can share. Each recording is a folder to
 * which lines are appended. An incomplete last chunk is ignored.
 */
export function createFileStore(
  dir: string,
  { sync = 'segment', ...retention }: FileStoreOptions = {},
): TraceStore {
  const storage = createFileStorage(dir, sync)
  return createStore({
    createEngine: onStatus =>
      Promise.resolve(new StoreEngine({ storage, retention, now: () => Date.now(), onStatus })),
    writer: `process ${process.pid}`,
    id: createEntropy().id,
    now: () => performance.now(),
  })
}
