// Marks for storage writes: lock names, which reach other tabs sooner than the storage itself.
import type { Clock } from '../../runtime/index.ts'

/** The parts of the browser's locks that are used. */
export type Locks = Pick<LockManager, 'request' | 'query'>

/** When sessions were received: the one last written by this tab, and the one in storage. */
export interface Stamps {
  written(): number
  stored(): Promise<number>
}

const MARKED_FOR = 3_000
const CATCH_UP = 1_000
const LOOK_AGAIN = 10

/**
 * Browsers propagate storage writes to other tabs with a delay. So the writer holds a lock named after its
 * write for a while, and the next tab waits until it sees that write.
 */
export function createMarks(locks: Locks, name: string, clock: Clock, stamps: Stamps) {
  const ends = new Set<() => void>()
  let drops = 0
  const pause = (ms: number) =>
    new Promise<void>(resolve => {
      const end = () => {
        clock.clearTimeout(timer)
        ends.delete(end)
        resolve()
      }
      const timer = clock.setTimeout(end, ms)
      ends.add(end)
    })
  return {
    /** Removes the marks and stops waiting. */
    drop() {
      drops += 1
      for (const end of ends) end()
    },
    /** Resolves when the storage contains the marked writes of other tabs, or after a second. */
    async caughtUp(): Promise<void> {
      const { held = [] } = await locks.query()
      const marked = held.map(lock => Number(lock.name?.split(`${name}:`)[1] ?? 0))
      const latest = Math.max(0, ...marked)
      const [until, before] = [clock.now() + CATCH_UP, drops]
      const isLate = async () => latest > 0 && (await stamps.stored()) < latest
      while ((await isLate()) && clock.now() < until && drops === before) await pause(LOOK_AGAIN)
    },
    /** Resolves when the mark is set. */
    leave: (stamp: number) =>
      new Promise<void>(resolve => {
        const marked = () => {
          resolve()
          return pause(MARKED_FOR)
        }
        locks.request(`${name}:${stamp}`, { ifAvailable: true }, marked).catch(resolve)
      }),
  }
}

export type Marks = ReturnType<typeof createMarks>
