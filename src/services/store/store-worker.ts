// The worker in which recordings are packed and put into the browser's database.
import { createIdbShelf } from './idb-shelf.ts'
import { Keeper } from './keeper.ts'
import { serveKeeper, type Question } from './remote-keeper.ts'

const answer = serveKeeper(
  async ({ database, retention }, onStatus) => {
    const shelf = await createIdbShelf(database)
    return new Keeper({ shelf, retention, now: () => Date.now(), onStatus })
  },
  // The types know the page's `postMessage` alone; a worker has no origin to name.
  reply => globalThis.postMessage(reply, { targetOrigin: '*' }),
)

globalThis.addEventListener('message', ({ data }: MessageEvent<Question>) => answer(data))
