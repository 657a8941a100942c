// Long work in slices, between which the page can draw and handle input.

/** Milliseconds of work before the page gets a turn: half a frame, since one more piece of work may follow. */
const SLICE = 8

/** Returns a function to call often: after a slice of work, it returns a promise of the page's next turn. */
export function createSlices(now = () => performance.now()): () => Promise<void> | undefined {
  let start = now()
  return () =>
    now() - start < SLICE
      ? undefined
      : nextTurn().then(() => {
          start = now()
        })
}

/** Resolves in a later task. Timers of hidden pages are slowed down to one a second, messages are not. */
export function nextTurn(): Promise<void> {
  return new Promise(resolve => {
    if (typeof MessageChannel === 'undefined') return void setTimeout(resolve)
    const { port1, port2 } = new MessageChannel()
    port1.addEventListener('message', () => {
      // An open port would keep a Node process alive.
      port1.close()
      resolve()
    })
    port1.start()
    port2.postMessage(undefined)
  })
}
