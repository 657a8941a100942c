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
  const tally = new Tally(assertions, limit)
  const run = runAssertions(assertions, tally)
  const steps = new Feed(trace).into(run)
  run.end(isClosed ?? run.isOver())
  return tally.report(run, steps, isClosed ?? run.isOver(), lookupIn(trace))
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

/** A trace that grows, held against assertions bit by bit. */
export interface GrowingCheck {
  /** Looks at what is new, at most so many steps; tells whether there is more. */
  advance(most: number): boolean
  /** How many steps were looked at. */
  readonly steps: number
  /** How many failures there are. */
  readonly failed: number
  /** How it stands; what a later step decides is `so far` or `pending`. */
  report(): CheckReport
}

/** Takes up a trace at its beginning; another trace, or one that began anew, needs another check. */
export function checkGrowing(
  trace: CheckedTrace,
  assertions: readonly Assertion[],
  { limit = 10 }: Pick<CheckOptions, 'limit'> = {},
): GrowingCheck {
  const tally = new Tally(assertions, limit)
  const run = runAssertions(assertions, tally)
  const feed = new Feed(trace)
  let steps = 0
  return {
    advance(most) {
      steps = feed.into(run, most)
      return feed.isBehind
    },
    get steps() {
      return steps
    },
    get failed() {
      return tally.count
    },
    report: () => tally.report(run, steps, run.isOver(), lookupIn(trace)),
  }
}

const lookupIn = (trace: CheckedTrace): Lookup => ({
  view: seq => trace.views[seq],
  path: actor => trace.actors[actor]?.path ?? `actor ${actor}`,
})

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

  /** Whether there are steps that were not shown, and will be. */
  get isBehind(): boolean {
    return this.#seen < this.#views.length && !this.#isLost
  }

  /** Shows what is new, at most so many steps; gives how many were shown in all. */
  into(run: AssertionRun, most = Number.POSITIVE_INFINITY): number {
    const { actors, stimuli } = this.#trace
    for (; this.#actors < actors.length; this.#actors++) run.actor(actors[this.#actors] as ActorEntry)
    const until = this.#seen + most
    for (; this.isBehind && this.#seen < until; this.#seen++) {
      const view = this.#views[this.#seen] as ViewRecord
      // From a lost record on nothing can be said for sure.
      this.#isLost = view.event.type === LOST
      if (this.#isLost) return this.#seen
      const isNew = view.cause > this.#cause && stimuli[view.cause]?.anchor === undefined
      this.#cause = Math.max(this.#cause, view.cause)
      run.view(view, isNew)
    }
    // What the same stimulus set off may go on in the next portion.
    if (!this.isBehind) run.settle()
    return this.#seen
  }
}
