// Checks a packed trace against assertions, batch by batch.
import { LOST } from '../format/lost.ts'
import type { ActorEntry, StepRecord, Stimulus } from '../format/records.ts'
import type { CheckOptions } from './check.ts'
import type { Assertion } from './formulas.ts'
import { Tally, type CheckReport } from './report.ts'
import { runAssertions } from './run.ts'

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
/** Maximum length of a reported causal chain. */
const LINKS = 12

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
