// Checks a packed trace against assertions, batch by batch.
import { LOST } from '../lost.ts'
import type { ActorEntry, Stimulus, ViewRecord } from '../format.ts'
import type { CheckOptions } from './check.ts'
import type { Assertion } from './formulas.ts'
import { Tally, type CheckReport } from './report.ts'
import { runAssertions } from './run.ts'

/** The parts of a timeline model that the check reads. */
export interface CheckedModel {
  readonly actors: readonly ActorEntry[]
  readonly views: { readonly length: number }
  view(seq: number): Promise<ViewRecord>
  readViews(from: number, to: number): Promise<readonly ViewRecord[]>
  stimulus(seq: number): Promise<Stimulus>
}

/** Options of `checkModel`. */
export interface CheckModelOptions extends CheckOptions {
  readonly onProgress?: (steps: number, of: number) => void
  readonly signal?: AbortSignal
}

/** Steps per batch. */
const PORTION = 2_048
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
  const { length } = model.views
  let [cause, steps, isLost] = [-1, 0, false]
  for (let from = 0; from < length && !isLost; from += PORTION) {
    signal?.throwIfAborted()
    for (const view of await model.readViews(from, Math.min(length, from + PORTION))) {
      isLost = view.event.type === LOST
      if (isLost) break
      const isLater = view.cause > cause
      if (isLater) cause = view.cause
      run.view(view, isLater && (await model.stimulus(view.cause)).anchor === undefined)
      steps += 1
    }
    onProgress?.(steps, length)
  }
  const isOver = isClosed ?? run.isOver()
  run.end(isOver)
  const causes = new Map<number, ViewRecord>()
  for (const { view } of tally.told()) await collect(view, model, causes)
  const path = (actor: number) => model.actors[actor]?.path ?? `actor ${actor}`
  return tally.report(run, steps, isOver, { view: seq => causes.get(seq), path })
}

async function collect(
  view: ViewRecord,
  model: CheckedModel,
  causes: Map<number, ViewRecord>,
): Promise<void> {
  let { by, seq } = view
  for (let link = 0; link < LINKS && by !== undefined && by < seq; link++) {
    const cause: ViewRecord = causes.get(by) ?? (await model.view(by))
    causes.set(by, cause)
    ;({ by, seq } = cause)
  }
}
