// Holds a trace against assertions, whether it is whole or still grows.
import { LOST } from '../collect.ts'
import { failureOf, type Failure, type Lookup } from './failure.ts'
import type { Assertion } from './formulas.ts'
import type { Verdict } from './monitor.ts'
import { runAssertions, type AssertionRun, type RunListener } from './run.ts'
import type { ActorEntry, TraceSource, ViewRecord } from '../format.ts'

/** What assertions read of a trace; a live recording, an opened file and a timeline model have it. */
export type CheckedTrace = Pick<TraceSource, 'actors' | 'stimuli' | 'views'>

/** What became of one assertion. */
export interface AssertionResult {
  readonly name: string
  readonly says?: string
  /** `so far`: nothing speaks against it as far as the trace goes; `pending`: something is still to come. */
  readonly verdict: Verdict
  /** The first failures. */
  readonly failures: readonly Failure[]
  /** How many failures there are. */
  readonly failed: number
  /** What was still to come when the trace ended. */
  readonly waiting: readonly Failure[]
}

/** What a trace has to answer for. */
export interface CheckReport {
  /** The worst of all; `holds` also when nothing speaks against it so far. */
  readonly outcome: 'holds' | 'pending' | 'fails'
  readonly results: readonly AssertionResult[]
  /** How many steps were looked at: all up to the first damaged one. */
  readonly steps: number
  /** Whether the end of the trace was taken for the end of the system. */
  readonly isClosed: boolean
}

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
  const tallies = new Map(
    assertions.map(one => [one, { failures: [] as Failure[], failed: 0, waiting: [] as Failure[] }]),
  )
  const run = runAssertions(assertions, {
    failed(assertion, found, at) {
      const tally = tallies.get(assertion)
      if (!tally) return
      tally.failed += 1
      if (tally.failures.length < limit) tally.failures.push(failureOf(assertion.name, found, at, lookup))
    },
    waits(assertion, found, at) {
      const waiting = tallies.get(assertion)?.waiting
      if (waiting && waiting.length < limit) waiting.push(failureOf(assertion.name, found, at, lookup))
    },
  })
  const steps = new Feed(trace).into(run)
  const isOver = isClosed ?? run.isOver()
  run.end(isOver)
  const verdicts = run.verdicts()
  const results = assertions.map((one, index): AssertionResult => {
    const tally = tallies.get(one) ?? { failures: [], failed: 0, waiting: [] }
    const verdict = verdicts[index] ?? 'holds'
    return { name: one.name, ...(one.says !== undefined && { says: one.says }), verdict, ...tally }
  })
  const outcome = (['fails', 'pending'] as const).find(bad => verdicts.includes(bad)) ?? 'holds'
  return { outcome, results, steps, isClosed: isOver }
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
