// Marks of what was stored: names of locks, which reach other tabs sooner than the storage itself.
import type { Clock } from '../clock.ts'

/** The locks of a browser, as far as they are used. */
export type Locks = Pick<LockManager, 'request' | 'query'>

/** When sessions were received: the one that this tab wrote last, and the one that it sees in the storage. */
export interface Stamps {
  written(): number
  stored(): Promise<number>
}

const MARKED_FOR = 3_000
const CATCH_UP = 1_000
const LOOK_AGAIN = 10

/**
 * Browsers carry what one tab writes to the others in their own time. So who wrote leaves the stamp of it as the
 * name of a lock for a while, and who comes next waits until it sees that stamp.
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
    /** Takes the marks away, and waits no longer. */
    drop() {
      drops += 1
      for (const end of ends) end()
    },
    /** Resolves when the storage shows what others marked, or after a second. */
    async caughtUp(): Promise<void> {
      const { held = [] } = await locks.query()
      const marked = held.map(lock => Number(lock.name?.split(`${name}:`)[1] ?? 0))
      const latest = Math.max(0, ...marked)
      const [until, before] = [clock.now() + CATCH_UP, drops]
      const isLate = async () => latest > 0 && (await stamps.stored()) < latest
      while ((await isLate()) && clock.now() < until && drops === before) await pause(LOOK_AGAIN)
    },
    /** Resolves when the mark is there. */
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
