// Checks every step of a recorded client against the invariants as it occurs.
import { createTraceWatch, describeViolation, type TraceSource, type Violation } from '../../trace/index.ts'

/**
 * Reports each violation when its step is over. Without a listener, only the first one is logged to the
 * console, since follow-up violations would bury it.
 */
export function watchInvariants(trace: TraceSource, onViolation?: (violation: Violation) => void): void {
  let isSaid = false
  const report = (violation: Violation) => {
    if (onViolation) return onViolation(violation)
    if (!isSaid) console.error(`Chartroom broke an invariant: ${describeViolation(violation)}`)
    isSaid = true
  }
  const watch = createTraceWatch(trace, report)
  trace.subscribe(watch)
  // This module loads after the first steps.
  watch()
}
