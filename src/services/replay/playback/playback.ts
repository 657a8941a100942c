// Interactive replay: steps forward and back, at any speed, with the state of every actor.
import type { Actor, AnyActorLogic } from 'xstate'
import { makeDrive } from '../drive/drive.ts'
import type { Edit } from '../drive/edits.ts'
import type { KeyframeRecord, ReplayableTrace, Stimulus } from '../../../trace/index.ts'
import { type Divergence, divergenceOf } from '../verify/divergence.ts'
import { type Branch, type LiveOptions, resumeLive, UNREACHABLE } from './resume-live.ts'
import { findSystem, type LiveActor, ReplayRun, type SentEvent } from '../run/replay-run.ts'
import { type Pace, type PaceClock, Pacer, realClock } from './pacing.ts'
import { Comparison, soundPart, type SoundPart } from '../verify/comparison.ts'
import type { SystemRegistry } from '../../runtime/index.ts'

/** Options of `createReplay`. */
export interface ReplayOptions {
  /** False skips the comparison and allows jumping ahead to a keyframe. */
  readonly compare?: boolean
  /** Clock for waiting. Defaults to the real clock. */
  readonly clock?: PaceClock
  /** Called when the position has changed; at full speed only periodically. */
  readonly onProgress?: (progress: Progress) => void
  /** Number of steps between two keyframes that the replay takes for stepping back. Defaults to 512. */
  readonly keyframeEvery?: number
  /** Stops a run and rejects further ones. */
  readonly signal?: AbortSignal
}

/** Position of a replay; `position` and `length` count stimuli. */
export interface Progress {
  readonly position: number
  readonly length: number
  /** Time in the recording, in milliseconds. */
  readonly t: number
}

/** Why a run ended. */
export type RunEnd = 'end' | 'paused' | 'diverged' | 'aborted'

/** A replay in progress. */
export interface Replay {
  /** Number of the next stimulus; `length` at the end. */
  readonly position: number
  /** Number of stimuli that can be repeated. */
  readonly length: number
  /** The recording. */
  readonly recorded: ReplayableTrace
  /** The replayed steps since the start or the last jump, as a recording. */
  readonly trace: ReplayableTrace
  /** The root; a different actor after stepping back. */
  readonly actor: Actor<AnyActorLogic>
  /** The first difference, once it is found. */
  readonly divergence: Divergence | undefined
  readonly problems: readonly string[]
  /**
   * Events for other systems up to this position, which were not delivered. Excludes steps skipped by a
   * keyframe.
   */
  readonly sent: readonly SentEvent[]
  /** Repeats the next `n` steps; a negative number steps back. Events sent within a step belong to it. */
  step(n?: number): void
  /** Moves to the position before stimulus `seq`; back from the nearest earlier keyframe or the start. */
  stepTo(seq: number): void
  /** Runs to the end, a pause or the first difference. A second call changes the speed. */
  run(pace: Pace): Promise<RunEnd>
  pause(): void
  /** Current state of every running actor. */
  state(): LiveActor[]
  /**
   * Continues live from this position, with a separate recording; the replay does not change.
   * @throws Error if the system cannot be restored at this position
   */
  branch(options?: LiveOptions): Branch
}

/**
 * Creates a replay at the beginning of a trace.
 * @throws Error if the system is unknown or cannot be restored
 */
export function createReplay(
  trace: ReplayableTrace,
  systems: SystemRegistry,
  options: ReplayOptions = {},
): Replay {
  const found = findSystem(trace, systems)
  if ('reason' in found) throw new Error(found.reason)
  return new Playback(trace, found.system, options)
}

/** Options of `branch`. */
export interface BranchOptions extends LiveOptions {
  /** Number of the stimulus that the live run replaces. Defaults to the end. */
  readonly at?: number
  /** Changes to earlier stimuli. */
  readonly edits?: readonly Edit[]
}

/**
 * Continues live from any record: running effects are restarted, as XState does for a restored system, and
 * timers are set to their remaining time. Secrets were never recorded; their pseudonyms are used.
 * @throws Error if the system is unknown or cannot be restored at that point
 */
