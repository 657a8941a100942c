// Converts inspection events to steps, including the sender and the causing step of each event.
import type { ActorRefLike, AnyActorRef, AnyEventObject, InspectionEvent, Snapshot } from 'xstate'
import { type StateValue, type StepOutput, typeOf } from '../../trace/index.ts'
import { EventTracker, type Origin, type Work } from './event-tracker.ts'
import type { ActorRecord } from './actor-record.ts'
import { isRunning, logicOf } from './capture.ts'
import { isMachine } from './logic-kind.ts'
import type { Registry } from './actor-registry.ts'
import { withKeptInput } from './kept-event.ts'
import type { LiveStep } from './step.ts'
import { historyOf, withMicrostep } from './transitions-taken.ts'

/** Event type of the first steps when recording starts on a running system. */
const PRESENT = 'chartroom.present'

/** Follows a system through its inspection events. */
export class Viewer {
  /** Number of the next step. */
  next = 0
  /** While true, steps are tracked but not shown. */
  muted = false
  readonly #tracker = new EventTracker()
  readonly #shared = createStateValues()
  readonly #registry: Registry
  readonly #now: () => number
  readonly #show: (step: LiveStep) => void
  readonly #hasOutputs: boolean
  /** Events that started actors, as kept before the actor's code ran. */
  readonly #inits = new WeakMap<AnyEventObject, AnyEventObject>()
  /** Steps that ended since steps were last shown. */
  #ended: LiveStep[] = []

  /** Passes each finished step to `show`, with outputs unless they are left out. */
  constructor(registry: Registry, now: () => number, show: (step: LiveStep) => void, hasOutputs = true) {
    this.#registry = registry
    this.#now = now
    this.#show = show
    this.#hasOutputs = hasOutputs
  }

  /** Handles any inspection event. */
  readonly inspect = (event: InspectionEvent): void => {
    if (event.type === '@xstate.microstep') return this.#microstep(event)
    if (event.type === '@xstate.action') return this.#action(event)
    const ref = toRef(event.actorRef)
    // Events sent to another system cause no step in this one.
    if (!this.#registry.isOwn(ref)) return
    const known = this.#registry.of(ref)
    if (event.type === '@xstate.snapshot') {
      this.#complete(known, this.#tracker.take(known, event.event), event.event, event.snapshot)
    } else if (event.type === '@xstate.event') {
      const kept = withKeptInput(event.event)
      if (!Object.is(kept, event.event)) this.#inits.set(event.event, kept)
      this.sent(known, event.sourceRef && this.#registry.of(toRef(event.sourceRef)), event.event)
    }
  }

  /** Records an event that was sent. */
  sent(target: ActorRecord, source: ActorRecord | undefined, event: AnyEventObject): void {
    this.#tracker.sent(target, source, event)
  }

  /** Adds an output to the actor's current step. */
  addOutput(known: ActorRecord, output: StepOutput): void {
    if (!this.#hasOutputs || this.muted) return
    const work = this.#tracker.work(known)
    if (work.outputs) work.outputs.push(output)
    else work.outputs = [output]
  }

  /** XState reports an action just before it runs. */
  #action({ actorRef, action: { type, params } }: Action): void {
    if (!this.#hasOutputs || (type.startsWith('xstate.') && type !== 'xstate.log')) return
    const known = this.#registry.of(toRef(actorRef))
    if (type === 'xstate.log') {
      const { value, label } = params as unknown as { readonly value: unknown; readonly label?: string }
      return this.addOutput(known, { kind: 'log', ...(label !== undefined && { name: label }), value })
    }
    this.addOutput(known, {
      kind: 'action',
      ...(isNamed(toRef(actorRef), type) && { name: type }),
      ...(params !== undefined && { value: params }),
    })
  }

  /** Runs the effects of a stimulus. */
  during<T>(cause: number, origin: Origin, run: () => T): T {
    return this.#tracker.during(cause, origin, run)
  }

  /** Shows the steps since the last call, and errors that inspection does not report. */
  settle(root: ActorRecord): void {
    for (const known of this.#tracker.failed()) this.#settleFailed(known)
    this.#settleFailed(root)
    this.#showEnded()
  }

  #settleFailed(known: ActorRecord): void {
    const snapshot = snapshotOf(known)
    const { status, first } = this.#tracker.work(known)
    // An actor shown as ended can still fail: XState runs a final state's actions after its snapshot.
    if (snapshot?.status !== 'error' || (status !== undefined && status !== 'active')) return
    const event = first?.event ?? { type: 'xstate.init' }
    this.#complete(known, this.#tracker.take(known, event), event, snapshot)
  }

  /** Shows the current state of these actors, for the start of a recording on a running system. */
  present(actors: readonly ActorRecord[]): void {
    for (const known of actors) {
      const snapshot = snapshotOf(known)
      if (!snapshot) continue
      const work = this.#tracker.work(known)
      work.status = undefined
      // What led to this state is not part of the recording.
      work.outputs = undefined
      const step = this.#tracker.item(known, undefined, undefined, -1, undefined)
      this.#complete(known, step, { type: PRESENT }, snapshot)
    }
    this.#showEnded()
  }

  /** Tracks the current state of these actors without showing it. */
  remember(actors: readonly ActorRecord[]): void {
    for (const known of actors) {
      const snapshot = snapshotOf(known)
      if (!snapshot) continue
      const work = this.#tracker.work(known)
      work.status = undefined
      work.outputs = undefined
      this.#update(work, snapshot, this.#valueOf(snapshot), contextOf(snapshot))
    }
  }

  #microstep({ actorRef, snapshot, _transitions: transitions }: Microstep): void {
    // Absent in some versions of XState.
    if (!transitions?.length) return
    const work = this.#tracker.work(this.#registry.of(toRef(actorRef)))
    const before = work.middle ?? work.snapshot
    work.taken = withMicrostep(work.taken, transitions, () => historyOf(before))
    work.middle = snapshot
  }

  /** Stores an actor's state and returns whether it changed. */
  #update(work: Work, snapshot: Snapshot<unknown>, value: StateValue | undefined, context: unknown): boolean {
    const { status } = snapshot
    const changed =
      work.status !== status ||
      (status === 'active' &&
        // Machines create a new snapshot for every step, other logic only when something changed.
        (value === undefined
          ? work.snapshot !== snapshot
          : !sameState(work.value, value) || work.context !== context))
    work.status = status
    // The snapshot of an ended actor is not read again, and would keep everything it references alive.
    const isOver = status !== 'active'
    work.snapshot = isOver ? undefined : snapshot
    work.value = isOver ? undefined : value
    work.context = isOver ? undefined : context
    return changed
  }

  #valueOf(snapshot: Snapshot<unknown>): StateValue | undefined {
    return 'value' in snapshot ? this.#shared(snapshot.value as StateValue) : undefined
  }

