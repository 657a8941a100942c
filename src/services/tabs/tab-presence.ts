// Which tabs of a browser are there: each has a name and holds a lock of that name for as long as it lives.
import { createEntropy } from '../entropy.ts'

/** What is used of the browser's locks. */
export interface TabLocks {
  request(name: string, hold: () => Promise<void>): Promise<unknown>
}

export interface TabPresence {
  /** Nobody else's. */
  readonly name: string
  /** Calls back as soon as a tab is gone; in one tab alone, if several wait. */
  readonly whenGone: (tab: string, act: () => void) => void
}

const lockOf = (tab: string) => `chartroom.tab.${tab}`

const known = new WeakMap<TabLocks, TabPresence>()

/** That of the tab to which these locks belong. */
export function tabPresence(locks: TabLocks): TabPresence {
  const made = known.get(locks) ?? begin(locks)
  known.set(locks, made)
  return made
}

function begin(locks: TabLocks): TabPresence {
  const name = createEntropy().id()
  // Given back by the browser alone, when the tab is gone.
  void locks.request(lockOf(name), () => new Promise(() => undefined))
  return {
    name,
    whenGone: (tab, act) => {
      void locks.request(lockOf(tab), () => {
        act()
        return Promise.resolve()
      })
    },
  }
}
