// The invariants, as assertions over a growing or complete trace.
import { type CheckedTrace, createAssertionWatch } from '../assert/check.ts'
import { assertion } from '../assert/build.ts'
import type { Assertion } from '../assert/language.ts'
import { liveToken, settlesOnce } from './requests.ts'
import { comesToRest, nothingOutlives } from './rest.ts'
import { endsForAReason, oneRefresh } from './session.ts'

/** Name of a built-in invariant. */
export type InvariantName =
  'oneRefresh' | 'liveToken' | 'settlesOnce' | 'endsForAReason' | 'nothingOutlives' | 'comesToRest'

/** A failed invariant. */
export interface Violation {
  readonly invariant: InvariantName
  /** Number of the step at which it was detected; the last one for an omission. */
  readonly seq: number
  /** Milliseconds since the recording started. */
  readonly t: number
  /** Path of the actor concerned. */
  readonly actor: string
  /** Description, without secrets. */
  readonly why: string
}

export interface InvariantOptions {
  /** Milliseconds from the last fault to authenticated, open and joined. */
  readonly restsWithin: number
  /** Milliseconds by which timers may be late: a token that has expired for less may still be used. */
  readonly timerLag: number
  /** Milliseconds beyond its own deadline in which a request must settle. */
  readonly settlesWithin: number
}

export const DEFAULT_INVARIANT_OPTIONS: InvariantOptions = {
  // An open breaker (60 s), then the timeouts of a lock, a refresh, a socket and a join, with the longest
  // delays.
  restsWithin: 180_000,
  // Browsers delay the timers of a hidden page by up to a minute.
  timerLag: 60_000,
  // Three attempts of a minute each with their delays, and the same again for a server with a long
  // `Retry-After`.
  settlesWithin: 600_000,
}

/** The description of each invariant. */
const INVARIANTS: Readonly<Record<InvariantName, string>> = {
  oneRefresh: 'At most one refresh of a session is in flight, across all tabs.',
  liveToken: 'No user request is sent without a live token.',
  settlesOnce: 'Each request settles exactly once.',
  endsForAReason: "A session ends only by the user's request or a terminal response, with its reason.",
  nothingOutlives: 'No work outlives dispose, and no actor outlives its parent.',
  comesToRest: 'After the last fault, everything is authenticated, open and joined in time.',
}

/** Returns the invariants as assertions, to be checked together with others. */
export function invariants(options: Partial<InvariantOptions> = {}): (Assertion & { name: InvariantName })[] {
  const { restsWithin, timerLag, settlesWithin } = { ...DEFAULT_INVARIANT_OPTIONS, ...options }
  const checks: Readonly<Record<InvariantName, Assertion['check']>> = {
    oneRefresh,
    liveToken: liveToken(timerLag),
    settlesOnce: settlesOnce(settlesWithin),
    endsForAReason,
    nothingOutlives,
    comesToRest: comesToRest(restsWithin),
  }
  return (Object.keys(checks) as InvariantName[]).map(name => ({
    ...assertion(name, checks[name], INVARIANTS[name]),
    name,
  }))
}

/** Reads the growth of a trace since the last call; starts over when the recording did. */
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

/** Returns every violation in a trace, up to the first damaged record. */
export function checkTrace(trace: CheckedTrace, options: Partial<InvariantOptions> = {}): Violation[] {
  const violations: Violation[] = []
  createTraceWatch(trace, violation => violations.push(violation), options)()
  return violations
}

/** Formats a violation as one line. */
export const describeViolation = ({ invariant, seq, actor, why }: Violation): string =>
  `${invariant} at step ${seq}, ${actor}: ${why} (${INVARIANTS[invariant]})`
