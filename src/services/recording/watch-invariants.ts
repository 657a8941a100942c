// Checks every step of a recorded client against the invariants as it occurs.
import { createTraceWatch, describeViolation, type TraceSource, type Violation } from '../../trace/index.ts'

/** Reports each violation when its step is over. */
export function watchInvariants(trace: TraceSource, report: (violation: Violation) => void): void {
  const watch = createTraceWatch(trace, report)
  trace.subscribe(watch)
  // This module loads after the first steps.
  watch()
}

/** Logs only the first violation to the console, since follow-up violations would bury it. */
export function createViolationLog(): (violation: Violation) => void {
  let isLogged = false
  return violation => {
    if (!isLogged) console.error(`Chartroom broke an invariant: ${describeViolation(violation)}`)
    isLogged = true
  }
}
