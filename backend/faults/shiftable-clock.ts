// A clock that faults can shift forward or back.
import type { Clock } from '../shared/clock.ts'

export interface ShiftableClock extends Clock {
  /** Milliseconds added to the time; 0 is the true time. */
  shift(milliseconds: number): void
}

/** Creates a shiftable clock on top of another one, which is not changed. */
export function createShiftableClock(base: Clock): ShiftableClock {
  let offset = 0
  return {
    now: () => base.now() + offset,
    shift(milliseconds) {
      offset = milliseconds
    },
  }
}
