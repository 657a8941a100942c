// A replay that is compared with the recording: by its steps, or by hashes if the file has no steps.
import type { AnyActorLogic } from 'xstate'
import {
  ActorReference,
  type ReplayableTrace,
  type Stimulus,
  type TraceHeader,
} from '../../../trace/index.ts'
import type { ComposeSystem } from '../../runtime/index.ts'
import { Comparison, isKeyframeOnly, type SoundPart, StepComparer, type Wrong } from './comparison.ts'
import { KeyframeOnlyRun } from './derive-steps.ts'
import { ReplayRun, type ReplayRunOptions } from '../run/replay-run.ts'

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
  readonly actor: ReplayRun['actor']
  readonly header: TraceHeader
  /** The replayed steps, up to the first difference. */
  readonly trace: ReplayableTrace
  /** At the end, the recording with its steps, if it has none and this run kept them. */
  readonly derived?: ReplayableTrace
  /** Starts the system and returns the first difference. */
  start(): Wrong | undefined
  /** Repeats one stimulus. */
  step(stimulus: Stimulus): Wrong | undefined
}

export interface CheckedRunOptions extends Pick<ReplayRunOptions, 'inspect' | 'onSend'> {
  /** Whether the run of a recording without steps keeps its steps; otherwise they are only counted. */
  readonly keepsSteps?: boolean
}

/** Creates a replay of this part of the trace. */
export function checkedRun(
  trace: ReplayableTrace,
  system: AnyActorLogic | ComposeSystem,
  sound: SoundPart,
  options: CheckedRunOptions = {},
): CheckedRun {
  if (isKeyframeOnly(trace)) return new KeyframeOnlyRun(trace, system, sound, options)
  const isByHash = trace.steps.length === 0 && trace.hashes.length > 0
  if (!isByHash) return new ComparedRun(trace, system, sound, options)
  const run = new ReplayRun(trace, system, options)
  const check = new Comparison(trace, run.trace, sound)
  return {
    check,
    otherNames: [],
    actor: run.actor,
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

/** Runs to the end, or to the first difference, which it returns with its stimulus. */
export function findWrong(
  run: CheckedRun,
  stimuli: readonly Stimulus[],
  onStimulus?: (stimulus: Stimulus) => void,
): Wrong | undefined {
  let wrong = run.start()
  for (const stimulus of stimuli) {
    if (wrong) break
    wrong = run.step(stimulus)
    if (wrong?.problem !== undefined) wrong = { ...wrong, stimulus: stimulus.seq }
    onStimulus?.(stimulus)
  }
  return wrong ?? run.check.rest()
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
    { inspect, onSend }: CheckedRunOptions,
  ) {
    const mentions = new ActorReferences(trace)
    this.#run = new ReplayRun(trace, system, {
      ...(inspect && { inspect }),
      onSend,
      show: step => this.check.take(step),
      keepEnded: known => mentions.isSpokenOf(this.check.placeOf(known), this.#at),
    })
    this.check = new StepComparer(trace, sound, this.#run)
  }

  get otherNames(): readonly number[] {
    return this.check.otherNames
  }

  get actor(): ReplayRun['actor'] {
    return this.#run.actor
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
