// Checks a growing trace in memory, one batch per frame.
import {
  type Assertion,
  batchOf,
  checkGrowing,
  type GrowingCheck,
  invariants,
  type TraceSource,
} from '../../../trace/index.ts'
import { MOST_FAILURES } from './findings.ts'
import type { Standing } from './checks-context.ts'

export { readOwn } from './own-assertions.ts'

/** Steps checked per frame: a few milliseconds, and three times the rate of a busy app. */
const PER_FRAME = 250
/** Frames between two reports while nothing new fails. */
const REPORT_EVERY = 30

/** Calls back with the results on failures and periodically; returns a stop function. */
export function watchTrace(
  source: TraceSource,
  own: readonly Assertion[],
  withInvariants: boolean,
  onStanding: (standing: Standing) => void,
): () => void {
  const assertions = [...(withInvariants ? invariants() : []), ...own]
  let check: GrowingCheck | undefined
  let [asked, failed, silent] = [0, -1, 0]
  const work = () => {
    asked = 0
    // A check reads the whole trace, so the trace is prepared first, as in the console.
    if (!check && !batchOf(source, PER_FRAME).isWhole) return ask()
    check ??= checkGrowing(source, assertions, { limit: MOST_FAILURES })
    const isBehind = check.advance(PER_FRAME)
    silent += 1
    const isReported = check.failed !== failed || silent >= REPORT_EVERY
    if (isReported) {
      failed = check.failed
      silent = 0
      onStanding({ results: check.report().results, steps: check.steps, of: batchOf(source, 0).size })
    }
    if (isBehind || !isReported) ask()
  }
  const ask = () => {
    if (asked === 0) asked = requestAnimationFrame(work)
  }
  const unsubscribe = source.subscribe(ask)
  ask()
  return () => {
    unsubscribe()
    cancelAnimationFrame(asked)
  }
}
