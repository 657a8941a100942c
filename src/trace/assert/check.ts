// Checks a trace against assertions: complete, still growing, or packed, which is read batch by batch.
import { type ActorEntry, LOST, type StepRecord, type Stimulus } from '../format/records.ts'
import { type CheckReport, LINKS, type Lookup, Tally } from './report.ts'
import type { Assertion } from './language.ts'
import { type AssertionRun, runAssertions, type RunListener } from './run.ts'
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

/** The parts of a timeline model that the check reads. */
export interface CheckedModel {
  readonly actors: readonly ActorEntry[]
  readonly steps: { readonly length: number }
  step(seq: number): Promise<StepRecord>
  readSteps(from: number, to: number): Promise<readonly StepRecord[]>
  stimulus(seq: number): Promise<Stimulus>
}

/** Options of `checkModel`. */
export interface CheckModelOptions extends CheckOptions {
  readonly onProgress?: (steps: number, of: number) => void
  readonly signal?: AbortSignal
}

/** Steps per batch. */
const BATCH = 2_048

/**
 * Checks a model against assertions. It reads the model once from its beginning without holding it in
 * memory.
 * @throws the reason of the signal
 */
export async function checkModel(
  model: CheckedModel,
  assertions: readonly Assertion[],
  { isClosed, limit = 10, onProgress, signal }: CheckModelOptions = {},
): Promise<CheckReport> {
  const tally = new Tally(assertions, limit)
  const run = runAssertions(assertions, tally)
  for (const entry of model.actors) run.actor(entry)
  const { length } = model.steps
  let [cause, steps, isLost] = [-1, 0, false]
  for (let from = 0; from < length && !isLost; from += BATCH) {
    signal?.throwIfAborted()
    for (const step of await model.readSteps(from, Math.min(length, from + BATCH))) {
      isLost = step.event.type === LOST
      if (isLost) break
      const isLater = step.cause > cause
      if (isLater) cause = step.cause
      run.step(step, isLater && (await model.stimulus(step.cause)).anchor === undefined)
      steps += 1
    }
    onProgress?.(steps, length)
  }
  const isOver = isClosed ?? run.isOver()
  run.end(isOver)
  const causes = new Map<number, StepRecord>()
  for (const { record } of tally.drain()) await collect(record, model, causes)
  const path = (actor: number) => model.actors[actor]?.path ?? `actor ${actor}`
  return tally.report(run, steps, isOver, { step: seq => causes.get(seq), path })
}

async function collect(
  step: StepRecord,
  model: CheckedModel,
  causes: Map<number, StepRecord>,
): Promise<void> {
  let { by, seq } = step
  for (let link = 0; link < LINKS && by !== undefined && by < seq; link++) {
    const cause: StepRecord = causes.get(by) ?? (await model.step(by))
    causes.set(by, cause)
    ;({ by, seq } = cause)
  }
}
