// The worker that compresses recordings and writes them to IndexedDB.
import { createIdbShelf } from './idb-shelf.ts'
import { Keeper } from './keeper.ts'
import { serveKeeper, type Question } from './remote-keeper.ts'

const answer = serveKeeper(
  async ({ database, retention }, onStatus) => {
    const shelf = await createIdbShelf(database)
    return new Keeper({ shelf, retention, now: () => Date.now(), onStatus })
  },
  // The types know only the page's `postMessage`; a worker has no origin to pass.
  reply => globalThis.postMessage(reply, { targetOrigin: '*' }),
)

globalThis.addEventListener('message', ({ data }: MessageEvent<Question>) => answer(data))
