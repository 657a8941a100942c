// What a drive tells: where the changed machines went another way, and what found no place.
import type { Damage, StateValue } from '../../trace/format.ts'
import type { ChartChange } from '../../trace/chart-diff.ts'
import type { Divergence, StepSummary } from './divergence.ts'
import type { MachineDifference } from './find-system.ts'

/** Everything that was told, and how many more there were. */
export interface Bounded<T> {
  readonly items: readonly T[]
  readonly more: number
}

/** A recorded stimulus that nobody here could take. */
export interface Unplaced {
  /** Number of the stimulus. */
  readonly seq: number
  readonly t: number
  readonly kind: 'external' | 'leaf' | 'timer' | 'stop'
  /** Path of the recorded actor that was to take it. */
  readonly to: string
  readonly from?: string
  readonly event?: string
  /** A sentence. */
  readonly why: string
}

/** An effect that was begun here and never then: nothing recorded answers it. */
export interface Wait {
  readonly actor: string
  readonly src: string
  /** Number of the stimulus in whose step it began. */
  readonly since: number
}

/** Something that a drive did by itself, since the recording could not know of it. */
export interface Unrecorded {
  readonly t: number
  /** Path of the actor that set the timer. */
  readonly actor: string
  readonly event: string
  readonly delay: number
}

/** A timer that fired then after another time than it is set for now. */
export interface OtherDelay {
  readonly seq: number
  readonly actor: string
  readonly event: string
  readonly was: number
  readonly is: number
}

/** One actor being in another state than it was in, from one stimulus to another. */
export interface LaterDifference {
  readonly actor: string
  /** Number of the stimulus after which it differs; -1 for the start. */
  readonly from: number
  /** Number of the stimulus after which it is the same again. */
  readonly until?: number
  readonly was?: StepSummary
  readonly is?: StepSummary
}

/** An actor at the end. */
export interface FinalState {
  readonly actor: string
  readonly was?: ActorState
  readonly is?: ActorState
  readonly isSame: boolean
}

export interface ActorState {
  readonly status: 'active' | 'done' | 'error' | 'stopped'
  readonly value?: StateValue
  readonly context?: unknown
}

interface DriveBase {
  readonly system: string
  readonly stimuli: number
  readonly views: number
  readonly machines: readonly MachineDifference[]
  /** What changed in the machines' structure. */
  readonly changes: readonly ChartChange[]
  readonly damage: readonly Damage[]
}

/** What came of a drive. */
export type DriveReport = DriveBase &
  (
    | { readonly outcome: 'unusable'; readonly reason: string }
    | ({
        /**
         * `same` when every step came as it was recorded, `unverified` when nothing was found but no step was compared:
         * the recording holds none, or `compare` was false.
         */
        readonly outcome: 'same' | 'differs' | 'unverified'
        /** Absent when nothing was compared, and when there is none. */
        readonly first?: Divergence
      } & DriveFindings)
  )

/** What a drive found out beside the first difference. */
export interface DriveFindings {
  /** How many stimuli found their place. */
  readonly placed: number
  readonly later: Bounded<LaterDifference>
  readonly unplaced: Bounded<Unplaced>
  readonly waits: Bounded<Wait>
  readonly unrecorded: Bounded<Unrecorded>
  readonly delays: Bounded<OtherDelay>
  /** Readings of the tape that were not recorded. */
  readonly missingReadings: number
  /** Edits that could not be made, in sentences. */
  readonly impossible: readonly string[]
  readonly final: readonly FinalState[]
}

/** A list that stops growing. */
export class BoundedList<T> implements Bounded<T> {
  readonly items: T[] = []
  more = 0
  readonly #limit: number

  constructor(limit: number) {
    this.#limit = limit
  }

  add(item: T): void {
    if (this.items.length < this.#limit) this.items.push(item)
    else this.more += 1
  }
}
