// Compares the steps of a replay with the recorded ones, for the undamaged part of the recording.
import {
  createRollingHash,
  describeDamage,
  LOST,
  type ReplayableTrace,
  type StepRecord,
  type Stimulus,
} from '../../../trace/index.ts'
import { compareSteps } from '../run/alike.ts'
import type { KeyframeDifferences } from './keyframe-differences.ts'

/** The part of a trace that can be replayed. */
export interface SoundPart {
  readonly stimuli: readonly Stimulus[]
  /** Number of steps that are compared. */
  readonly steps: number
  /** Why the rest is left out; absent if the whole trace is undamaged. */
  readonly reason?: string
}

/** Returns the part of a damaged file that can be replayed: all complete steps before the first loss. */
export function soundPart(trace: ReplayableTrace): SoundPart {
  const complete = trace.live || trace.end !== undefined
  if (complete && trace.damage.length === 0) return { stimuli: trace.stimuli, steps: trace.steps.length }
  const lostAt = trace.stimuli.findIndex(stimulus => isLost(stimulus.event))
  const foundAt = Math.min(...trace.damage.map(({ at }) => at ?? Number.POSITIVE_INFINITY))
  const lostStep = trace.steps.findIndex(step => isLost(step.event))
  let last = Math.min(lostAt >= 0 ? lostAt : trace.stimuli.length, foundAt)
  // The last step before the loss may be incomplete.
  do last -= 1
  while (last > 0 && trace.stimuli[last]?.anchor)
  // Damage before the first stimulus also invalidates the start.
  const end = trace.stimuli[last]?.seq ?? (foundAt === 0 ? -1 : 0)
  const firstAfter = trace.steps.findIndex(step => step.cause >= end)
  const ends = [firstAfter, lostStep].filter(at => at >= 0)
  const steps = Math.min(trace.steps.length, ...ends)
  const reason = trace.damage.map(describeDamage).join('; ')
  return { stimuli: trace.stimuli.slice(0, Math.max(0, last)), steps, reason }
}

function isLost(event: unknown): boolean {
  return typeof event === 'object' && event !== null && 'type' in event && event.type === LOST
}

/** The first difference from the recording. */
export interface Wrong {
  /** Index of the step, or the number of steps when the difference was noticed. */
  readonly index: number
  readonly expected?: StepRecord
  readonly got?: StepRecord
  readonly problem?: string
  /** Number of the stimulus at which the problem occurred. */
  readonly stimulus?: number
  /** For keyframe comparisons: the stimuli between which the difference arose, and the differing values. */
  readonly between?: readonly [from: number, to: number]
  readonly differences?: KeyframeDifferences
}

/** Compares a replay while it runs. */
export class Comparison {
  /** Index of the next recorded step; the number of steps that were compared and found equal. */
  compared: number
  readonly #recorded: ReplayableTrace
  readonly #replayed: ReplayableTrace
  readonly #sound: SoundPart
  readonly #first: number
  /** A file without steps can be compared only by hashes. */
  readonly #byHash: boolean
  readonly #rolling = createRollingHash()
  #hashAt = 0
  #incomplete: number | undefined

  /** @param first index of the recorded step that the replay begins with, after a keyframe */
  constructor(recorded: ReplayableTrace, replayed: ReplayableTrace, sound: SoundPart, first = 0) {
    this.#recorded = recorded
    this.#replayed = replayed
    this.#sound = sound
    this.#first = first
    this.compared = first
    this.#byHash = recorded.steps.length === 0 && recorded.hashes.length > 0
  }

  get incomplete(): number | undefined {
    return this.#incomplete ?? this.#rolling.incomplete
  }

  /** Compares the steps since the last call and returns the first difference, or the first problem. */
  next(problems: readonly string[]): Wrong | undefined {
    const { steps: known, reason } = this.#sound
    const end = this.#byHash || reason === undefined ? Number.POSITIVE_INFINITY : known
    for (let step = this.#next(); step && this.compared < end; step = this.#next()) {
      const wrong = this.#byHash ? this.#compareHash(step) : this.#compare(step)
      if (wrong) return wrong
      this.compared += 1
    }
    const problem = problems[0]
    return problem === undefined ? undefined : { index: this.compared, problem }
  }

  /** At the end, returns the first recorded step that is missing in the replay. */
  rest(): Wrong | undefined {
    const index = this.compared
    const expected = this.#recorded.steps[index]
    if (expected && index < this.#sound.steps) return { index, expected }
    const count = this.#recorded.end?.steps
    if (!this.#byHash || count === undefined || count === index) return undefined
    return { index, problem: `${count} steps were recorded, but the replay has ${index}` }
  }

  /** The next replayed step. Hashes are of all steps, so those after a keyframe cannot be compared. */
  #next(): StepRecord | undefined {
    const isComparable = this.#byHash ? this.#first === 0 : this.#recorded.steps.length > 0
    return isComparable ? this.#replayed.steps[this.compared - this.#first] : undefined
  }

  #compare(got: StepRecord): Wrong | undefined {
    const index = this.compared
    const expected = this.#recorded.steps[index]
    if (!expected) return { index, got }
    const isSameActor = this.#recorded.actors[expected.actor]?.path === this.#replayed.actors[got.actor]?.path
    const result = isSameActor ? compareSteps(got, expected) : 'different'
    if (result === 'partly') this.#incomplete ??= expected.seq
    return result === 'different' ? { index, expected, got } : undefined
  }

  #compareHash(got: StepRecord): Wrong | undefined {
    const index = this.compared
    this.#rolling.add(got)
    const record = this.#recorded.hashes[this.#hashAt]
    if (record?.after !== index + 1) return undefined
    this.#hashAt += 1
    const { actors } = record
    const actor = Object.keys(actors).find(key => this.#rolling.of(Number(key)) !== actors[key])
    if (actor === undefined) return undefined
    const path = this.#replayed.actors[Number(actor)]?.path
    return { index, got, problem: `the steps of ${path} so far differ from the recording` }
  }
}
