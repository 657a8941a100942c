// Matchers of specifications for Vitest.
import type { Spec } from '../../machines/index.ts'
import { explore } from './explore.ts'
import { checkPairs } from './pairs.ts'
import { type RandomRunOptions, randomRuns } from './random-runs.ts'

/** Matchers of the specifications that `specify` of `@chartroom/devtools/testing` returns. */
export interface SpecMatchers<R> {
  /** Expects each event to be handled in each state in which it can arrive, or ignored for a reason. */
  toHandleEveryEvent(): R
  /** Expects the samples to reach every state, and to lead on from every situation. */
  toReachEveryState(): R
  /** Expects random runs to find nothing wrong; a failure shows a short run that fails. */
  toPassRandomRuns(options?: RandomRunOptions): Promise<void>
}

interface Outcome {
  readonly pass: boolean
  readonly message: () => string
}

const outcome = (id: string, problems: readonly string[], success: string): Outcome => ({
  pass: problems.length === 0,
  message: () => (problems.length === 0 ? `${id} ${success}` : [`${id}:`, ...problems].join('\n')),
})

export const specMatchers = {
  toHandleEveryEvent(given: unknown): Outcome {
    const spec = toSpec(given)
    const { unexplained, stale } = checkPairs(spec)
    const problems = [
      ...unexplained.map(({ state, event }) => `${event} is not handled in ${state || 'the root'}.`),
      ...stale.map(({ state, event }) => `${event} is ignored in ${state} for a reason, but can't be there.`),
    ]
    return outcome(spec.machine.id, problems, 'handles every event, or ignores it for a reason.')
  },

  toReachEveryState(given: unknown): Outcome {
    const spec = toSpec(given)
    const { unreachable, deadEnds } = explore(spec)
    const problems = [
      ...unreachable.map(state => `No samples reach ${state}.`),
      ...deadEnds.map(situation => `Nothing leads on from ${situation}.`),
    ]
    return outcome(spec.machine.id, problems, 'reaches every state, and has no dead end.')
  },

  async toPassRandomRuns(given: unknown, options?: RandomRunOptions): Promise<Outcome> {
    const spec = toSpec(given)
    const result = await randomRuns(spec, options)
    if (result.outcome === 'passed') return outcome(spec.machine.id, [], `passed ${result.runs} random runs.`)
    const steps = result.sequence.steps.map(step => `  ${JSON.stringify(step)}`)
    const run = `With the seed ${result.sequence.seed} for its ports and these steps:`
    return outcome(spec.machine.id, [...result.findings, run, ...steps, `Search: seed ${result.seed}.`], '')
  },
}

function toSpec(given: unknown): Spec {
  if (typeof given === 'object' && given !== null && 'machine' in given && 'rests' in given)
    return given as Spec
  throw new TypeError('Expected a specification: what `specify` of @chartroom/devtools/testing returns.')
}
