// Breaks off a step that does not come to an end, as a changed machine may take one.
import type { InspectionEvent } from 'xstate'

/** What XState tells of in the longest step that is believed to end, and how often one actor moves on in it by itself. */
const MOST_EVENTS = 200_000
const MOST_MICROSTEPS = 5_000

/** Why a stimulus found no place. */
export const ENDLESS = 'the step that it set off does not come to an end'

/** Watches one step after the other. */
export class StepGuard {
  /** Whether a step was broken off: nothing that follows can be believed. */
  isBroken = false
  #events = 0
  #microsteps = 0
  #actor: unknown

  /** A step begins. */
  begin(): void {
    this.#events = 0
    this.#microsteps = 0
  }

  /** For XState: throws when it is too much, which ends the actor that does not end. */
  readonly inspect = ({ type, actorRef }: InspectionEvent): void => {
    this.#events += 1
    if (type === '@xstate.microstep') {
      this.#microsteps = this.#actor === actorRef ? this.#microsteps + 1 : 1
      this.#actor = actorRef
    }
    this.isBroken ||= this.#events > MOST_EVENTS || this.#microsteps > MOST_MICROSTEPS
    if (this.isBroken) throw new Error(ENDLESS)
  }
}
