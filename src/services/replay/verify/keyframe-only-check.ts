// Checks a replay without recorded steps: by keyframes, the tape, and events sent within steps.
import type { KeyframeRecord, ReplayableTrace, Stimulus } from '../../../trace/index.ts'
import type { SoundPart, Wrong } from './comparison.ts'
import { compareKeyframes, type KeyframeDifferences } from './keyframe-differences.ts'
import type { StepCheck } from './checked-run.ts'
import { ExactResolver, type SetTimers } from '../run/record-resolver.ts'
import type { ReplayRun } from '../run/replay-run.ts'
import { originOf } from '../run/restoring.ts'

/** Whether a trace was recorded without steps. */
export function isKeyframeOnly({ header }: Pick<ReplayableTrace, 'header'>): boolean {
  return header.steps === false
}

/** Exact placement that counts the placed stimuli. */
export class KeyframeOnlyResolver extends ExactResolver {
  /** Number of stimuli that were placed. */
  placed = 0
  readonly problems: string[]

  constructor(trace: ReplayableTrace) {
    const problems: string[] = []
    super(trace, problems, originOf(trace))
    this.problems = problems
  }

  override found(): void {
    this.placed += 1
  }

  override timer(stimulus: Stimulus, timers: SetTimers): number | undefined {
    const ordinal = super.timer(stimulus, timers)
    // The timer fires without effect, as in the recording.
    if (ordinal === undefined) this.placed += 1
    return ordinal
  }
}

/** Checks a replay from its beginning. Call it before the first stimulus and after each. */
export class KeyframeOnlyCheck implements StepCheck {
  /** There are no steps to compare. */
  readonly compared = 0
  /** Number of keyframes that were compared and found equal. */
  keyframes = 0
  incomplete: number | undefined
  readonly #trace: ReplayableTrace
  readonly #run: ReplayRun
  readonly #resolver: KeyframeOnlyResolver
  readonly #recorded: readonly KeyframeRecord[]
  readonly #last: number
  /** Number of repeated stimuli, and that number at the last keyframe that matched. */
  #position = -1
  #known = 0
  #tape = 0

  constructor(trace: ReplayableTrace, run: ReplayRun, resolver: KeyframeOnlyResolver, sound: SoundPart) {
    this.#trace = trace
    this.#run = run
    this.#resolver = resolver
    this.#last = sound.stimuli.length
    this.#recorded = trace.keyframes.filter(({ at }) => at > 0 && at <= this.#last)
  }

  next(): Wrong | undefined {
    const position = ++this.#position
    const problem = this.#resolver.problems[0] ?? this.#run.problems[0]
    if (problem !== undefined) return this.#wrong(problem, Math.max(0, position - 1))
    // Anchored stimuli occur during the previous step.
    if (position < this.#last && this.#trace.stimuli[position]?.anchor) return undefined
    return this.#unmet(position) ?? this.#misread(position) ?? this.#compare(position)
  }

  #unmet(position: number): Wrong | undefined {
    const missing = position - this.#resolver.placed
    if (missing === 0) return undefined
    const stimuli = this.#trace.stimuli.slice(0, position)
    const step = stimuli.findLast(({ anchor }) => !anchor)?.seq ?? 0
    const path = this.#trace.actors[stimuli.findLast(({ anchor }) => anchor)?.from ?? -1]?.path
    const who = path === undefined ? '' : `, e.g. by ${path},`
    return this.#wrong(`${missing} recorded events sent within a step${who} were not sent`, step)
  }

  #misread(position: number): Wrong | undefined {
    const { tape } = this.#trace
    for (let entry = tape[this.#tape]; entry && (entry.at ?? -1) < position; entry = tape[this.#tape])
      this.#tape += 1
    const { readings } = this.#resolver
    if (readings === this.#tape) return undefined
    return this.#wrong(
      `${readings} time, random and id values were read so far; recorded: ${this.#tape}`,
      position - 1,
    )
  }

  #compare(position: number): Wrong | undefined {
    for (let next = this.#recorded[this.keyframes]; next && next.at <= position;) {
      const here = this.#run.keyframe(position, true)
      const known = this.#known
      if (!here)
        return this.#wrong('the full state cannot be captured in the replay, but was recorded', known)
      const { trace } = this.#run
      const { differences, isComplete } = compareKeyframes(next, this.#trace.actors, here, trace.actors)
      if (!isComplete) this.incomplete ??= position
      if (differences.length > 0)
        return this.#wrong(`the state before stimulus ${position} differs`, known, differences)
      this.#known = position
      this.keyframes += 1
      next = this.#recorded[this.keyframes]
    }
    return undefined
  }

  rest(): undefined {
    return undefined
  }

  #wrong(problem: string, from: number, differences: KeyframeDifferences = []): Wrong {
    return { index: 0, problem, between: [from, this.#position], differences }
  }
}
