// Inspection without detours: XState copies each inspection event for its observers; one alone can have it as it is.
import type { AnyActorRef, InspectionEvent, Observer } from 'xstate'
import { messageOf } from '../../trace/values.ts'

/** The part of XState's system that is not in its types (5.33). */
interface InspectedSystem {
  _sendInspectionEvent: (event: InspectionEvent) => void
  inspect: AnyActorRef['system']['inspect']
}

/**
 * Tells `hear`, which is an observer of the system already, of its inspection events directly, until somebody else
 * wants to be told as well. An event comes without the id of its root then.
 */
export function inspectDirectly(
  { system }: AnyActorRef,
  hear: (event: InspectionEvent) => void,
  report: (message: string) => void,
): void {
  const inspected = system as unknown as InspectedSystem
  const { _sendInspectionEvent: send, inspect } = inspected
  inspected._sendInspectionEvent = hear
  inspected.inspect = observer => {
    inspected._sendInspectionEvent = send
    return inspect(watchedInspector(observer, report))
  }
}

type Inspector = Observer<InspectionEvent> | ((event: InspectionEvent) => void)

/** An inspector of the app that reports when it throws: that breaks off a step, and no replay repeats it. */
export function watchedInspector(
  inspector: Inspector,
  report: (message: string) => void,
): (event: InspectionEvent) => void {
  const next = typeof inspector === 'function' ? inspector : inspector.next?.bind(inspector)
  return event => {
    try {
      next?.(event)
    } catch (error) {
      report(`an inspector threw, which a replay cannot repeat: ${messageOf(error)}`)
      throw error
    }
  }
}
