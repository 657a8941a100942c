// Compares the steps of a replay with the recorded ones, wherever the replay began.
import { comparable, type ReplayableTrace } from '../../../trace/index.ts'
import { isSameStep } from '../run/alike.ts'
import type { SoundPart, Wrong } from './comparison.ts'
import { describeDivergence, type Divergence } from './divergence.ts'
import type { ReplayRun } from '../run/replay-run.ts'

/** Compares one run. */
export class ReplayCheck {
  readonly #recorded: ReplayableTrace
  readonly #sound: SoundPart
  readonly #run: ReplayRun
  #compared = 0

  constructor(recorded: ReplayableTrace, sound: SoundPart, run: ReplayRun) {
    this.#recorded = recorded
    this.#sound = sound
    this.#run = run
  }

  /** Compares the steps since the last call; `stimulus` is the number of their stimulus. */
  next(stimulus: number): Divergence | undefined {
    const wrong = this.#wrong(stimulus)
    if (!wrong) return undefined
    // The steps before the starting keyframe are taken from the recording.
    const before = this.#recorded.steps.slice(0, this.#run.first.step)
    const trace = { ...this.#run.trace, steps: [...before, ...this.#run.trace.steps] }
    return describeDivergence(this.#recorded, { trace }, wrong)
  }

  #wrong(stimulus: number): Wrong | undefined {
    const { steps } = this.#run.trace
    const known = this.#recorded.steps
    const { step: first } = this.#run.first
    for (; this.#compared < steps.length && known.length > 0; this.#compared++) {
      const index = first + this.#compared
      const [expected, got] = [known[index], steps[this.#compared]]
      if (!got || (this.#sound.reason !== undefined && index >= this.#sound.steps)) break
      if (!expected || !(isSameStep(got, expected) || comparable(expected) === comparable(got)))
        return { index, got, ...(expected && { expected }) }
    }
    const [problem] = this.#run.problems
    return problem === undefined ? undefined : { index: first + this.#compared, problem, stimulus }
  }
}
