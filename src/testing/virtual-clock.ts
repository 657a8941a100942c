// A clock that advances only on request, from deadline to deadline.
import type { Clock, TimerHandle } from '../services/runtime/index.ts'

export interface VirtualClock extends Clock {
  /** Fires every timer that is due within `ms`, in order, including timers set by these. */
  advance(ms: number): void
  /** The same, but lets promises settle before the first deadline and after each one. */
  advanceAsync(ms: number): Promise<void>
  /** Number of active timers. */
  pending(): number
}

interface Timer {
  readonly id: number
  readonly due: number
  readonly fn: () => void
}

/** Creates a clock at 0 ms; `wall` counts from `start`. */
export function createVirtualClock(start = new Date('2026-01-01T00:00:00Z')): VirtualClock {
  const timers = new Map<number, Timer>()
  let now = 0
  let nextId = 1
  const next = (until: number): Timer | undefined => {
    let first: Timer | undefined
    for (const timer of timers.values()) {
      if (timer.due <= until && (!first || timer.due < first.due)) first = timer
    }
    return first
  }
  const fire = (timer: Timer) => {
    timers.delete(timer.id)
    now = Math.max(now, timer.due)
    timer.fn()
  }
  return {
    now: () => now,
    wall: () => new Date(start.getTime() + now),
    setTimeout(fn, ms): TimerHandle {
      const id = nextId++
      timers.set(id, { id, due: now + Math.max(0, ms), fn })
      return id
    },
    clearTimeout: handle => void timers.delete(handle as number),
    pending: () => timers.size,
    advance(ms) {
      const until = now + ms
      for (let timer = next(until); timer; timer = next(until)) fire(timer)
      now = until
    },
    async advanceAsync(ms) {
      const until = now + ms
      await settle()
      for (let timer = next(until); timer; timer = next(until)) {
        fire(timer)
        await settle()
      }
      now = until
    },
  }
}

/** A new task runs after all queued microtasks, however long their chain. */
function settle(): Promise<void> {
  return new Promise(resolve => {
    if (typeof setImmediate === 'function') setImmediate(resolve)
    else globalThis.setTimeout(resolve, 0)
  })
}
