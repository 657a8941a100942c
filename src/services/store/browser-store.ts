// A store of recordings in the browser: a worker packs them and puts them into its database.
import { createEntropy } from '../entropy.ts'
import { createRemoteKeeper, type RemoteKeeper, type WorkerOptions } from './remote-keeper.ts'
import { createStore, type KeeperLike } from './store.ts'
import type { Retention, StoreStatus, TraceStore } from './trace-store.ts'

export interface BrowserStoreOptions extends Retention {
  /** Name of the database; `chartroom.traces` unless told. All tabs of an origin share it. */
  readonly database?: string
}

/** How often a hidden page writes: by the worker's timers, since its own come once a minute then. */
const HIDDEN_EVERY = 200

/** Where a tab keeps its name over reloads. */
const TAB_KEY = 'chartroom.tab'

/**
 * Recordings in the browser's own database, written by a worker (by the page itself where there are no workers).
 * Where nothing can be kept, as in some private windows and on servers, it keeps nothing and its status says why.
 */
export function createBrowserStore(options: BrowserStoreOptions = {}): TraceStore {
  const { database = 'chartroom.traces', ...retention } = options
  const { id } = createEntropy()
  let remote: RemoteKeeper | undefined
  const tick = () => remote?.tick(isHidden() ? HIDDEN_EVERY : undefined)
  const keeper = async (onStatus: (status: StoreStatus) => void): Promise<KeeperLike> => {
    const made = { database, retention: retention as WorkerOptions['retention'] }
    if (typeof indexedDB === 'undefined') throw new Error('there is no IndexedDB here')
    remote = await startWorker(made, { onStatus, onTick: () => store.flush() })
    tick()
    return remote ?? keepHere(made, onStatus)
  }
  const store = createStore({ keeper, writer: tabName(id), id, now: () => performance.now() })
  const leave = onLeaving(() => {
    store.flush()
    tick()
  })
  return {
    ...store,
    close() {
      leave()
      return store.close()
    },
  }
}

/** Nothing where workers are missing or are not allowed. */
async function startWorker(
  options: WorkerOptions,
  on: Parameters<typeof createRemoteKeeper>[2],
): Promise<RemoteKeeper | undefined> {
  if (typeof Worker === 'undefined') return undefined
  try {
    const worker = new Worker(new URL('./store-worker.ts', import.meta.url), { type: 'module' })
    return await createRemoteKeeper(worker, options, on)
  } catch {
    return undefined
  }
}

async function keepHere(
  { database, retention }: WorkerOptions,
  onStatus: (status: StoreStatus) => void,
): Promise<KeeperLike> {
  const [{ createIdbShelf }, { Keeper }] = await Promise.all([
    import('./idb-shelf.ts'),
    import('./keeper.ts'),
  ])
  const shelf = await createIdbShelf(database)
  return new Keeper({ shelf, retention, now: () => Date.now(), onStatus })
}

const isHidden = () => typeof document !== 'undefined' && document.visibilityState === 'hidden'

/** Calls back when the page may soon be gone or sleep, and when it is back. */
function onLeaving(listener: () => void): () => void {
  if (typeof document === 'undefined') return () => undefined
  document.addEventListener('visibilitychange', listener)
  document.addEventListener('freeze', listener)
  globalThis.addEventListener('pagehide', listener)
  return () => {
    document.removeEventListener('visibilitychange', listener)
    document.removeEventListener('freeze', listener)
    globalThis.removeEventListener('pagehide', listener)
  }
}

/** The same over reloads, so that recordings of one tab can be told from those of others. */
function tabName(id: () => string): string {
  try {
    const known = sessionStorage.getItem(TAB_KEY)
    if (known !== null) return known
    const name = id().slice(0, 8)
    sessionStorage.setItem(TAB_KEY, name)
    return name
  } catch {
    return id().slice(0, 8)
  }
}
