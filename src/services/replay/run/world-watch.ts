// Notes what machine code reads from the platform in a replay whose recording did not tape it.
import type { AnyActorRef, InspectionEvent } from 'xstate'

/** Names of the values, with the step in which each was first read. */
export type Readings = ReadonlyMap<string, string>

/** Collects the readings of one replay. */
export class WorldWatch {
  readonly readings = new Map<string, string>()
  #step = 'the system was made'

  /** For the replay's inspector. */
  readonly inspect = (event: InspectionEvent): void => {
    if (event.type === '@xstate.event')
      this.#step = `${(event.actorRef as AnyActorRef).id} took ${event.event.type}`
  }

  readonly onRead = (name: string): void => {
    if (!this.readings.has(name)) this.readings.set(name, this.#step)
  }
}
