// The worker that compresses recordings and writes them to IndexedDB.
import { createIdbStorage } from './idb-storage.ts'
import { StoreEngine } from './store-engine.ts'
import { serveStoreEngine, type Question } from './worker-store-engine.ts'

const answer = serveStoreEngine(
  async ({ database, retention }, onStatus) => {
    const storage = await createIdbStorage(database)
    return new StoreEngine({ storage, retention, now: () => Date.now(), onStatus })
  },
  // The types know only the page's `postMessage`; a worker has no origin to pass.
  reply => globalThis.postMessage(reply, { targetOrigin: '*' }),
)

globalThis.addEventListener('message', ({ data }: MessageEvent<Question>) => answer(data))