export function branch(trace: ReplayableTrace, systems: SystemRegistry, options: BranchOptions = {}): Branch {
  const { at = trace.stimuli.length, edits = [] } = options
  if (edits.length === 0) {
    const replay = createReplay(trace, systems, { compare: false })
    replay.stepTo(at)
    return replay.branch(options)
  }
  const found = findSystem(trace, systems)
  if ('reason' in found) throw new Error(found.reason)
  const {
    report,
    trace: driven,
    keyframe,
  } = makeDrive(trace, systems, {
    edits,
    keep: ({ seq }) => seq < at,
    compare: false,
  })
  if (report.outcome === 'unusable') throw new Error(report.reason)
  if (!keyframe || !driven) throw new Error(UNREACHABLE)
  const notes = [...report.impossible, ...report.unplaced.items.map(({ seq, why }) => `#${seq}: ${why}`)]
  return resumeLive(
    { header: trace.header, at, keyframe, actors: driven.actors, notes },
    found.system,
    options,
  )
}

const KEEP_EVERY = 512

class Playback implements Replay {
  readonly recorded: ReplayableTrace
  readonly #system: ConstructorParameters<typeof ReplayRun>[1]
  readonly #options: ReplayOptions
  readonly #sound: SoundPart
  /** Stimuli that begin a step. */
  readonly #turns: readonly Stimulus[]
  readonly #back: KeyframeIndex
  #run: ReplayRun
  #check: Comparison
  #next = 0
  #sent: SentEvent[] = []
  #divergence: Divergence | undefined
  #pacer: Pacer | undefined
  #running = 0

  constructor(
    trace: ReplayableTrace,
    system: ConstructorParameters<typeof ReplayRun>[1],
    options: ReplayOptions,
  ) {
    this.recorded = trace
    this.#system = system
    this.#options = options
    this.#sound = soundPart(trace)
    this.#turns = this.#sound.stimuli.filter(({ anchor }) => !anchor)
    this.#back = new KeyframeIndex(trace)
    this.#run = this.#newRun()
    this.#check = this.#newCheck()
    this.#run.start()
    this.#compare()
  }

  get position(): number {
    return this.#turns[this.#next]?.seq ?? this.length
  }

  get length(): number {
    return this.#sound.stimuli.length
  }

  get trace(): ReplayableTrace {
    return this.#run.trace
  }

  get actor(): Actor<AnyActorLogic> {
    return this.#run.actor
  }

  get divergence(): Divergence | undefined {
    return this.#divergence
  }

  get problems(): readonly string[] {
    return this.#run.problems
  }

  get sent(): readonly SentEvent[] {
    return this.#sent
  }

