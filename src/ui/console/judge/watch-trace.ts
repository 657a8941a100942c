// Holds a trace in memory against assertions while it grows, a portion in each frame.
import { checkGrowing, type GrowingCheck } from '../../../trace/assert/check.ts'
import type { Assertion } from '../../../trace/assert/formulas.ts'
import type { TraceSource } from '../../../trace/format.ts'
import { portionOf } from '../../../trace/portion.ts'
import { invariants } from '../../../trace/invariants.ts'
import { FAILURES_TOLD } from './findings.ts'
import type { Standing } from './judge-context.ts'

export { readOwn } from './own-assertions.ts'

/** Steps looked at in one frame: few milliseconds, and three times of what a busy app makes. */
const PER_FRAME = 250
/** Frames between two reports while nothing new has failed. */
const TOLD_EVERY = 30

/** Calls back with how it stands when something failed, and now and then; returns what ends it. */
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
    // A check reads all that there is: first it is made ready, as the console does it.
    if (!check && !portionOf(source, PER_FRAME).isWhole) return ask()
    check ??= checkGrowing(source, assertions, { limit: FAILURES_TOLD })
    const isBehind = check.advance(PER_FRAME)
    silent += 1
    const isTold = check.failed !== failed || silent >= TOLD_EVERY
    if (isTold) {
      failed = check.failed
      silent = 0
      onStanding({ results: check.report().results, steps: check.steps, of: portionOf(source, 0).size })
    }
    if (isBehind || !isTold) ask()
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
