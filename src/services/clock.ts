// The live clock: the only place that reads the machine's time and sets its timers.

/** What a clock hands out for a timer; opaque to its users. */
export type TimerHandle = unknown

/** Time as an input. Fits XState's `clock` option. */
export interface Clock {
  /** Milliseconds on a monotonic clock that also counts while the device sleeps; not related to the time of day. */
  readonly now: () => number
  /** The time of day, for display only. */
  readonly wall: () => Date
  readonly setTimeout: (fn: () => void, ms: number) => TimerHandle
  readonly clearTimeout: (handle: TimerHandle) => void
  /** Calls back before each timer, so that a sleep is told before what was late because of it. */
  readonly beforeTimers?: (look: () => void) => () => void
}

/** The clocks of the machine that we run on, in milliseconds. */
export interface RawClocks {
  readonly monotonic: () => number
  readonly wall: () => number
}

const RAW: RawClocks = { monotonic: () => performance.now(), wall: () => Date.now() }

/** Browsers fire a timer at once when its delay does not fit into 32 bits. */
const LONGEST = 2 ** 31 - 1

/** More than clocks drift apart between two looks, less than a sleep that matters. */
const SLEPT = 2_000

/**
 * The clock of the machine that we run on. Many monotonic clocks stand still while the device sleeps; that is
 * seen by the time of day, which went on. A time of day that is set back changes nothing.
 */
export function createClock({ monotonic, wall }: RawClocks = RAW): Clock {
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
        // What a look set off may have cleared this very timer.
        if (armed.delete(handle)) fn()
      }
      const handle: TimerHandle = globalThis.setTimeout(run, Math.min(ms, LONGEST))
      armed.add(handle)
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