  step(n = 1): void {
    if (n < 0) return this.stepTo(this.#turns[Math.max(0, this.#next + n)]?.seq ?? 0)
    for (let left = n; left > 0 && this.#next < this.#turns.length; left--) this.#once()
    this.#progress()
  }

  stepTo(seq: number): void {
    const found = this.#turns.findIndex(stimulus => stimulus.seq >= seq)
    const target = found < 0 ? this.#turns.length : found
    this.#jump(target)
    while (this.#next < target) this.#once()
    this.#progress()
  }

  async run(pace: Pace): Promise<RunEnd> {
    const { clock = realClock, signal } = this.#options
    this.#pacer?.cancel()
    const pacer = new Pacer(clock, pace, this.#turns[this.#next - 1]?.t ?? 0)
    const mine = ++this.#running
    const cancel = () => pacer.cancel()
    this.#pacer = pacer
    signal?.addEventListener('abort', cancel, { once: true })
    try {
      for (;;) {
        if (signal?.aborted) return 'aborted'
        if (mine !== this.#running) return 'paused'
        const stimulus = this.#turns[this.#next]
        if (!stimulus) return 'end'
        const wait = pacer.until(stimulus.t)
        if (wait) {
          this.#progress()
          await wait
          continue
        }
        const isNew = !this.#divergence
        this.#once()
        if (isNew && this.#divergence) return 'diverged'
      }
    } finally {
      signal?.removeEventListener('abort', cancel)
      this.#progress()
    }
  }

  pause(): void {
    this.#running += 1
    this.#pacer?.cancel()
  }

  state(): LiveActor[] {
    return this.#run.state()
  }

  branch(options: LiveOptions = {}): Branch {
    const { position: at } = this
    const keyframe = this.#run.keyframe(at)
    if (!keyframe) throw new Error(UNREACHABLE)
    const { actors } = this.#run.trace
    const notes = [...this.#run.problems]
    return resumeLive({ header: this.recorded.header, at, keyframe, actors, notes }, this.#system, options)
  }

  #once(): void {
    const stimulus = this.#turns[this.#next]
    if (!stimulus) return
    this.#run.step(stimulus)
    this.#next += 1
    this.#compare()
    const { keyframeEvery = KEEP_EVERY } = this.#options
    const { position } = this
    if (this.#next % keyframeEvery === 0 && !this.#divergence)
      this.#back.add(position, () => this.#run.keyframe(position))
  }

  /** Restarts from a keyframe if that is closer to the target. */
  #jump(target: number): void {
    const goal = this.#turns[target]?.seq ?? this.length
    const { position } = this
    const isBack = target < this.#next
    if (!isBack && this.#options.compare !== false) return
    const from = this.#back.nearest(isBack ? 0 : position, goal)
    if (!isBack && !from) return
    this.#begin(from)
    const begin = this.#run.first.stimulus
    const next = this.#turns.findIndex(({ seq }) => seq >= begin)
    this.#next = next < 0 ? this.#turns.length : next
  }

  #newRun(from?: KeyframeRecord): ReplayRun {
    const sent = from ? this.#sent.filter(({ stimulus }) => stimulus < from.at) : []
    this.#sent = sent
    return new ReplayRun(this.recorded, this.#system, { from, onSend: one => void sent.push(one) })
  }

  #newCheck(): Comparison {
    return new Comparison(this.recorded, this.#run.trace, this.#sound, this.#run.first.step)
  }

  #begin(from?: KeyframeRecord): void {
    this.#run = this.#newRun(from)
    this.#check = this.#newCheck()
    this.#run.start()
  }

  #compare(): void {
    if (this.#options.compare === false || this.#divergence) return
    const wrong = this.#check.next(this.#run.problems)
    if (!wrong) return
    const stimulus = this.#turns[this.#next - 1]?.seq ?? -1
    const located = wrong.problem === undefined ? wrong : { ...wrong, stimulus }
    // The steps before the starting keyframe are taken from the recording.
    const before = this.recorded.steps.slice(0, this.#run.first.step)
    const trace = { ...this.#run.trace, steps: [...before, ...this.#run.trace.steps] }
    this.#divergence = divergenceOf(this.recorded, { trace }, located)
  }

  #progress(): void {
    const { position, length } = this
    const t = this.#turns[this.#next - 1]?.t ?? 0
    this.#options.onProgress?.({ position, length, t })
  }
}

/** Keyframes in order of position. */
class KeyframeIndex {
  readonly #keyframes: KeyframeRecord[]

  constructor({ keyframes }: ReplayableTrace) {
    this.#keyframes = keyframes.filter(({ at, unreachable }) => at > 0 && unreachable.length === 0)
  }

  /** Returns the last keyframe after `from` and up to `goal`. */
  nearest(from: number, goal: number): KeyframeRecord | undefined {
    return this.#keyframes.findLast(({ at }) => at <= goal && at > from)
  }

  /** Adds a keyframe for this position unless there is one. */
  add(place: number, take: () => KeyframeRecord | undefined): void {
    const found = this.#keyframes.findIndex(({ at }) => at >= place)
    if (this.#keyframes[found]?.at === place) return
    const keyframe = take()
    if (keyframe) this.#keyframes.splice(found < 0 ? this.#keyframes.length : found, 0, keyframe)
  }
}
