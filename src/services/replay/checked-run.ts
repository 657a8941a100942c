// A replay with everything it does held against the recording: by its steps, or by the hashes of a file without them.
import type { AnyActorLogic } from 'xstate'
import type { ReplayableTrace, Stimulus, TraceHeader } from '../../trace/format.ts'
import type { ComposeSystem } from '../system-parts.ts'
import { Comparison } from './comparison.ts'
import type { SoundPart, Wrong } from './comparison.ts'
import { isLean } from './lean-check.ts'
import { LeanRun } from './lean-run.ts'
import { Mentions } from './mentions.ts'
import { ReplayRun } from './replay-run.ts'
import type { ReplayRunOptions } from './replay-run.ts'
import { Witness } from './witness.ts'

/** Where the replay is held against the recording. */
export interface StepCheck {
  /** How many views were compared and found equal. */
  readonly compared: number
  /** The same of keyframes, where there are no views. */
  readonly keyframes?: number
  /** Of what came since the last call, the first difference or the first of these problems. */
  next(problems: readonly string[]): Wrong | undefined
  /** At the end: whatever was recorded and did not come. */
  rest(): Wrong | undefined
}

/** A replay under way. */
export interface CheckedRun {
  readonly check: StepCheck
  /** Indexes of equal steps that took transitions of other names. */
  readonly otherNames: readonly number[]
  readonly header: TraceHeader
  /** What happened so far, up to the first difference. */
  readonly trace: ReplayableTrace
  /** Starts the system, and gives the first thing that is wrong. */
  start(): Wrong | undefined
  /** Goes one stimulus on. */
  step(stimulus: Stimulus): Wrong | undefined
}

/** Who looks on. */
type Watched = Pick<ReplayRunOptions, 'inspect' | 'onSend'>

/** Puts together a replay of this part of the trace. */
export function checkedRun(
  trace: ReplayableTrace,
  system: AnyActorLogic | ComposeSystem,
  sound: SoundPart,
  watched: Watched = {},
): CheckedRun {
  if (isLean(trace)) return new LeanRun(trace, system, sound, watched)
  const isByHash = trace.views.length === 0 && trace.hashes.length > 0
  if (!isByHash) return new WitnessedRun(trace, system, sound, watched)
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

/** Keeps neither steps that came out as recorded nor actors that are over, so that there is little to collect. */
class WitnessedRun implements CheckedRun {
  readonly check: Witness
  readonly #run: ReplayRun
  #at = -1

  constructor(
    trace: ReplayableTrace,
    system: AnyActorLogic | ComposeSystem,
    sound: SoundPart,
    watched: Watched,
  ) {
    const mentions = new Mentions(trace)
    this.#run = new ReplayRun(trace, system, {
      ...watched,
      show: step => this.check.take(step),
      keepEnded: known => mentions.isSpokenOf(this.check.placeOf(known), this.#at),
    })
    this.check = new Witness(trace, sound, this.#run.witnessed)
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
    return { ...base, views: check.views }
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
