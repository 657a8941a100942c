// Direct inspection: XState copies each inspection event for its observers; a single observer can receive the
// original.
import type { AnyActorRef, InspectionEvent, Observer } from 'xstate'
import { messageOf } from '../../trace/index.ts'

/** The part of XState's system that is missing in its types (5.33). */
interface InspectedSystem {
  _sendInspectionEvent: (event: InspectionEvent) => void
  inspect: AnyActorRef['system']['inspect']
}

/**
 * Passes inspection events directly to `hear`, which already observes the system, until another inspector is
 * added. These events lack the id of their root.
 */
export function inspectDirectly(
  { system }: AnyActorRef,
  onInspection: (event: InspectionEvent) => void,
  report: (message: string) => void,
): void {
  const inspected = system as unknown as InspectedSystem
  const { _sendInspectionEvent: send, inspect } = inspected
  inspected._sendInspectionEvent = onInspection
  inspected.inspect = observer => {
    inspected._sendInspectionEvent = send
    return inspect(watchedInspector(observer, report))
  }
}

type Inspector = Observer<InspectionEvent> | ((event: InspectionEvent) => void)

/** Wraps an app's inspector and reports when it throws: that aborts a step, which no replay can repeat. */
export function watchedInspector(
  inspector: Inspector,
  report: (message: string) => void,
): (event: InspectionEvent) => void {
  const next = typeof inspector === 'function' ? inspector : inspector.next?.bind(inspector)
  return event => {
    try {
      next?.(event)
    } catch (error) {
      report(`an inspector threw, which cannot be replayed: ${messageOf(error)}`)
      throw error
    }
  }
}
