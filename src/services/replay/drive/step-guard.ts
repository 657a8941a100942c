// Aborts endless steps, which a changed machine may cause.
import type { InspectionEvent } from 'xstate'

/** Maximum inspection events in one step, and maximum consecutive microsteps of one actor. */
const MOST_EVENTS = 200_000
const MOST_MICROSTEPS = 5_000

/** Reported for a stimulus that could not be placed. */
export const ENDLESS = 'its step does not end'

/** Monitors one step at a time. */
export class StepGuard {
  /** Whether a step was aborted. Nothing after that is reliable. */
  isBroken = false
  #events = 0
  #microsteps = 0
  #actor: unknown

  /** Begins a step. */
  begin(): void {
    this.#events = 0
    this.#microsteps = 0
  }

  /** XState inspector that throws when a limit is exceeded, which ends the endless actor. */
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
