// The viewer: turns inspection events into views, with who sent what and in the course of which step.
import type { ActorRefLike, AnyActorRef, AnyEventObject, InspectionEvent, Snapshot } from 'xstate'
import type { StateValue, ViewRecord } from '../../trace/format.ts'
import { Desk } from './actor-desk.ts'
import type { Origin, Sent, Shown } from './actor-desk.ts'
import type { Known, Registry } from './actor-registry.ts'
import { historyOf, withMicrostep } from './taken.ts'
import type { Taken } from './taken.ts'

/** A view before it is made plain: values are held by reference, actors by their entries. */
export interface RawView {
  readonly line: 'view'
  readonly seq: number
  readonly t: number
  readonly actor: Known
  readonly event: AnyEventObject
  readonly from: Known | undefined
  readonly cause: number
  readonly by: number | undefined
  readonly status: ViewRecord['status']
  readonly value: StateValue | undefined
  readonly context: unknown
  readonly output: unknown
  readonly error: unknown
  readonly changed: boolean
  readonly taken: Taken | undefined
}

/** Event of the views with which a recording on a running system begins. */
const PRESENT = 'chartroom.present'

/** Follows a system through its inspection events. */
export class Viewer {
  /** Number of the next view. */
  next = 0
  /** While true, steps are taken note of but not shown. */
  muted = false
  readonly #desk = new Desk()
  readonly #registry: Registry
  readonly #now: () => number
  readonly #show: (view: RawView) => void
  /** Steps that ended since the last time that views were shown. */
  #ended: Ended[] = []

  /** Hands its views to `show`. */
  constructor(registry: Registry, now: () => number, show: (view: RawView) => void) {
    this.#registry = registry
    this.#now = now
    this.#show = show
  }

  /** Takes any inspection event. */
  readonly inspect = (event: InspectionEvent): void => {
    if (event.type === '@xstate.microstep') return this.#microstep(event)
    const known = this.#registry.of(toRef(event.actorRef))
    if (event.type === '@xstate.snapshot') {
      this.#complete(known, this.#desk.take(known, event.event), event.event, event.snapshot)
    } else if (event.type === '@xstate.event') {
      this.#desk.sent(known, event.sourceRef && this.#registry.of(toRef(event.sourceRef)), event.event)
    }
  }

  /** Runs what a stimulus does. */
  during<T>(cause: number, origin: Origin, run: () => T): T {
    return this.#desk.during(cause, origin, run)
  }

  /** Shows what happened since the last time, and the errors of which inspection is silent. */
  settle(root: Known): void {
    for (const known of this.#desk.failed(root)) {
      const snapshot = known.ref?.getSnapshot() as Snapshot<unknown> | undefined
      const { last, pending } = this.#desk.work(known)
      if (snapshot?.status !== 'error' || (last && last.status !== 'active')) continue
      const event = pending[0]?.event ?? { type: 'xstate.init' }
      this.#complete(known, this.#desk.take(known, event), event, snapshot)
    }
    this.#showEnded()
  }

  /** Shows these actors as they are, for the beginning of a recording on a running system. */
  present(actors: readonly Known[]): void {
    for (const known of actors) {
      const snapshot = known.ref?.getSnapshot() as Snapshot<unknown> | undefined
      if (!snapshot) continue
      this.#desk.work(known).last = undefined
      this.#complete(known, this.#desk.item(undefined, undefined, -1, undefined), { type: PRESENT }, snapshot)
    }
    this.#showEnded()
  }

  /** Takes note of these actors as they are, without showing them. */
  remember(actors: readonly Known[]): void {
    for (const known of actors) {
      const snapshot = known.ref?.getSnapshot() as Snapshot<unknown> | undefined
      if (snapshot) this.#desk.work(known).last = toShown(snapshot, undefined)
    }
  }

  #microstep({ actorRef, snapshot, _transitions: transitions }: Microstep): void {
    // Also absent in other versions of XState.
    if (!transitions?.length) return
    const work = this.#desk.work(this.#registry.of(toRef(actorRef)))
    const before = work.middle ?? work.last?.snapshot
    work.taken = withMicrostep(work.taken, transitions, () => historyOf(before))
    work.middle = snapshot
  }

  #complete(known: Known, sent: Sent, event: AnyEventObject, snapshot: Snapshot<unknown>): void {
    const work = this.#desk.work(known)
    const before = work.last
    const after = toShown(snapshot, before)
    work.last = after
    const { taken } = work
    work.taken = work.middle = undefined
    if (!this.muted) {
      const { value, context } = after
      const { status, output, error } = snapshot
      const changed = hasChanged(before, after)
      const outcome = { status, value, context, output, error, changed, taken }
      this.#ended.push({ sent, actor: known, event, outcome })
    }
    if (snapshot.status === 'active') return
    work.pending.length = 0
    this.#registry.ended(known)
  }

  /**
   * Inspection tells of a step after those that it set off. They are shown in the order in which their events
   * were sent, so that a cause stands before its effects.
   */
  #showEnded(): void {
    const ended = this.#ended.sort((a, b) => a.sent.order - b.sent.order)
    this.#ended = []
    const t = this.#now()
    for (const { sent, outcome, ...step } of ended) {
      sent.seq = this.next++
      const { from, cause, by } = sent
      this.#show({ line: 'view', seq: sent.seq, t, ...step, from, cause, by: by?.seq, ...outcome })
    }
  }
}

/** A step that ended and is not shown yet. */
interface Ended extends Pick<RawView, 'actor' | 'event'> {
  readonly sent: Sent
  readonly outcome: Outcome
}

type Outcome = Pick<RawView, 'status' | 'value' | 'context' | 'output' | 'error' | 'changed' | 'taken'>

type Microstep = Extract<InspectionEvent, { readonly type: '@xstate.microstep' }>

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
