// The viewer: turns inspection events into views, with who sent what and in the course of which step.
import type { ActorRefLike, AnyActorRef, AnyEventObject, InspectionEvent, Snapshot } from 'xstate'
import type { StateValue, ViewRecord } from '../trace/format.ts'
import { createDesk, sentItem } from './actor-desk.ts'
import type { Origin, Sent, Shown } from './actor-desk.ts'
import type { Known, Registry } from './actor-registry.ts'

/** A view before it is made plain: values are held by reference, actors by their entries. */
export interface RawView {
  readonly line: 'view'
  readonly seq: number
  readonly t: number
  readonly actor: Known
  readonly event: AnyEventObject
  readonly from: Known | undefined
  readonly cause: number
  by: number | undefined
  readonly status: ViewRecord['status']
  readonly value: StateValue | undefined
  readonly context: unknown
  readonly output: unknown
  readonly error: unknown
  readonly changed: boolean
}

export interface Viewer {
  /** Takes any inspection event. */
  inspect(event: InspectionEvent): void
  /** Runs what a stimulus does. */
  during<T>(cause: number, origin: Origin, run: () => T): T
  /** Shows the errors of which inspection is silent; to be called after each step. */
  settle(root: Known): void
  /** Shows these actors as they are, for the beginning of a recording on a running system. */
  present(actors: readonly Known[]): void
  /** Number of the next view. */
  next: number
  /** While true, steps are taken note of but not shown. */
  muted: boolean
}

/** Event of the views with which a recording on a running system begins. */
const PRESENT = 'chartroom.present'

/** Creates a viewer that hands its views to `show`. */
export function createViewer(registry: Registry, now: () => number, show: (view: RawView) => void): Viewer {
  const desk = createDesk()
  const viewer: Viewer = {
    next: 0,
    muted: false,
    during: desk.during,
    inspect(event) {
      const known = registry.of(toRef(event.actorRef))
      if (event.type === '@xstate.snapshot')
        complete(known, desk.take(known, event.event), event.event, event.snapshot)
      else if (event.type === '@xstate.event') {
        desk.sent(known, event.sourceRef && registry.of(toRef(event.sourceRef)), event.event)
      }
    },
    settle(root) {
      for (const known of desk.failed(root)) {
        const snapshot = known.ref?.getSnapshot() as Snapshot<unknown> | undefined
        if (snapshot?.status !== 'error' || desk.work(known).last?.status === 'error') continue
        const event = desk.work(known).pending[0]?.event ?? { type: 'xstate.init' }
        complete(known, desk.take(known, event), event, snapshot)
      }
    },
    present(actors) {
      for (const known of actors) {
        const snapshot = known.ref?.getSnapshot() as Snapshot<unknown> | undefined
        if (!snapshot) continue
        desk.work(known).last = undefined
        complete(known, sentItem(undefined, undefined, -1, undefined), { type: PRESENT }, snapshot)
      }
    },
  }
  const complete = (known: Known, sent: Sent, event: AnyEventObject, snapshot: Snapshot<unknown>) => {
    const work = desk.work(known)
    const next = toShown(snapshot, work.last)
    const changed = hasChanged(work.last, next)
    work.last = next
    if (!viewer.muted) {
      sent.seq = viewer.next++
      const { value, context } = next
      const { status, output, error } = snapshot
      const { from, cause } = sent
      const outcome = { status, value, context, output, error, changed }
      const by = sent.by?.seq
      const view: RawView = {
        line: 'view',
        seq: sent.seq,
        t: now(),
        actor: known,
        event,
        from,
        cause,
        by,
        ...outcome,
      }
      if (by === undefined) sent.by?.waiting.push(view)
      for (const waiting of sent.waiting) waiting.by = sent.seq
      show(view)
    }
    if (snapshot.status === 'active') return
    work.pending.length = 0
    registry.ended(known)
  }
  return viewer
}

/** Inspection types its actors loosely; they are always real ones. */
function toRef(ref: ActorRefLike): AnyActorRef {
  return ref as AnyActorRef
}

function toShown(snapshot: Snapshot<unknown>, last: Shown | undefined): Shown {
  const { status } = snapshot
  const value = 'value' in snapshot ? (snapshot.value as StateValue) : undefined
  const context = 'context' in snapshot ? snapshot.context : undefined
  const kept = last && value !== undefined && sameState(last.value, value) ? last.value : value
  return { snapshot, status, value: kept, context }
}

/** Machines make a new snapshot at every step, others only when something happened. */
function hasChanged(last: Shown | undefined, next: Shown): boolean {
  if (!last || last.status !== next.status) return true
  if (next.value === undefined) return last.snapshot !== next.snapshot
  return last.value !== next.value || last.context !== next.context
}

function sameState(a: StateValue | undefined, b: StateValue | undefined): boolean {
  if (typeof a !== 'object' || typeof b !== 'object') return a === b
  const keys = Object.keys(a)
  return keys.length === Object.keys(b).length && keys.every(key => sameState(a[key], b[key]))
}
