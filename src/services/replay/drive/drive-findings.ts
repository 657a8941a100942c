// Collects the findings of a completed drive.
import type { ReplayableTrace } from '../../../trace/index.ts'
import type { Wrong } from '../verify/comparison.ts'
import { describeDivergence, type Divergence } from '../verify/divergence.ts'
import type { StepComparison } from './drive-comparison.ts'
import type { DriveResolver } from './drive-resolver.ts'
import { BoundedList, type DriveFindings, type Wait } from './drive-report.ts'

/** Collects everything except the first difference. */
export function driveFindings(
  { placed, unplaced, unrecorded, delays, actors, tape }: DriveResolver,
  comparison: StepComparison | undefined,
  impossible: readonly string[],
): DriveFindings {
  const waits = new BoundedList<Wait>(100)
  for (const { known, at } of actors.unbound) {
    if (known.leaf) waits.add({ actor: known.path, src: known.src, since: at })
  }
  const later = comparison?.later ?? new BoundedList(0)
  const final = comparison?.final() ?? []
  const missingReadings = tape.missing
  return { placed, later, unplaced, waits, unrecorded, delays, missingReadings, impossible, final }
}

/** Whether there are no findings. */
export function isQuiet({ unplaced, waits, unrecorded, delays, missingReadings }: DriveFindings): boolean {
  return (
    missingReadings === 0 && [unplaced, waits, unrecorded, delays].every(({ items }) => items.length === 0)
  )
}

/** Returns the earlier of the first differing step and the first record that could not be placed. */
export function firstDifference(
  then: ReplayableTrace,
  now: { readonly trace: ReplayableTrace },
  resolver: DriveResolver,
  comparison: StepComparison | undefined,
): Divergence | undefined {
  const seen = comparison?.first
  const problem = firstProblem(resolver)
  if (!problem || (seen && seen.at <= problem.seq)) return seen && describeDivergence(then, now, seen.wrong)
  const found = then.steps.findIndex(({ cause }) => cause >= problem.seq)
  const index = found < 0 ? then.steps.length : found
  const wrong: Wrong = { index, problem: problem.why, stimulus: problem.seq }
  return describeDivergence(then, now, wrong)
}

interface Problem {
  readonly seq: number
  readonly why: string
}

function firstProblem({ unplaced, delays }: DriveResolver): Problem | undefined {
  const [lost] = unplaced.items.toSorted((a, b) => a.seq - b.seq)
  const [late] = delays.items
  if (late && (!lost || late.seq <= lost.seq)) {
    const { seq, actor, event, was, is } = late
    return { seq, why: `${actor} sets ${event} to ${is} ms; recorded: ${was} ms` }
  }
  return lost
}
