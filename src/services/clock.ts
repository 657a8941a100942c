// The live clock: the only place that reads the machine's time and sets its timers.

/** What a clock hands out for a timer; opaque to its users. */
export type TimerHandle = unknown

/** Time as an input. Fits XState's `clock` option. */
export interface Clock {
  /** Milliseconds on a monotonic clock; not related to the time of day. */
  readonly now: () => number
  /** The time of day, for display only. */
  readonly wall: () => Date
  readonly setTimeout: (fn: () => void, ms: number) => TimerHandle
  readonly clearTimeout: (handle: TimerHandle) => void
}

/** Browsers fire a timer at once when its delay does not fit into 32 bits. */
const LONGEST = 2 ** 31 - 1

/** The clock of the machine that we run on. */
export function createClock(): Clock {
  return {
    now: () => performance.now(),
    wall: () => new Date(),
    setTimeout: (fn, ms) => globalThis.setTimeout(fn, Math.min(ms, LONGEST)),
    clearTimeout: handle => globalThis.clearTimeout(handle as ReturnType<typeof globalThis.setTimeout>),
  }
}
