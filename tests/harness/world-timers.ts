// The timers of one port of a world, which end together.
import type { TabClock } from './world-clock.ts'

export interface Timers {
  set(fn: () => void, ms: number): void
  clear(this: void): void
}

export function createTimers(tab: TabClock): Timers {
  const handles = new Set<unknown>()
  return {
    set(fn, ms) {
      const handle = tab.setTimeout(() => {
        handles.delete(handle)
        fn()
      }, ms)
      handles.add(handle)
    },
    clear() {
      for (const handle of handles) tab.clearTimeout(handle)
      handles.clear()
    },
  }
}
