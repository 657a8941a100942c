// A replay held in the hand: step by step forward and back, at any speed, with the state of every actor.
import type { Actor, AnyActorLogic } from 'xstate'
import { comparable } from '../../trace/encode.ts'
import type { KeyframeRecord, ReplayableTrace, Stimulus } from '../../trace/format.ts'
import { soundPart } from './comparison.ts'
import type { SoundPart, Wrong } from './comparison.ts'
import { describeDivergence } from './divergence.ts'
import type { Divergence } from './divergence.ts'
import { findSystem } from './find-system.ts'
import type { SystemRegistry } from './find-system.ts'
import { goOn, UNREACHABLE } from './go-on.ts'
import type { Branch, LiveOptions } from './go-on.ts'
import { Pacer, realClock } from './pacing.ts'
import type { Pace, PaceClock } from './pacing.ts'
import { ReplayRun } from './replay-run.ts'
import type { LiveActor } from './live-actors.ts'

export interface ReplayOptions {
  /** False compares no step with the recorded one, and may jump ahead to a keyframe. */
  readonly compare?: boolean
  /** Real waiting; the clock of this machine unless told. */
  readonly clock?: PaceClock
  /** Called whenever the position has changed; at full speed now and then. */
  readonly onProgress?: (progress: Progress) => void
  /** So many steps lie between two keyframes that the replay takes of itself, to go back to; 512 unless told. */
  readonly keyframeEvery?: number
  /** Stops a run and refuses further ones. */
  readonly signal?: AbortSignal
}

export interface Progress {
  readonly position: number
  readonly length: number
  /** Milliseconds of the recording. */
  readonly t: number
}

/** Why a run came to rest. */
export type RunEnd = 'end' | 'paused' | 'diverged' | 'aborted'

/** A replay under way. */
export interface Replay {
  /** Number of the stimulus that comes next; `length` at the end. */
  readonly position: number
  /** How many stimuli can be repeated. */
  readonly length: number
  /** The recording. */
  readonly recorded: ReplayableTrace
  /** What the replay did, from where it began or was last taken up: in the form of a recording. */
  readonly trace: ReplayableTrace
  /** The root; another one after a step back. */
  readonly actor: Actor<AnyActorLogic>
  /** The first difference, as soon as it has shown. */
  readonly divergence: Divergence | undefined
  readonly problems: readonly string[]
  /** Repeats the next `n` steps; a negative number goes back. What was sent in the midst of a step is a part of it. */
  step(n?: number): void
  /** Goes to where the stimulus `seq` comes next; back from the nearest keyframe before it, or from the start. */
  stepTo(seq: number): void
  /** Runs on until the end, a pause or the first difference; a second call changes the speed. */
  run(pace: Pace): Promise<RunEnd>
  pause(): void
  /** Every living actor as it is now. */
  state(): LiveActor[]
  /**
   * Goes on live from here, with a recording of its own; the replay stays as it is.
   * @throws Error when the system cannot be brought back as it is here.
   */
  branch(options?: LiveOptions): Branch
}

/**
 * Takes up a replay of a trace at its beginning.
 * @throws Error when there is no system for it here, or it cannot be brought back.
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

const KEEP_EVERY = 512

class Playback implements Replay {
  readonly recorded: ReplayableTrace
  readonly #system: ConstructorParameters<typeof ReplayRun>[1]
  readonly #options: ReplayOptions
  readonly #sound: SoundPart
  /** Steps: stimuli that came between two others. */
  readonly #turns: readonly Stimulus[]
  readonly #keyframes: KeyframeRecord[]
  #run: ReplayRun
  #next = 0
  #compared = 0
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
    this.#keyframes = trace.keyframes.filter(({ at, unreachable }) => at > 0 && unreachable.length === 0)
    this.#run = new ReplayRun(trace, system)
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
    return goOn({ header: this.recorded.header, at, keyframe, actors, notes }, this.#system, options)
  }

  #once(): void {
    const stimulus = this.#turns[this.#next]
    if (!stimulus) return
    this.#run.step(stimulus)
    this.#next += 1
    this.#compare()
    if (this.#next % (this.#options.keyframeEvery ?? KEEP_EVERY) === 0) this.#keep()
  }

  /** Begins anew where that is nearer to the goal. */
  #jump(target: number): void {
    const goal = this.#turns[target]?.seq ?? this.length
    const { position } = this
    const isBack = target < this.#next
    if (!isBack && this.#options.compare !== false) return
    const from = this.#keyframes.findLast(({ at }) => at <= goal && (isBack || at > position))
    if (!isBack && !from) return
    this.#run = new ReplayRun(this.recorded, this.#system, { from })
    this.#run.start()
    const begin = this.#run.first.stimulus
    const next = this.#turns.findIndex(({ seq }) => seq >= begin)
    this.#next = next < 0 ? this.#turns.length : next
    this.#compared = 0
  }

  /** Keeps the way back short. */
  #keep(): void {
    const { position } = this
    const after = this.#keyframes.findIndex(({ at }) => at >= position)
    if (this.#divergence || this.#keyframes[after]?.at === position) return
    const keyframe = this.#run.keyframe(position)
    if (keyframe) this.#keyframes.splice(after < 0 ? this.#keyframes.length : after, 0, keyframe)
  }

  #compare(): void {
    if (this.#options.compare === false || this.#divergence) return
    const wrong = this.#wrong()
    if (!wrong) return
    // From a keyframe on, what came before it was the same.
    const before = this.recorded.views.slice(0, this.#run.first.view)
    const trace = { ...this.#run.trace, views: [...before, ...this.#run.trace.views] }
    this.#divergence = describeDivergence(this.recorded, { trace }, wrong)
  }

  #wrong(): Wrong | undefined {
    const { views } = this.#run.trace
    const known = this.recorded.views
    const stimulus = this.#turns[this.#next - 1]?.seq ?? -1
    for (; this.#compared < views.length && known.length > 0; this.#compared++) {
      const index = this.#run.first.view + this.#compared
      const [expected, got] = [known[index], views[this.#compared]]
      if (!got || (this.#sound.reason !== undefined && index >= this.#sound.views)) break
      if (!expected || comparable(expected) !== comparable(got)) {
        return { index, got, ...(expected && { expected }) }
      }
    }
    const [problem] = this.#run.problems
    return problem === undefined ? undefined : { index: this.#compared, problem, stimulus }
  }

  #progress(): void {
    const { position, length } = this
    const t = this.#turns[this.#next - 1]?.t ?? 0
    this.#options.onProgress?.({ position, length, t })
  }
}
