// Holds a trace against assertions, whether it is whole or still grows.
import { LOST } from '../lost.ts'
import type { Lookup } from './failure.ts'
import type { Assertion } from './formulas.ts'
import { Tally, type CheckReport } from './report.ts'
import { runAssertions, type AssertionRun, type RunListener } from './run.ts'
import type { ActorEntry, TraceSource, ViewRecord } from '../format.ts'

/** What assertions read of a trace; a live recording, an opened file and a timeline model have it. */
export type CheckedTrace = Pick<TraceSource, 'actors' | 'stimuli' | 'views'>

export interface CheckOptions {
  /**
   * Whether nothing can come any more, so that what is still asked for fails; unless told, when the system's root
   * actor has ended.
   */
  readonly isClosed?: boolean
  /** How many failures of each assertion are told in full; 10 unless told. */
  readonly limit?: number
}

/** Holds a trace against assertions. */
export function checkTrace(
  trace: CheckedTrace,
  assertions: readonly Assertion[],
  { isClosed, limit = 10 }: CheckOptions = {},
): CheckReport {
  const lookup: Lookup = {
    view: seq => trace.views[seq],
    path: actor => trace.actors[actor]?.path ?? `actor ${actor}`,
  }
  const tally = new Tally(assertions, limit)
  const run = runAssertions(assertions, tally)
  const steps = new Feed(trace).into(run)
  run.end(isClosed ?? run.isOver())
  return tally.report(run, steps, isClosed ?? run.isOver(), lookup)
}

/** Reads what a trace has grown by since the last call; begins anew when the recording did. */
export function createAssertionWatch(
  trace: CheckedTrace,
  assertions: readonly Assertion[],
  listener: RunListener,
): () => void {
  let run = runAssertions(assertions, listener)
  let feed = new Feed(trace)
  return () => {
    if (!feed.isOf(trace)) {
      run = runAssertions(assertions, listener)
      feed = new Feed(trace)
    }
    feed.into(run)
  }
}

/** How far a trace was read. */
class Feed {
  readonly #trace: CheckedTrace
  readonly #views: readonly ViewRecord[]
  #actors = 0
  #seen = 0
  #cause = -1
  #isLost = false

  constructor(trace: CheckedTrace) {
    this.#trace = trace
    this.#views = trace.views
  }

  isOf(trace: CheckedTrace): boolean {
    return this.#views === trace.views
  }

  /** Shows what is new; gives how many steps were shown in all. */
  into(run: AssertionRun): number {
    const { actors, stimuli } = this.#trace
    for (; this.#actors < actors.length; this.#actors++) run.actor(actors[this.#actors] as ActorEntry)
    for (; this.#seen < this.#views.length && !this.#isLost; this.#seen++) {
      const view = this.#views[this.#seen] as ViewRecord
      // From a lost record on nothing can be said for sure.
      this.#isLost = view.event.type === LOST
      if (this.#isLost) return this.#seen
      const isNew = view.cause > this.#cause && stimuli[view.cause]?.anchor === undefined
      this.#cause = Math.max(this.#cause, view.cause)
      run.view(view, isNew)
    }
    run.settle()
    return this.#seen
  }
}