  #complete(known: ActorRecord, step: LiveStep, event: AnyEventObject, snapshot: Snapshot<unknown>): void {
    const work = this.#tracker.work(known)
    const value = this.#valueOf(snapshot)
    const context = contextOf(snapshot)
    // An actor that was started again after its end stays stopped, and still processes events.
    const continues = work.status === 'stopped' || (typeOf(event) === PRESENT && isRunning(known.ref))
    step.changed = this.#update(work, snapshot, value, context)
    step.taken = work.taken
    step.outputs = work.outputs
    work.taken = work.middle = work.outputs = undefined
    if (!this.muted) {
      const { status, output, error } = snapshot
      step.event = this.#inits.get(event) ?? event
      step.status = status
      step.value = value
      step.context = context
      if (output !== undefined || error !== undefined) step.ending = { output, error }
      this.#ended.push(step)
    }
    if (snapshot.status === 'active' || continues) return
    work.first = undefined
    this.#registry.ended(known)
  }

  /**
   * Inspection reports a step after the steps it caused. Show steps in the order in which their events were
   * sent, so that causes precede effects.
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

/** Sorts by send order; nearly always there are few steps. */
function sortSteps(steps: LiveStep[]): void {
  if (steps.length > FEW) return void steps.sort((a, b) => a.order - b.order)
  for (let at = 1; at < steps.length; at++) {
    const step = steps[at] as LiveStep
    let to = at - 1
    for (; to >= 0 && (steps[to] as LiveStep).order > step.order; to--) steps[to + 1] = steps[to] as LiveStep
    steps[to + 1] = step
  }
}

const FEW = 16

type Action = Extract<InspectionEvent, { readonly type: '@xstate.action' }>

/** Whether this is the name of an implementation, and not of an inline function. */
function isNamed(ref: AnyActorRef, type: string): boolean {
  const logic = logicOf(ref)
  return isMachine(logic) && Object.hasOwn(logic.implementations.actions, type)
}

type Microstep = Extract<InspectionEvent, { readonly type: '@xstate.microstep' }>

/** Inspection types actors loosely; they are always real actors. */
function toRef(ref: ActorRefLike): AnyActorRef {
  return ref as AnyActorRef
}

function contextOf(snapshot: Snapshot<unknown>): unknown {
  return 'context' in snapshot ? snapshot.context : undefined
}

function snapshotOf({ ref }: ActorRecord): Snapshot<unknown> | undefined {
  return ref?.getSnapshot() as Snapshot<unknown> | undefined
}

/** Values with the same prefix. */
interface Branch {
  value: StateValue | undefined
  readonly more: Map<unknown, Branch>
}

/** Beyond this many different values, as in large parallel machines, values are not shared. */
const MOST = 2000

/** Returns the shared instance of equal values. */
export function createStateValues(): (value: StateValue) => StateValue {
  const root: Branch = { value: undefined, more: new Map() }
  let count = 0
  const onward = (from: Branch, step: unknown): Branch => {
    const known = from.more.get(step)
    if (known) return known
    const branch = { value: undefined, more: new Map() }
    from.more.set(step, branch)
    count += 1
    return branch
  }
  const shared = (value: StateValue): StateValue => {
    if (typeof value === 'string' || count > MOST) return value
    let at = root
    for (const key in value) {
      const item = value[key]
      at = onward(onward(at, key), item === undefined ? item : shared(item))
    }
    return (at.value ??= value)
  }
  return shared
}

/** Whether two values are equal. Shared values are compared by identity first. */
export function sameState(a: StateValue | undefined, b: StateValue | undefined): boolean {
  if (a === b || typeof a !== 'object' || typeof b !== 'object') return a === b
  const keys = Object.keys(a)
  return keys.length === Object.keys(b).length && keys.every(key => sameState(a[key], b[key]))
}
