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
  trace.subscribe(createTraceWatch(trace, say))
}

/** Bundlers put the mode in the place of either expression; what has neither is taken for production. */
export function isDevelopment(): boolean {
  try {
    return process.env['NODE_ENV'] !== 'production'
  } catch {
    return (import.meta as { readonly env?: { readonly DEV?: boolean } }).env?.DEV === true
  }
}
