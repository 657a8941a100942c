// Interactive replay: steps forward and back, at any speed, with the state of every actor.
import type { Actor, AnyActorLogic } from 'xstate'
import { type KeyframeRecord, type ReplayableTrace, type Stimulus } from '../../../trace/index.ts'
import { Comparison, soundPart, type SoundPart } from '../verify/comparison.ts'
import { type Divergence, describeDivergence } from '../verify/divergence.ts'
import { findSystem } from '../verify/find-system.ts'
import type { SystemRegistry } from '../../runtime/index.ts'
import { type Branch, type LiveOptions, resumeLive, UNREACHABLE } from './resume-live.ts'
import { type Pace, Pacer, realClock } from './pacing.ts'
import { ReplayRun } from '../run/replay-run.ts'
import type { LiveActor } from '../run/live-actors.ts'
import type { Replay, ReplayOptions, RunEnd, SentEvent } from './replay-types.ts'

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
    this.#divergence = describeDivergence(this.recorded, { trace }, located)
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
