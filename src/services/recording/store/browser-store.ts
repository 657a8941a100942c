// A recording store in the browser: a worker compresses recordings and writes them to IndexedDB.
import { createEntropy } from '../../runtime/index.ts'
import { createWorkerStoreEngine, type WorkerStoreEngine, type WorkerOptions } from './worker-store-engine.ts'
import { createStore, type StoreEngineLike } from './store.ts'
import type { Retention, StoreStatus, TraceStore } from './trace-store.ts'

/** Options of `createBrowserStore`. */
export interface BrowserStoreOptions extends Retention {
  /** Name of the database, shared by all tabs of an origin. Defaults to `chartroom.traces`. */
  readonly database?: string
}

/**
 * Write interval of a hidden page, in ms. It uses the worker's timers because a hidden page's own fire once a
 * minute.
 */
const HIDDEN_EVERY = 200

/** Session storage key that keeps the tab's name across reloads. */
const TAB_KEY = 'chartroom.tab'

/**
 * Stores recordings in IndexedDB, written by a worker, or by the page itself if workers are not available. If
 * storage is not available, as in some private windows and on servers, nothing is stored and the status gives
 * the reason.
 */
export function createBrowserStore(options: BrowserStoreOptions = {}): TraceStore {
  const { database = 'chartroom.traces', ...retention } = options
  const { id } = createEntropy()
  let remote: WorkerStoreEngine | undefined
  const tick = () => remote?.tick(isHidden() ? HIDDEN_EVERY : undefined)
  const createEngine = async (onStatus: (status: StoreStatus) => void): Promise<StoreEngineLike> => {
    const made = { database, retention: retention as WorkerOptions['retention'] }
    if (typeof indexedDB === 'undefined') throw new Error('IndexedDB is not available')
    remote = await startWorker(made, { onStatus, onTick: () => store.flush() })
    tick()
    return remote ?? keepHere(made, onStatus)
  }
  const store = createStore({ createEngine, writer: tabName(id), id, now: () => performance.now() })
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

/** Returns `undefined` if workers are missing or blocked. */
async function startWorker(
  options: WorkerOptions,
  on: Parameters<typeof createWorkerStoreEngine>[2],
): Promise<WorkerStoreEngine | undefined> {
  if (typeof Worker === 'undefined') return undefined
  try {
    const worker = new Worker(new URL('./store-worker.ts', import.meta.url), { type: 'module' })
    return await createWorkerStoreEngine(worker, options, on)
  } catch {
    return undefined
  }
}

async function keepHere(
  { database, retention }: WorkerOptions,
  onStatus: (status: StoreStatus) => void,
): Promise<StoreEngineLike> {
  const [{ createIdbStorage }, { StoreEngine }] = await Promise.all([
    import('./idb-storage.ts'),
    import('./store-engine.ts'),
  ])
  const storage = await createIdbStorage(database)
  return new StoreEngine({ storage, retention, now: () => Date.now(), onStatus })
}

const isHidden = () => typeof document !== 'undefined' && document.visibilityState === 'hidden'

/** Calls the listener when the page may be about to close or freeze, and when it is visible again. */
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

/**
 * Returns a name that survives reloads, so that recordings of this tab can be distinguished from those of
 * other tabs.
 */
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
