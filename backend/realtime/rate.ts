// Events per second, averaged over the last minute in steps of five seconds.
import type { Clock } from '../shared/clock.ts'

export interface Rate {
  add(count?: number): void
  /** The average over completed steps; the current step does not count yet. */
  perSecond(): number
}

const STEP_MS = 5_000
const MOST_STEPS = 12

export function createRate(clock: Clock): Rate {
  let stepStart = clock.now()
  let current = 0
  // The original starts with an empty step.
  let endedCounts = [0]
  const settle = () => {
    const now = clock.now()
    // After the clock is set back, a new step starts.
    if (now < stepStart) stepStart = now
    const steps = Math.floor((now - stepStart) / STEP_MS)
    if (steps === 0) return
    stepStart += steps * STEP_MS
    const quietSteps = Array<number>(Math.min(steps - 1, MOST_STEPS)).fill(0)
    endedCounts = [...endedCounts, current, ...quietSteps].slice(-MOST_STEPS)
    current = 0
  }
  return {
    add(count = 1) {
      settle()
      current += count
    },
    perSecond() {
      settle()
      return endedCounts.reduce((sum, count) => sum + count, 0) / endedCounts.length / (STEP_MS / 1_000)
    },
  }
}

/** Counts calls in a window that starts with the first call. */
export function createWindow(clock: Clock, max: number, windowMs: number): () => boolean {
  let endsAt: number | undefined
  let count = 0
  return () => {
    const now = clock.now()
    if (endsAt === undefined || now > endsAt || now < endsAt - windowMs) {
      endsAt = now + windowMs
      count = 0
    }
    if (count >= max) return false
    count += 1
    return true
  }
}
