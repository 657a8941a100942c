// Replays a recording without steps and compares it with the keyframes.
import type { AnyActorLogic } from 'xstate'
import type { ReplayableTrace, Stimulus, TraceHeader } from '../../../trace/index.ts'
import type { ComposeSystem } from '../../runtime/index.ts'
import type { CheckedRun } from './checked-run.ts'
import type { SoundPart, Wrong } from './comparison.ts'
import { KeyframeOnlyCheck, KeyframeOnlyResolver } from './keyframe-only-check.ts'
import { ReplayRun, type ReplayRunOptions } from '../run/replay-run.ts'

export interface KeyframeOnlyRunOptions extends Pick<ReplayRunOptions, 'inspect' | 'onSend'> {
  /** Whether the run's trace contains the steps; otherwise they are only counted. */
  readonly keepsSteps?: boolean
}

/** One such replay. */
export class KeyframeOnlyRun implements CheckedRun {
  readonly check: KeyframeOnlyCheck
  readonly otherNames = []
  /** Number of steps so far. */
  steps = 0
  readonly #run: ReplayRun

  constructor(
    trace: ReplayableTrace,
    system: AnyActorLogic | ComposeSystem,
    sound: SoundPart,
    { inspect, onSend, keepsSteps = false }: KeyframeOnlyRunOptions = {},
  ) {
    const resolver = new KeyframeOnlyResolver(trace)
    this.#run = new ReplayRun(trace, system, {
      resolver,
      ...(inspect && { inspect }),
      onSend,
      ...(!keepsSteps && { show: () => void (this.steps += 1) }),
    })
    this.check = new KeyframeOnlyCheck(trace, this.#run, resolver, sound)
  }

  get header(): TraceHeader {
    return this.#run.trace.header
  }

  get trace(): ReplayableTrace {
    return this.#run.trace
  }

  start(): Wrong | undefined {
    this.#run.start()
    return this.#look()
  }

  step(stimulus: Stimulus): Wrong | undefined {
    this.#run.step(stimulus)
    return this.#look()
  }

  #look(): Wrong | undefined {
    // Reading converts each step immediately, which releases its live values.
    this.steps = Math.max(this.steps, this.#run.trace.steps.length)
    const wrong = this.check.next()
    return wrong && { ...wrong, index: this.steps }
  }
}
