// A sequence of a random run as data, without the library that generates it.
import type { AnyEventObject } from 'xstate'

/** What happens next: an event for the machine, or time that passes, in milliseconds. */
export type SequenceStep = readonly ['tell', AnyEventObject] | readonly ['wait', number]

/** Sends one of the samples that the machine handles then, by number. */
export type OpenStep = SequenceStep | readonly ['next', number]

/** The input of a run; the seed decides how ports respond. */
export interface Sequence<Step = SequenceStep> {
  readonly steps: readonly Step[]
  readonly seed: number
}
