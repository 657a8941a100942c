// Result of a drive: where changed machines diverge, and which records could not be placed.
import type { ChartChange, Damage, StateValue } from '../../../trace/index.ts'
import type { Divergence, StepSummary } from '../verify/divergence.ts'
import type { MachineDifference } from '../run/replay-run.ts'

/** A limited list, and the number of further items. */
export interface Bounded<T> {
  readonly items: readonly T[]
  readonly more: number
}

/** A recorded stimulus that could not be delivered. */
export interface Unplaced {
  /** Number of the stimulus. */
  readonly seq: number
  readonly t: number
  readonly kind: 'external' | 'leaf' | 'timer' | 'stop'
  /** Path of the recorded receiver. */
  readonly to: string
  readonly from?: string
  readonly event?: string
  /** A sentence. */
  readonly why: string
}

/** An effect that only the drive started; the recording has no result for it. */
export interface Wait {
  readonly actor: string
  readonly src: string
  /** Number of the stimulus during which it was started. */
  readonly since: number
}

/** A timer that fired in the drive and is not in the recording. */
export interface Unrecorded {
  readonly t: number
  /** Path of the actor that set the timer. */
  readonly actor: string
  readonly event: string
  readonly delay: number
}

/** A timer that was recorded with another delay. */
export interface OtherDelay {
  readonly seq: number
  readonly actor: string
  readonly event: string
  readonly was: number
  readonly is: number
}

/** A range of stimuli after which an actor's state differs from the recording. */
export interface LaterDifference {
  readonly actor: string
  /** Number of the stimulus after which it differs; -1 for the start. */
  readonly from: number
  /** Number of the stimulus after which it is equal again. */
  readonly until?: number
  readonly was?: StepSummary
  readonly is?: StepSummary
}

/** Final state of an actor. */
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
  readonly steps: number
  readonly machines: readonly MachineDifference[]
  /** Changes in the machines' structure. */
  readonly changes: readonly ChartChange[]
  readonly damage: readonly Damage[]
}

/** Result of a drive. */
export type DriveReport = DriveBase &
  (
    | { readonly outcome: 'unusable'; readonly reason: string }
    | ({
        /**
         * `same`: every step matches the recording. `unverified`: there are no findings, but no step was
         * compared, because the recording has none or `compare` was false.
         */
        readonly outcome: 'same' | 'differs' | 'unverified'
        /** Absent if nothing was compared or there is no difference. */
        readonly first?: Divergence
      } & DriveFindings)
  )

/** Findings of a drive other than the first difference. */
export interface DriveFindings {
  /** Number of stimuli that were placed. */
  readonly placed: number
  readonly later: Bounded<LaterDifference>
  readonly unplaced: Bounded<Unplaced>
  readonly waits: Bounded<Wait>
  readonly unrecorded: Bounded<Unrecorded>
  readonly delays: Bounded<OtherDelay>
  /** Number of tape readings that were not recorded. */
  readonly missingReadings: number
  /** Edits that could not be applied, as sentences. */
  readonly impossible: readonly string[]
  readonly final: readonly FinalState[]
}

/** A list with a maximum length. */
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
