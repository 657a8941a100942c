// The invariants: what must hold in any weather, checked step by step over a trace that grows or is whole.
import { LOST } from './collect.ts'
import type { ActorEntry, TraceSource, ViewRecord } from './format.ts'
import { liveToken, settlesOnce } from './invariant-requests.ts'
import { comesToCalm, nothingOutlives } from './invariant-rest.ts'
import { endsForAReason, oneRefresh } from './invariant-session.ts'
import {
  DEFAULT_INVARIANT_OPTIONS,
  Follower,
  type Followed,
  type InvariantName,
  type InvariantOptions,
  type Rule,
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

/** The invariants at work on one system; every record costs the same, however long the trace. */
interface Invariants {
  /** Takes the next actor of the table; each is entered before its first step. */
  actor(entry: ActorEntry): void
  /** Takes the next step; `isNew` when what set it off is no part of an earlier step. */
  view(view: ViewRecord, isNew: boolean): void
  /** Everything so far has been shown to its end. */
  settle(): void
}

/** Starts to watch a system from its beginning. */
function createInvariants(
  onViolation: (violation: Violation) => void,
  options: Partial<InvariantOptions> = {},
): Invariants {
  const { calmWithin, timerLag, settlesWithin } = { ...DEFAULT_INVARIANT_OPTIONS, ...options }
  const follower = new Follower()
  let place = { seq: -1, t: 0 }
  const report = (invariant: InvariantName) => (actor: Followed, why: string) =>
    onViolation({ invariant, ...place, actor: actor.path, why })
  const rules: readonly Rule[] = [
    oneRefresh(report('oneRefresh')),
    liveToken(report('liveToken'), timerLag),
    settlesOnce(report('settlesOnce'), settlesWithin),
    endsForAReason(report('endsForAReason')),
    nothingOutlives(report('nothingOutlives')),
    comesToCalm(report('comesToCalm'), calmWithin),
  ]
  const settle = () => {
    for (const rule of rules) rule.between?.()
  }
  return {
    actor: entry => follower.actor(entry),
    settle,
    view(view, isNew) {
      if (isNew) settle()
      const step = follower.step(view)
      if (!step) return
      place = { seq: step.seq, t: step.t }
      for (const rule of rules) rule.step(step)
    },
  }
}

/** Reads what a trace has grown by since the last call; begins anew when the recording did. */
export function createTraceWatch(
  trace: Pick<TraceSource, 'actors' | 'stimuli' | 'views'>,
  onViolation: (violation: Violation) => void,
  options: Partial<InvariantOptions> = {},
): () => void {
  let invariants = createInvariants(onViolation, options)
  let [views, actors, seen, cause] = [trace.views, 0, 0, -1]
  return () => {
    if (views !== trace.views) {
      invariants = createInvariants(onViolation, options)
      ;[views, actors, seen, cause] = [trace.views, 0, 0, -1]
    }
    const entries = trace.actors
    for (; actors < entries.length; actors++) invariants.actor(entries[actors] as ActorEntry)
    for (; seen < views.length; seen++) {
      const view = views[seen] as ViewRecord
      // From a lost record on nothing can be said for sure.
      if (view.event.type === LOST) return
      const isNew = view.cause > cause && trace.stimuli[view.cause]?.anchor === undefined
      cause = Math.max(cause, view.cause)
      invariants.view(view, isNew)
    }
    invariants.settle()
  }
}

/** Every violation in a trace, up to the first damaged record. */
export function checkTrace(
  trace: Pick<TraceSource, 'actors' | 'stimuli' | 'views'>,
  options: Partial<InvariantOptions> = {},
): Violation[] {
  const violations: Violation[] = []
  createTraceWatch(trace, violation => violations.push(violation), options)()
  return violations
}

/** A violation in one line. */
export const describeViolation = ({ invariant, seq, actor, why }: Violation): string =>
  `${invariant} at step ${seq}, ${actor}: ${why} (${INVARIANTS[invariant]})`
