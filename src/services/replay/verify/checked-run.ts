// A replay that is compared with the recording: by its steps, or by hashes if the file has no steps.
import type { AnyActorLogic } from 'xstate'
import type { ReplayableTrace, Stimulus, TraceHeader } from '../../../trace/index.ts'
import type { ComposeSystem } from '../../runtime/index.ts'
import { Comparison, type SoundPart, type Wrong } from './comparison.ts'
import { isKeyframeOnly } from './keyframe-only-check.ts'
import { KeyframeOnlyRun } from './keyframe-only-run.ts'
import { ActorReferences } from '../run/actor-references.ts'
import { ReplayRun, type ReplayRunOptions } from '../run/replay-run.ts'
import { StepComparer } from './step-comparer.ts'

/** Compares a replay with the recording. */
export interface StepCheck {
  /** Number of steps that were compared and found equal. */
  readonly compared: number
  /** The same for keyframes, if there are no steps. */
  readonly keyframes?: number
  /** Number of the first step that lacks a part of a value, which was therefore not compared. */
  readonly incomplete?: number | undefined
  /** Returns the first difference since the last call, or the first of these problems. */
  next(problems: readonly string[]): Wrong | undefined
  /** At the end, returns the first recorded step that is missing in the replay. */
  rest(): Wrong | undefined
}

/** A replay in progress. */
export interface CheckedRun {
  readonly check: StepCheck
  /** Indexes of equal steps whose transitions have other names. */
  readonly otherNames: readonly number[]
  readonly header: TraceHeader
  /** The replayed steps, up to the first difference. */
  readonly trace: ReplayableTrace
  /** Starts the system and returns the first difference. */
  start(): Wrong | undefined
  /** Repeats one stimulus. */
  step(stimulus: Stimulus): Wrong | undefined
}

/** Callbacks that observe the run. */
type Watched = Pick<ReplayRunOptions, 'inspect' | 'onSend'>

/** Creates a replay of this part of the trace. */
export function checkedRun(
  trace: ReplayableTrace,
  system: AnyActorLogic | ComposeSystem,
  sound: SoundPart,
  watched: Watched = {},
): CheckedRun {
  if (isKeyframeOnly(trace)) return new KeyframeOnlyRun(trace, system, sound, watched)
  const isByHash = trace.steps.length === 0 && trace.hashes.length > 0
  if (!isByHash) return new ComparedRun(trace, system, sound, watched)
  const run = new ReplayRun(trace, system, watched)
  const check = new Comparison(trace, run.trace, sound)
  return {
    check,
    otherNames: [],
    header: run.trace.header,
    trace: run.trace,
    start() {
      run.start()
      return check.next(run.problems)
    },
    step(stimulus) {
      run.step(stimulus)
      return check.next(run.problems)
    },
  }
}

/** Keeps neither steps that match the recording nor ended actors, to reduce garbage collection. */
class ComparedRun implements CheckedRun {
  readonly check: StepComparer
  readonly #run: ReplayRun
  #at = -1

  constructor(
    trace: ReplayableTrace,
    system: AnyActorLogic | ComposeSystem,
    sound: SoundPart,
    watched: Watched,
  ) {
    const mentions = new ActorReferences(trace)
    this.#run = new ReplayRun(trace, system, {
      ...watched,
      show: step => this.check.take(step),
      keepEnded: known => mentions.isSpokenOf(this.check.placeOf(known), this.#at),
    })
    this.check = new StepComparer(trace, sound, this.#run.comparedSteps)
  }

  get otherNames(): readonly number[] {
    return this.check.otherNames
  }

  get header(): TraceHeader {
    return this.#run.trace.header
  }

  get trace(): ReplayableTrace {
    const { check } = this
    const base = this.#run.trace
    return { ...base, steps: check.steps }
  }

  start(): Wrong | undefined {
    this.#run.start()
    return this.check.next(this.#run.problems)
  }

  step(stimulus: Stimulus): Wrong | undefined {
    this.#at = stimulus.seq
    this.#run.step(stimulus)
    return this.check.next(this.#run.problems)
  }
}
