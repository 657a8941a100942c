// Keeps the system paused, or on its simulated clock, while the console moves to a window or back.
import type { Driven } from '../drive/driven.ts'

/** After this time, the window is considered not opened. */
const HAND_OVER_MS = 10_000

/** Keeps attendance until the other console has had time to connect. */
export function handOver(driven: Driven): void {
  setTimeout(driven.attend(), HAND_OVER_MS)
}
