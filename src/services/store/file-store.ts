// A store of recordings in a folder, for Node.
import { createEntropy } from '../entropy.ts'
import { createFileShelf, type Sync } from './file-shelf.ts'
import { Keeper } from './keeper.ts'
import { createStore } from './store.ts'
import type { Retention, TraceStore } from './trace-store.ts'

export interface FileStoreOptions extends Retention {
  /**
   * When the disk itself must have what was written: `segment` (unless told) once a piece of some megabytes is
   * complete, `chunk` each time, `never` when the system sees fit. A crash of the process alone loses the same.
   */
  readonly sync?: Sync
}

/**
 * Recordings in the folder `dir`, several processes side by side. Each is a folder of its own in which lines are
 * appended; a last chunk that was torn is left out.
 */
export function createFileStore(
  dir: string,
  { sync = 'segment', ...retention }: FileStoreOptions = {},
): TraceStore {
  const shelf = createFileShelf(dir, sync)
  return createStore({
    keeper: onStatus => Promise.resolve(new Keeper({ shelf, retention, now: () => Date.now(), onStatus })),
    writer: `process ${process.pid}`,
    id: createEntropy().id,
    now: () => performance.now(),
  })
}
