// Compares the steps of a replay with the recorded ones, for the undamaged part of the recording.
import {
  createRollingHash,
  describeDamage,
  LOST,
  type Redactor,
  type ReplayableTrace,
  type StepRecord,
  type Stimulus,
} from '../../../trace/index.ts'
import { compareSteps, isAlike, type PathOf } from '../run/alike.ts'
import type { KeyframeDifferences } from './keyframe-only-check.ts'
import {
  type ActorRecord,
  type LiveStep,
  nameOf,
  senderOf,
  STOP,
  type TransitionsTaken,
  viaOf,
} from '../../recording/index.ts'

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

/**
 * Before a replay, returns why nothing can be compared; undefined if there are steps, hashes or keyframes.
 */
export function whyUnstarted({ header, steps, keyframes, hashes, end }: ReplayableTrace): string | undefined {
  // The start is a step, so only a recording without steps may have begun unstarted.
  const isStarted =
    steps.length + keyframes.length + (end?.steps ?? 0) > 0 || hashes.some(({ after }) => after > 0)
  if (isStarted || header.steps === false) return undefined
  return 'the system was not started during the recording, so there are no steps to compare'
}

/** Whether a trace was recorded without steps. */
export function isKeyframeOnly({ header }: Pick<ReplayableTrace, 'header'>): boolean {
  return header.steps === false
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

/** The replay whose steps are compared. */
export interface ComparedSteps {
  /** Returns the number of an actor in the replay's table. */
  readonly indexOf: (known: ActorRecord) => number
  readonly pathOf: PathOf
  /** Converts a step to its form in a trace. */
  readonly plain: (step: LiveStep) => StepRecord
  readonly redactor: Pick<Redactor, 'text'>
}

/** Compares steps without converting them, and keeps nothing of those that match. */
export class StepComparer {
  /** Number of steps that were compared and found equal. */
  compared = 0
  incomplete: number | undefined
  readonly #recorded: ReplayableTrace
  readonly #sound: SoundPart
  readonly #replay: ComparedSteps
  /** Transitions that differ from the recorded ones, by step number. */
  readonly #otherWays = new Map<number, TransitionsTaken | undefined>()
  /**
   * Recorded number of an actor, by its number in the replay; -1 if the recorded number belongs to another
   * actor.
   */
  readonly #places: number[] = []
  #wrong: Wrong | undefined

  constructor(recorded: ReplayableTrace, sound: SoundPart, replay: ComparedSteps) {
    this.#recorded = recorded
    this.#sound = sound
    this.#replay = replay
  }

  /** Compares the next step. */
  take(step: LiveStep): void {
    const index = this.compared
    if (this.#wrong || (this.#sound.reason !== undefined && index >= this.#sound.steps)) return
    const known = this.#recorded.steps[index]
    if (!known || !(this.#isAlike(step, known) || this.#isSame(step, known))) {
      this.#wrong = { index, ...(known && { expected: known }), got: this.#replay.plain(step) }
      return
    }
    if (!hasNames(step.taken, known.via)) this.#otherWays.set(index, step.taken)
    this.compared += 1
  }

  /** Returns the first difference, or the first of these problems. */
  next([problem]: readonly string[]): Wrong | undefined {
    return this.#wrong ?? (problem === undefined ? undefined : { index: this.compared, problem })
  }

  /** At the end, returns the first recorded step that is missing in the replay. */
  rest(): Wrong | undefined {
    const index = this.compared
    const expected = this.#recorded.steps[index]
    return expected && index < this.#sound.steps ? { index, expected } : undefined
  }

  /** Indexes of equal steps whose transitions have other names. */
  get otherNames(): readonly number[] {
    return [...this.#otherWays.keys()]
  }

  /** The steps of the replay: those that match, and the one that does not. */
  get steps(): StepRecord[] {
    const same = this.#recorded.steps.slice(0, this.compared).map((step, index): StepRecord => {
      if (!this.#otherWays.has(index)) return step
      const { via: _then, ...rest } = step
      const taken = this.#otherWays.get(index)
      return taken ? { ...rest, via: viaOf(taken) } : rest
    })
    return this.#wrong?.got ? [...same, this.#wrong.got] : same
  }

  /** Returns the recorded number of an actor; -1 if it belongs to another actor. */
  placeOf(actor: ActorRecord): number {
    const index = this.#replay.indexOf(actor)
    if (index < 0) return -1
    return (this.#places[index] ??= this.#recorded.actors[index]?.path === actor.path ? index : -1)
  }

  /** If true, the two are equal; if false, they may still be equal. */
  #isAlike(step: LiveStep, known: StepRecord): boolean {
    const { ending } = step
    const { pathOf } = this.#replay
    return (
      known.seq === step.seq &&
      known.cause === step.cause &&
      known.by === byOf(step) &&
      known.status === step.status &&
      known.changed === step.changed &&
      known.actor === this.placeOf(step.actor) &&
      known.from === (step.from && this.placeOf(step.from)) &&
      isAlike(step.event ?? STOP, known.event, pathOf) &&
      isAlike(step.value, known.value, pathOf) &&
      isAlike(step.context, known.context, pathOf) &&
      isAlike(ending?.output, known.output, pathOf) &&
      isAlike(ending?.error, known.error, pathOf) &&
      isAlike(step.outputs, known.outputs, pathOf) &&
      !OPTIONAL.some(part => known[part] === undefined && part in known)
    )
  }

  #isSame(step: LiveStep, known: StepRecord): boolean {
    const got = this.#replay.plain(step)
    const path = this.#recorded.actors[known.actor]?.path
    const isThere = path === this.#replay.redactor.text(step.actor.path)
    const result = isThere ? compareSteps(got, known) : 'different'
    if (result === 'partly') this.incomplete ??= known.seq
    return result !== 'different'
  }
}

const OPTIONAL = ['value', 'context', 'output', 'error', 'outputs'] as const

function byOf(step: LiveStep): number | undefined {
  const by = senderOf(step)
  return by < 0 ? undefined : by
}

/** Whether the transitions have these names. */
function hasNames(taken: TransitionsTaken | undefined, names: readonly string[] | undefined): boolean {
  if (!taken) return names === undefined || names.length === 0
  if (!names) return false
  if ('source' in taken) return names.length === 1 && names[0] === nameOf(taken)
  const via = viaOf(taken)
  return via.length === names.length && via.every((name, at) => name === names[at])
}
