// The viewer: turns inspection events into views, with who sent what and in the course of which step.
import type { ActorRefLike, AnyActorRef, AnyEventObject, InspectionEvent, Snapshot } from 'xstate'
import type { StateValue } from '../../trace/format.ts'
import { Desk } from './actor-desk.ts'
import type { Origin, Work } from './actor-desk.ts'
import type { Known, Registry } from './actor-registry.ts'
import { createStateValues, sameState } from './state-values.ts'
import type { Step } from './step.ts'
import { historyOf, withMicrostep } from './taken.ts'

/** Event of the views with which a recording on a running system begins. */
const PRESENT = 'chartroom.present'

/** Follows a system through its inspection events. */
export class Viewer {
  /** Number of the next view. */
  next = 0
  /** While true, steps are taken note of but not shown. */
  muted = false
  readonly #desk = new Desk()
  readonly #shared = createStateValues()
  readonly #registry: Registry
  readonly #now: () => number
  readonly #show: (step: Step) => void
  /** Steps that ended since the last time that views were shown. */
  #ended: Step[] = []

  /** Hands its views to `show`. */
  constructor(registry: Registry, now: () => number, show: (step: Step) => void) {
    this.#registry = registry
    this.#now = now
    this.#show = show
  }

  /** Takes any inspection event. */
  readonly inspect = (event: InspectionEvent): void => {
    if (event.type === '@xstate.microstep') return this.#microstep(event)
    // It tells of actions too.
    if (event.type === '@xstate.action') return
    const ref = toRef(event.actorRef)
    // No step follows here from what is sent to another system.
    if (!this.#registry.isOwn(ref)) return
    const known = this.#registry.of(ref)
    if (event.type === '@xstate.snapshot') {
      this.#complete(known, this.#desk.take(known, event.event), event.event, event.snapshot)
    } else if (event.type === '@xstate.event') {
      this.sent(known, event.sourceRef && this.#registry.of(toRef(event.sourceRef)), event.event)
    }
  }

  /** Takes note of an event on its way. */
  sent(target: Known, source: Known | undefined, event: AnyEventObject): void {
    this.#desk.sent(target, source, event)
  }

  /** Runs what a stimulus does. */
  during<T>(cause: number, origin: Origin, run: () => T): T {
    return this.#desk.during(cause, origin, run)
  }

  /** Shows what happened since the last time, and the errors of which inspection is silent. */
  settle(root: Known): void {
    for (const known of this.#desk.failed()) this.#settleFailed(known)
    this.#settleFailed(root)
    this.#showEnded()
  }

  #settleFailed(known: Known): void {
    const snapshot = snapshotOf(known)
    const { status, first } = this.#desk.work(known)
    // Whoever was shown to have ended may fail all the same: XState runs a final state's actions after its snapshot.
    if (snapshot?.status !== 'error' || (status !== undefined && status !== 'active')) return
    const event = first?.event ?? { type: 'xstate.init' }
    this.#complete(known, this.#desk.take(known, event), event, snapshot)
  }

  /** Shows these actors as they are, for the beginning of a recording on a running system. */
  present(actors: readonly Known[]): void {
    for (const known of actors) {
      const snapshot = snapshotOf(known)
      if (!snapshot) continue
      this.#desk.work(known).status = undefined
      const step = this.#desk.item(known, undefined, undefined, -1, undefined)
      this.#complete(known, step, { type: PRESENT }, snapshot)
    }
    this.#showEnded()
  }

  /** Takes note of these actors as they are, without showing them. */
  remember(actors: readonly Known[]): void {
    for (const known of actors) {
      const snapshot = snapshotOf(known)
      if (!snapshot) continue
      const work = this.#desk.work(known)
      work.status = undefined
      this.#update(work, snapshot, this.#valueOf(snapshot), contextOf(snapshot))
    }
  }

  #microstep({ actorRef, snapshot, _transitions: transitions }: Microstep): void {
    // Also absent in other versions of XState.
    if (!transitions?.length) return
    const work = this.#desk.work(this.#registry.of(toRef(actorRef)))
    const before = work.middle ?? work.snapshot
    work.taken = withMicrostep(work.taken, transitions, () => historyOf(before))
    work.middle = snapshot
  }

  /** Takes note of an actor's state; whether it is another one than before. */
  #update(work: Work, snapshot: Snapshot<unknown>, value: StateValue | undefined, context: unknown): boolean {
    const { status } = snapshot
    const changed =
      work.status !== status ||
      (status === 'active' &&
        // Machines make a new snapshot at every step, others only when something happened.
        (value === undefined
          ? work.snapshot !== snapshot
          : !sameState(work.value, value) || work.context !== context))
    work.status = status
    // Of an actor that has ended nobody asks, and it would keep alive all that it knew.
    const isOver = status !== 'active'
    work.snapshot = isOver ? undefined : snapshot
    work.value = isOver ? undefined : value
    work.context = isOver ? undefined : context
    return changed
  }

  #valueOf(snapshot: Snapshot<unknown>): StateValue | undefined {
    return 'value' in snapshot ? this.#shared(snapshot.value as StateValue) : undefined
  }

  #complete(known: Known, step: Step, event: AnyEventObject, snapshot: Snapshot<unknown>): void {
    const work = this.#desk.work(known)
    const value = this.#valueOf(snapshot)
    const context = contextOf(snapshot)
    step.changed = this.#update(work, snapshot, value, context)
    step.taken = work.taken
    work.taken = work.middle = undefined
    if (!this.muted) {
      const { status, output, error } = snapshot
      step.event = event
      step.status = status
      step.value = value
      step.context = context
      if (output !== undefined || error !== undefined) step.ending = { output, error }
      this.#ended.push(step)
    }
    if (snapshot.status === 'active') return
    work.first = undefined
    this.#registry.ended(known)
  }

  /**
   * Inspection tells of a step after those that it set off. They are shown in the order in which their events
   * were sent, so that a cause stands before its effects.
   */
  #showEnded(): void {
    const ended = this.#ended
    if (ended.length === 0) return
    if (ended.length > 1) sortSteps(ended)
    this.#ended = []
    const t = this.#now()
    for (const step of ended) {
      step.seq = this.next++
      step.t = t
      this.#show(step)
    }
  }
}

/** Sorts by order of sending; nearly always these are few. */
function sortSteps(steps: Step[]): void {
  if (steps.length > FEW) return void steps.sort((a, b) => a.order - b.order)
  for (let at = 1; at < steps.length; at++) {
    const step = steps[at] as Step
    let to = at - 1
    for (; to >= 0 && (steps[to] as Step).order > step.order; to--) steps[to + 1] = steps[to] as Step
    steps[to + 1] = step
  }
}

const FEW = 16

type Microstep = Extract<InspectionEvent, { readonly type: '@xstate.microstep' }>

/** Inspection types its actors loosely; they are always real ones. */
function toRef(ref: ActorRefLike): AnyActorRef {
  return ref as AnyActorRef
}

function contextOf(snapshot: Snapshot<unknown>): unknown {
  return 'context' in snapshot ? snapshot.context : undefined
}

function snapshotOf({ ref }: Known): Snapshot<unknown> | undefined {
  return ref?.getSnapshot() as Snapshot<unknown> | undefined
}
