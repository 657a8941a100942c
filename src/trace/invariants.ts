// The invariants: what must hold in any weather, said as assertions over a trace that grows or is whole.
import { createAssertionWatch, type CheckedTrace } from './assert/check.ts'
import { assertion } from './assert/build.ts'
import type { Assertion } from './assert/formulas.ts'
import { liveToken, settlesOnce } from './invariant-requests.ts'
import { comesToCalm, nothingOutlives } from './invariant-rest.ts'
import { endsForAReason, oneRefresh } from './invariant-session.ts'
import {
  DEFAULT_INVARIANT_OPTIONS,
  type InvariantName,
  type InvariantOptions,
  type Violation,
} from './invariant-steps.ts'

export { checkTabs, type TabTrace } from './invariant-tabs.ts'
export { DEFAULT_INVARIANT_OPTIONS, type InvariantName, type InvariantOptions, type Violation }

/** What each invariant says. */
const INVARIANTS: Readonly<Record<InvariantName, string>> = {
  oneRefresh: 'At most one refresh of a session is in flight, across all tabs.',
  liveToken: 'No request of a user is sent without a live token.',
  settlesOnce: 'Each request settles exactly once.',
  endsForAReason: "A session ends only by the user's will or a terminal answer, and says which.",
  nothingOutlives: 'No work outlives dispose, nor any actor the one that it works for.',
  comesToCalm: 'When the faults are over, all is authenticated, open and joined in time.',
}

/** The invariants as assertions, to be held against a trace with others. */
export function invariants(options: Partial<InvariantOptions> = {}): (Assertion & { name: InvariantName })[] {
  const { calmWithin, timerLag, settlesWithin } = { ...DEFAULT_INVARIANT_OPTIONS, ...options }
  const checks: Readonly<Record<InvariantName, Assertion['check']>> = {
    oneRefresh,
    liveToken: liveToken(timerLag),
    settlesOnce: settlesOnce(settlesWithin),
    endsForAReason,
    nothingOutlives,
    comesToCalm: comesToCalm(calmWithin),
  }
  return (Object.keys(checks) as InvariantName[]).map(name => ({
    ...assertion(name, checks[name], INVARIANTS[name]),
    name,
  }))
}

/** Reads what a trace has grown by since the last call; begins anew when the recording did. */
export function createTraceWatch(
  trace: CheckedTrace,
  onViolation: (violation: Violation) => void,
  options: Partial<InvariantOptions> = {},
): () => void {
  return createAssertionWatch(trace, invariants(options), {
    failed({ name }, { why, about }, { seq, t, actor }) {
      onViolation({ invariant: name as InvariantName, seq, t, actor: (about ?? actor).path, why })
    },
  })
}

/** Every violation in a trace, up to the first damaged record. */
export function checkTrace(trace: CheckedTrace, options: Partial<InvariantOptions> = {}): Violation[] {
  const violations: Violation[] = []
  createTraceWatch(trace, violation => violations.push(violation), options)()
  return violations
}

/** A violation in one line. */
export const describeViolation = ({ invariant, seq, actor, why }: Violation): string =>
  `${invariant} at step ${seq}, ${actor}: ${why} (${INVARIANTS[invariant]})`
