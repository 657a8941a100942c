// Warns about several clients of a page with one session: each refreshes its token and follows the others, as tabs do.
import type { SessionStorage } from '../../runtime/index.ts'
import { isShared } from './session-store.ts'

/** Number of running clients, by storage and key. */
const running = new WeakMap<SessionStorage, Map<string, number>>()
const warned = new Set<string>()

/** Call this when a client starts. Returns a function for its end. */
export function claimStorageKey(storage: SessionStorage, key: string): () => void {
  // Only in pages does an app need one client.
  if (!isShared(storage)) return () => undefined
  const counts = running.get(storage) ?? new Map<string, number>()
  running.set(storage, counts)
  const add = (change: number) => {
    const count = (counts.get(key) ?? 0) + change
    counts.set(key, count)
    return count
  }
  if (add(1) > 1 && !warned.has(key)) {
    warned.add(key)
    console.warn(
      `[chartroom] Several clients of this page use the storage key "${key}". Create one client and import it where ` +
        'it is needed, dispose of those that are not, or give each its own `auth.storageKey`.',
    )
  }
  let isRunning = true
  return () => {
    if (isRunning) add(-1)
    isRunning = false
  }
}
