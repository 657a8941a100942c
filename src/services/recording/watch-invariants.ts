// The invariants live: every step of a recorded client is held against them as it comes.
import type { TraceSource } from '../../trace/format.ts'
import { createTraceWatch, describeViolation, type Violation } from '../../trace/invariants.ts'

/**
 * Tells of each violation once the step is over; without a listener the first one alone is written to the
 * console, since what follows from it would bury it.
 */
export function watchInvariants(trace: TraceSource, onViolation?: (violation: Violation) => void): void {
  let isSaid = false
  const say = (violation: Violation) => {
    if (onViolation) return onViolation(violation)
    if (!isSaid) console.error(`Chartroom broke an invariant: ${describeViolation(violation)}`)
    isSaid = true
  }
  const watch = createTraceWatch(trace, say)
  trace.subscribe(watch)
  // It came later than the first steps.
  watch()
}
