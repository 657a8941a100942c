// Checks a trace against assertions, whether it is complete or still growing.
import { LOST } from '../format/lost.ts'
import type { Lookup } from './failure.ts'
import type { Assertion } from './formulas.ts'
import { Tally, type CheckReport } from './report.ts'
import { runAssertions, type AssertionRun, type RunListener } from './run.ts'
import type { ActorEntry, StepRecord } from '../format/records.ts'
import type { TraceSource } from '../format/trace-source.ts'

/**
 * The parts of a trace that assertions read; live recordings, opened files and timeline models provide them.
 */
export type CheckedTrace = Pick<TraceSource, 'actors' | 'stimuli' | 'steps'>

/** Options of `checkTrace`. */
export interface CheckOptions {
  /**
   * Whether no more records can follow, so that pending expectations fail; defaults to whether the system's
   * root actor has ended.
   */
  readonly isClosed?: boolean
  /** Maximum number of detailed failures per assertion; defaults to 10. */
  readonly limit?: number
}

/** Checks a trace against assertions. */
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

/** Checks the growth of a trace since the last call; starts over when the recording did. */
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

/** An incremental check of a growing trace. */
export interface GrowingCheck {
  /** Checks at most this many new steps; returns whether there are more. */
  advance(most: number): boolean
  /** Number of checked steps. */
  readonly steps: number
  /** Number of failures. */
  readonly failed: number
  /** The current result; what depends on later steps is `so far` or `pending`. */
  report(): CheckReport
}

/** Starts checking a trace at its beginning; another or restarted trace needs another check. */
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
  step: seq => trace.steps[seq],
  path: actor => trace.actors[actor]?.path ?? `actor ${actor}`,
})

/** The reading position in a trace. */
class Feed {
  readonly #trace: CheckedTrace
  readonly #steps: readonly StepRecord[]
  #actors = 0
  #seen = 0
  #cause = -1
  #isLost = false

  constructor(trace: CheckedTrace) {
    this.#trace = trace
    this.#steps = trace.steps
  }

  isOf(trace: CheckedTrace): boolean {
    return this.#steps === trace.steps
  }

  /** Whether there are steps that have not been passed on, and can be. */
  get isBehind(): boolean {
    return this.#seen < this.#steps.length && !this.#isLost
  }

  /** Passes on at most this many new steps; returns the total number of steps passed on. */
  into(run: AssertionRun, most = Number.POSITIVE_INFINITY): number {
    const { actors, stimuli } = this.#trace
    for (; this.#actors < actors.length; this.#actors++) run.actor(actors[this.#actors] as ActorEntry)
    const until = this.#seen + most
    for (; this.isBehind && this.#seen < until; this.#seen++) {
      const step = this.#steps[this.#seen] as StepRecord
      // After a lost record, no verdict would be reliable.
      this.#isLost = step.event.type === LOST
      if (this.#isLost) return this.#seen
      const isNew = step.cause > this.#cause && stimuli[step.cause]?.anchor === undefined
      this.#cause = Math.max(this.#cause, step.cause)
      run.step(step, isNew)
    }
    // More effects of the same stimulus may follow in the next batch.
    if (!this.isBehind) run.settle()
    return this.#seen
  }
}
