// Inspection without detours: XState copies each inspection event for its observers; one alone can have it as it is.
import type { AnyActorRef, InspectionEvent } from 'xstate'

/** The part of XState's system that is not in its types (5.33). */
interface InspectedSystem {
  _sendInspectionEvent: (event: InspectionEvent) => void
  inspect: AnyActorRef['system']['inspect']
}

/**
 * Tells `hear`, which is an observer of the system already, of its inspection events directly, until somebody else
 * wants to be told as well. An event comes without the id of its root then.
 */
export function inspectDirectly({ system }: AnyActorRef, hear: (event: InspectionEvent) => void): void {
  const inspected = system as unknown as InspectedSystem
  const { _sendInspectionEvent: send, inspect } = inspected
  inspected._sendInspectionEvent = hear
  inspected.inspect = observer => {
    inspected._sendInspectionEvent = send
    return inspect(observer)
  }
}
