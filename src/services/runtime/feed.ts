// A change feed: counts changes and notifies listeners after the current task.
import { Listeners } from '../../trace/index.ts'

/** Notifies listeners at most once per task. */
export interface Feed {
  version(this: void): number
  subscribe(this: void, listener: () => void): () => void
  notify(): void
}

/** Creates a feed without listeners. */
export function createFeed(): Feed {
  const listeners = new Listeners()
  let version = 0
  let due = false
  const flush = () => {
    due = false
    listeners.notify()
  }
  return {
    version: () => version,
    subscribe: listeners.subscribe,
    notify() {
      version += 1
      if (due || listeners.size === 0) return
      due = true
      globalThis.setTimeout(flush, 0)
    },
  }
}
