// While the console goes into a window of its own, or back, the system stays as it is: held, or on another clock.
import type { Driven } from '../drive/driven.ts'

/** A window that has not come by then does not come. */
const HAND_OVER_MS = 10_000

/** Counts as somebody who looks on until the other console has had the time to come. */
export function handOver(driven: Driven): void {
  setTimeout(driven.attend(), HAND_OVER_MS)
}
