// A clock that can be put forward or back, as long as a fault asks for it.
import type { Clock } from '../clock.ts'

export interface ShiftableClock extends Clock {
  /** Milliseconds that are added to the time; 0 is the true time. */
  shift(milliseconds: number): void
}

/** A clock over another one, which stays as it is. */
export function createShiftableClock(base: Clock): ShiftableClock {
  let offset = 0
  return {
    now: () => base.now() + offset,
    shift(milliseconds) {
      offset = milliseconds
    },
  }
}
