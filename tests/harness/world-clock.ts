// Time in a world: one clock for all, and a clock for each tab that stops while its tab hangs.
import {
  createClock,
  type Clock,
  type RawClocks,
  type TimerHandle,
} from '../../src/services/runtime/clock.ts'

interface Timer {
  readonly at: number
  readonly order: number
  readonly fn: () => void
}

/** The single clock of a world; timers with the same time fire in the order in which they were set. */
export interface WorldClock {
  now(): number
  setTimeout(fn: () => void, ms: number): number
  clearTimeout(id: number): void
  /** Something happened that promises may wait for. */
  touch(): void
  /** Runs everything that is due within `ms`, including promises. */
  advance(ms: number): Promise<void>
}

/** `hasMoved` reports whether anything has happened since the last call that promises may follow from. */
export function createWorldClock(hasMoved: () => boolean): WorldClock {
  const timers = new Map<number, Timer>()
  /** A binary heap of ids by time; cleared timers stay in it until their time has come. */
  const heap: (readonly [at: number, id: number])[] = []
  let [now, count, isTouched] = [0, 0, false]
  const take = (until: number): Timer | undefined => {
    for (let top = heap[0]; top && top[0] <= until; top = heap[0]) {
      pop(heap)
      const timer = timers.get(top[1])
      timers.delete(top[1])
      if (timer) return timer
    }
    return undefined
  }
  return {
    now: () => now,
    setTimeout(fn, ms) {
      const id = ++count
      const at = now + Math.max(0, ms)
      timers.set(id, { at, order: id, fn })
      push(heap, [at, id])
      return id
    },
    clearTimeout: id => void timers.delete(id),
    touch: () => void (isTouched = true),
    async advance(ms) {
      const until = now + ms
      await settled()
      for (let timer = take(until); timer; timer = take(until)) {
        now = Math.max(now, timer.at)
        timer.fn()
        // A task for each read of the clock would take longer than everything else.
        if (hasMoved() || isTouched) await settled()
        isTouched = false
      }
      now = until
    },
  }
}

type Entry = readonly [at: number, id: number]
const isBefore = (a: Entry, b: Entry) => a[0] < b[0] || (a[0] === b[0] && a[1] < b[1])

function push(heap: Entry[], entry: Entry): void {
  let at = heap.length
  heap.push(entry)
  while (at > 0) {
    const up = (at - 1) >> 1
    const above = heap[up] as Entry
    if (!isBefore(entry, above)) break
    heap[at] = above
    at = up
  }
  heap[at] = entry
}

function pop(heap: Entry[]): void {
  const last = heap.pop()
  if (!last || heap.length === 0) return
  let at = 0
  for (;;) {
    const left = at * 2 + 1
    const [a, b] = [heap[left], heap[left + 1]]
    if (!a) break
    const [least, index] = b && isBefore(b, a) ? [b, left + 1] : [a, left]
    if (!isBefore(least, last)) break
    heap[at] = least
    at = index
  }
  heap[at] = last
}

/** A separate task runs after every microtask that is queued now, however long their chain. */
const settled = () => new Promise<void>(resolve => setImmediate(resolve))

/** The clock that a tab sees. */
export interface TabClock extends Clock {
  /** The world's time at a time of this clock. */
  toWorld(t: number): number
  /** Schedules an external event for the tab: like a timer, but not one that the tab has set. */
  arrive(fn: () => void, ms: number): void
  /** From now on nothing runs: what is due waits. */
  hold(): void
  /** What became due in the meantime runs now, one task after the other. */
  release(): void
  /** The tab is gone, and its timers with it. */
  drop(): void
  /** Since when, on the world's clock, the tab has run without hanging. */
  since(): number
  /** How many timers the tab has set. */
  pending(): number
}

/** `raw` are the clocks of the device, from which ours is made. */
export function createTabClock(world: WorldClock, raw: RawClocks): TabClock {
  const { now, wall } = createClock(raw)
  const looks = new Set<() => void>()
  const ahead: [t: number, by: number][] = []
  const own = new Map<number, { fn: () => void; world: number; isOutside: boolean }>()
  let late: number[] = []
  let [isHeld, isGone] = [false, false]
  let [count, since] = [0, world.now()]
  const due = (id: number) => {
    if (isHeld) return void late.push(id)
    if (own.get(id)?.isOutside) world.touch()
    else for (const look of looks) look()
    const timer = own.get(id)
    own.delete(id)
    timer?.fn()
  }
  const set = (fn: () => void, ms: number, isOutside: boolean) => {
    const id = ++count
    if (!isGone) own.set(id, { fn, world: world.setTimeout(() => due(id), ms), isOutside })
    return id
  }
  return {
    now() {
      const t = now()
      const by = t - world.now()
      if (ahead.at(-1)?.[1] !== by) ahead.push([t, by])
      return t
    },
    wall,
    beforeTimers(look) {
      looks.add(look)
      return () => void looks.delete(look)
    },
    toWorld: t => t - ((ahead.findLast(([from]) => from <= t) ?? ahead[0])?.[1] ?? 0),
    setTimeout: (fn, ms): TimerHandle => set(fn, ms, false),
    arrive: (fn, ms) => void set(fn, ms, true),
    clearTimeout(handle) {
      const timer = own.get(handle as number)
      if (timer) world.clearTimeout(timer.world)
      own.delete(handle as number)
    },
    hold: () => void (isHeld = true),
    release() {
      isHeld = false
      since = world.now()
      for (const id of late.splice(0)) {
        const timer = own.get(id)
        if (timer) timer.world = world.setTimeout(() => due(id), 0)
      }
    },
    drop() {
      isGone = true
      late = []
      for (const timer of own.values()) world.clearTimeout(timer.world)
      own.clear()
    },
    since: () => since,
    pending: () => [...own.values()].filter(timer => !timer.isOutside).length,
  }
}
