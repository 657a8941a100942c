// The live clock: the only place that reads the device's time and sets its timers.

/** Opaque timer handle of a clock. */
export type TimerHandle = unknown

/** Time as an input. Compatible with XState's `clock` option. */
export interface Clock {
  /**
   * Milliseconds on a monotonic clock that also counts while the device sleeps; not related to the wall
   * clock.
   */
  readonly now: () => number
  /** Wall-clock time, for display only. */
  readonly wall: () => Date
  readonly setTimeout: (fn: () => void, ms: number) => TimerHandle
  readonly clearTimeout: (handle: TimerHandle) => void
  /**
   * Registers a callback that runs before each timer, so that a sleep is reported before timers that it
   * delayed.
   */
  readonly beforeTimers?: (look: () => void) => () => void
}

/** The device's clocks, in milliseconds. */
export interface RawClocks {
  readonly monotonic: () => number
  readonly wall: () => number
}

const RAW: RawClocks = { monotonic: () => performance.now(), wall: () => Date.now() }

/** Browsers fire timers with delays beyond 32 bits immediately. */
const LONGEST = 2 ** 31 - 1

/** More than the clocks drift apart between two checks, less than a relevant sleep. */
const SLEPT = 2_000

/**
 * Creates the live clock. Many monotonic clocks stop while the device sleeps, which is detected by the wall
 * clock. Setting the wall clock back has no effect.
 * @param isBackground its timers do not keep a Node process running; see `createKeepAlive`
 */
export function createClock({ monotonic, wall }: RawClocks = RAW, isBackground = false): Clock {
  const looks = new Set<() => void>()
  const armed = new Set<TimerHandle>()
  let slept = 0
  let apart = wall() - monotonic()
  const now = () => {
    const jump = wall() - monotonic() - apart
    if (Math.abs(jump) >= SLEPT) {
      apart += jump
      slept += Math.max(0, jump)
    }
    return monotonic() + slept
  }
  return {
    now,
    wall: () => new Date(wall()),
    setTimeout(fn, ms) {
      const run = () => {
        for (const look of looks) look()
        // A callback may have cleared this timer.
        if (armed.delete(handle)) fn()
      }
      const handle = globalThis.setTimeout(run, Math.min(ms, LONGEST))
      armed.add(handle)
      // Browsers have numbers as handles.
      if (isBackground) (handle as Partial<NodeJS.Timeout>).unref?.()
      return handle
    },
    beforeTimers(look) {
      looks.add(look)
      return () => void looks.delete(look)
    },
    clearTimeout(handle) {
      armed.delete(handle)
      globalThis.clearTimeout(handle as ReturnType<typeof globalThis.setTimeout>)
    },
  }
}

/** Milliseconds; React Native warns about longer timers. */
const KEEP_ALIVE = 60_000

/**
 * Returns a function that keeps a Node process running until the function that it returns is called, once.
 * Pages need nothing of this kind.
 */
export function createKeepAlive() {
  let holds = 0
  let timer: ReturnType<typeof globalThis.setInterval>
  return () => {
    if (holds++ === 0 && !globalThis.document) timer = globalThis.setInterval(() => undefined, KEEP_ALIVE)
    return () => {
      if (--holds === 0) globalThis.clearInterval(timer)
    }
  }
}

export type KeepAlive = ReturnType<typeof createKeepAlive>
