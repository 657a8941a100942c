// Tab presence: each tab has a name and holds a lock with that name while it exists.
import { createEntropy } from '../../runtime/index.ts'

/** The parts of the browser's locks that are used. */
export interface TabLocks {
  request(name: string, hold: () => Promise<void>): Promise<unknown>
}

export interface TabPresence {
  /** Unique name of this tab. */
  readonly name: string
  /** Calls `act` as soon as a tab is gone; only in one tab if several wait. */
  readonly whenGone: (tab: string, act: () => void) => void
}

const lockOf = (tab: string) => `chartroom.tab.${tab}`

const presences = new WeakMap<TabLocks, TabPresence>()

/** Returns the presence of the tab that these locks belong to. */
export function tabPresence(locks: TabLocks): TabPresence {
  const presence = presences.get(locks) ?? begin(locks)
  presences.set(locks, presence)
  return presence
}

function begin(locks: TabLocks): TabPresence {
  const name = createEntropy().id()
  // Released by the browser when the tab is gone.
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
