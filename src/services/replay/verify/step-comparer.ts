// Compares every live step of a replay with the recorded one.
import type { Redactor, ReplayableTrace, StepRecord } from '../../../trace/index.ts'
import {
  type ActorRecord,
  type LiveStep,
  nameOf,
  senderOf,
  STOP,
  type TransitionsTaken,
  viaOf,
} from '../../recording/index.ts'
import { compareSteps, isAlike, type PathOf } from '../run/alike.ts'
import type { SoundPart, Wrong } from './comparison.ts'

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

const OPTIONAL = ['value', 'context', 'output', 'error'] as const

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
