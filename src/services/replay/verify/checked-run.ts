// A replay that is compared with the recording: by its steps, or by hashes if the file has no steps.
import type { AnyActorLogic } from 'xstate'
import {
  type ReplayableTrace,
  type Stimulus,
  type TraceHeader,
  ActorReference,
} from '../../../trace/index.ts'
import type { ComposeSystem } from '../../runtime/index.ts'
import { Comparison, type SoundPart, type Wrong } from './comparison.ts'
import { isKeyframeOnly } from './keyframe-only-check.ts'
import { KeyframeOnlyRun } from './keyframe-only-run.ts'
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

/** The last stimulus that mentions each actor. */
class ActorReferences {
  readonly #trace: ReplayableTrace
  /** Number of the last stimulus that mentions an actor, by actor index. */
  readonly #last: Float64Array
  #places: Map<string, number> | undefined

  constructor(trace: ReplayableTrace) {
    this.#trace = trace
    this.#last = new Float64Array(trace.actors.length).fill(-1)
    for (const stimulus of trace.stimuli) this.#read(stimulus)
  }

  /** Whether a later stimulus is from or for the actor with this index, or contains a reference to it. */
  isSpokenOf(actor: number, after: number): boolean {
    const last = this.#last[actor]
    return last === undefined || last > after
  }

  #read({ seq, to, from, anchor, event, threw }: Stimulus): void {
    this.#last[to] = seq
    if (from !== undefined) this.#last[from] = seq
    if (anchor?.in !== undefined) this.#last[anchor.in] = seq
    if (event !== undefined) this.#look(event, seq)
    if (threw) this.#look(threw.error, seq)
  }

  /** An object may occur many times in one value. */
  #look(value: unknown, seq: number, seen = new Set<object>()): void {
    if (typeof value !== 'object' || value === null || seen.has(value)) return
    seen.add(value)
    if (value instanceof ActorReference) this.#last[this.#placeOf(value.path)] = seq
    else if (Array.isArray(value)) for (const item of value) this.#look(item, seq, seen)
    else if (value instanceof Map || value instanceof Set) this.#look([...value], seq, seen)
    else if (!ArrayBuffer.isView(value)) {
      for (const key in value) this.#look(Reflect.get(value, key), seq, seen)
      if (value instanceof Error) this.#look(value.cause, seq, seen)
    }
  }

  #placeOf(path: string): number {
    this.#places ??= new Map(this.#trace.actors.map((actor, index) => [actor.path, index]))
    return this.#places.get(path) ?? -1
  }
}
