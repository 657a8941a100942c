// How a family of machines is explained: which events are plumbing, and the clauses of states and reasons.
import type { StepRecord } from '../format/records.ts'
import type { History } from './history.ts'

/** A reason as a clause that follows “because”. */
export interface Reason {
  readonly text: string
  /** A failure: a success that follows from it is written as “again, after …”. */
  readonly isBad?: boolean
}

/** The effect, as a main clause without a full stop. */
export interface Effect {
  readonly text: string
  /** A success. */
  readonly isGood?: boolean
  /** The clause says everything. */
  readonly isComplete?: boolean
}

export interface Vocabulary {
  /** The step is no reason for a user: its cause is. */
  readonly isPlumbing: (history: History, step: StepRecord) => boolean
  /**
   * The step that explains this one, where another than the sender of its event does; `missing` if the recording
   * does not contain that.
   */
  readonly detour: (
    history: History,
    step: StepRecord,
    isEffect: boolean,
  ) => StepRecord | 'missing' | undefined
  /** Wraps the reason's text with what this step on the way adds to it. */
  readonly note: (history: History, step: StepRecord, reason: string) => string | undefined
  readonly effect: (history: History, step: StepRecord, isStep: boolean) => Effect
  readonly reason: (history: History, step: StepRecord, effect: StepRecord) => Reason
  /** What follows from the effect, or what helps. */
  readonly next: (history: History, effect: StepRecord, reason: StepRecord) => string | undefined
}
