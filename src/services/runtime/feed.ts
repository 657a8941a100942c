// A change feed: counts changes and notifies listeners after the current task.

/** Notifies listeners at most once per task. */
export interface Feed {
  version(this: void): number
  subscribe(this: void, listener: () => void): () => void
  notify(): void
}

/** Creates a feed without listeners. */
export function createFeed(): Feed {
  const listeners = new Set<() => void>()
  let version = 0
  let due = false
  const flush = () => {
    due = false
    for (const listener of listeners) listener()
  }
  return {
    version: () => version,
    subscribe(listener: () => void) {
      const own = () => listener()
      listeners.add(own)
      return () => void listeners.delete(own)
    },
    notify() {
      version += 1
      if (due || listeners.size === 0) return
      due = true
      globalThis.setTimeout(flush, 0)
    },
  }
}
