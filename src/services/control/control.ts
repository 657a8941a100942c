// Control of a running system: pause, step, send events, fire timers, change time, inject faults.
import type { AnyActorRef, AnyEventObject } from 'xstate'
import { BreakWatch } from './break-watch.ts'
import { type BreakOn, type Breakpoint, Breakpoints } from './breakpoints.ts'
import type { SetTimer, ControlClock } from './control-clock.ts'
import { FaultInjector } from './fault-injector.ts'
import { NetworkCapture } from './network-capture.ts'
import type { ActiveFault } from './fault-kinds.ts'
import { Gate, type HoldReason } from './gate.ts'
import { type LivingActor, livingActors, ownNames, hasEnded } from './live-tree.ts'
import type { ControlPoint } from './control-point.ts'
import { type ActorNames, type Steered, withRelay } from '../runtime/index.ts'
import { SystemTime } from './system-time.ts'
import { Listeners, policyOf, type ActorKind } from '../../trace/index.ts'
import { type InnerRoot, isLeaf, logicOf } from '../recording/index.ts'
import type { Answer } from '../replay/index.ts'

/** An event that waits while the system is paused. */
export interface WaitingEvent {
  readonly number: number
  readonly kind: 'external' | 'leaf' | 'timer'
  readonly to: string
  readonly from: string | undefined
  readonly event: AnyEventObject
}

/** State of the control; the same object until something changes. */
export interface ControlState {
  /** Why the system is paused; undefined while it runs. */
  readonly hold: HoldReason | undefined
  readonly waiting: readonly WaitingEvent[]
  /** Number of arrivals that became obsolete while waiting: canceled timers, results of ended effects. */
  readonly stale: number
  readonly breakpoints: readonly Breakpoint[]
  readonly faults: readonly ActiveFault[]
  /** Speed as a factor of the real clock, and the milliseconds ahead of it. */
  readonly speed: number
  readonly ahead: number
}

/** A timer of a machine. */
export interface ArmedTimer {
  readonly number: number
  readonly actor: string
  readonly to: string
  readonly event: AnyEventObject
  readonly delay: number
  /** Remaining milliseconds at the speed of the system's clock. */
  readonly left: number
  /** The timer is due and waits until the system resumes. */
  readonly isDue: boolean
}

/** Controls one system. Manual actions bypass waiting events. */
export class Control {
  readonly faults: FaultInjector
  /** What requests and sockets carry, in memory while it is watched. */
  readonly network: NetworkCapture
  readonly time: SystemTime
  readonly #gate: Gate
  readonly #breakpoints = new Breakpoints()
  readonly #steered: Steered
  readonly #names: ActorNames
  readonly #watch: BreakWatch
  readonly #listeners = new Listeners()
  #state: ControlState | undefined

  /** Connects to the control point. Its system must be created, and may be running. */
  constructor(point: ControlPoint) {
    const { clock, steered } = point
    if (!steered) throw new Error('there is nothing to control yet: create the client first')
    const changed = () => this.#changed()
    this.#steered = steered
    this.#names = steered.actors ?? ownNames(steered.actor)
    this.#watch = new BreakWatch(this.#breakpoints, steered, this.#names)
    this.#gate = new Gate({
      before: arrival => this.#watch.before(arrival),
      after: arrival => this.#watch.after(arrival),
      changed: () => {
        this.time.hold(this.#gate.isHeld)
        changed()
      },
    })
    this.time = new SystemTime(clock, this.#gate, changed)
    this.faults = new FaultInjector(point, changed)
    putGate(steered.actor, this.#gate, clock)
    this.network = new NetworkCapture({
      inner: this.faults,
      now: () => steered.recording?.segments?.elapsed() ?? clock.now(),
      policy: policyOf(steered.recording?.trace.header.redaction ?? {}),
    })
    point.interceptor = this.network
    const to = steered.actor
    point.command = (event, run) => this.#gate.arrive({ kind: 'external', to, event, run })
  }

  readonly subscribe = this.#listeners.subscribe

  readonly state = (): ControlState =>
    (this.#state ??= {
      hold: this.#gate.reason,
      waiting: this.#gate.waiting.map(({ number, arrival: { kind, to, from, event } }) => ({
        number,
        kind,
        to: this.#pathOf(to) ?? '',
        from: this.#pathOf(from),
        event,
      })),
      stale: this.#gate.stale,
      breakpoints: this.#breakpoints.list(),
      faults: this.faults.list(),
      speed: this.time.speed,
      ahead: this.time.ahead,
    })

  /** Pauses the system and its clock. New events wait in order. */
  hold(): void {
    if (!this.#gate.isHeld) this.#gate.hold({ by: 'hand', text: 'Paused manually' })
  }

  /** Lets exactly one event through, with everything that it causes. Returns false if none waits. */
  step(): boolean {
    if (!this.#gate.isHeld) this.hold()
    return this.#gate.step()
  }

  /** Resumes the system, beginning with the waiting events. */
  release(): void {
    if (this.#gate.isHeld) this.#gate.release()
  }

  /** Sends an event to an actor, also while paused. Returns false if there is no such actor. */
  send(path: string, event: AnyEventObject): boolean {
    const ref = this.#names.find(path)
    if (ref) this.#gate.inside(() => ref.send(event))
    return ref !== undefined
  }

  /** Emits a result as an effect, as if it came from outside. Returns false if there is no such effect. */
  emitAs(path: string, answer: Answer): boolean {
    const ref = this.#names.find(path)
    return ref !== undefined && this.#gate.inside(() => emitAs(ref, this.#names.of(ref).kind, answer))
  }

  /** Returns the running actor with this path. */
  find(path: string): AnyActorRef | undefined {
    return this.#names.find(path)
  }

  /** Running actors, parents first. */
  actors(): LivingActor[] {
    return livingActors(this.#steered.actor, this.#names)
  }

  /** Active timers of machines, next one first. */
  timers(): ArmedTimer[] {
    return this.time.timers().flatMap(timer => this.#armedTimers(timer))
  }

  breakOn(where: BreakOn, from?: number): Breakpoint {
    if (where.on === 'assertion' && !this.#steered.recording)
      throw new Error('an assertion breakpoint needs a recording, and this system is not recorded')
    const breakpoint = this.#breakpoints.add(where, from)
    this.#watch.renew()
    this.#changed()
    return breakpoint
  }

  changeBreakpoint(id: number, change: Partial<Pick<Breakpoint, 'isOn' | 'from' | 'hits'>>): void {
    this.#breakpoints.change(id, change)
    this.#watch.renew()
    this.#changed()
  }

  removeBreakpoint(id: number): void {
    this.#breakpoints.remove(id)
    this.#watch.renew()
    this.#changed()
  }

  #pathOf(ref: AnyActorRef | undefined): string | undefined {
    return ref && this.#names.of(ref).path
  }

  #armedTimers({ number, delay, due, isDue, purpose }: SetTimer): ArmedTimer[] {
    if (!purpose) return []
    const { source, target, event } = purpose
    const left = Math.max(0, due - this.time.now())
    const [actor, to] = [this.#names.of(source).path, this.#names.of(target).path]
    return [{ number, actor, to, event, delay, left, isDue }]
  }

  #changed(): void {
    this.#state = undefined
    this.#listeners.notify()
  }
}

/** Returns false if the actor is no effect or cannot emit this result. */
function emitAs(ref: AnyActorRef, kind: ActorKind, answer: Answer): boolean {
  if (kind === 'machine') return false
  const { _relay: relay } = withRelay(ref.system)
  const answerEvent = kind === 'callback' ? undefined : eventOf(kind, answer)
  if (answerEvent) relay(ref, ref, answerEvent)
  else if (typeof answer === 'object' && 'type' in answer && ref._parent)
    relay(ref, ref._parent, answer as AnyEventObject)
  else return false
  return true
}

function eventOf(kind: ActorKind, answer: Answer): AnyEventObject | undefined {
  if (answer === 'completes')
    return kind === 'observable' ? { type: 'xstate.observable.complete' } : undefined
  if ('resolves' in answer) return { type: 'xstate.promise.resolve', data: answer.resolves as unknown }
  if ('rejects' in answer) return { type: 'xstate.promise.reject', data: answer.rejects as unknown }
  if ('next' in answer) return { type: 'xstate.observable.next', data: answer.next as unknown }
  if ('fails' in answer) return { type: 'xstate.observable.error', data: answer.fails as unknown }
  // A recorded result in XState's own form.
  return answer.type.startsWith(`xstate.${kind}.`) ? answer : undefined
}

/**
 * Puts the gate around a system, which may be running. Events that a machine sends within a step belong to
 * that step; only events from outside, from effects and from timers are queued.
 */
function putGate(root: AnyActorRef, gate: Gate, clock: ControlClock): void {
  const system = withRelay(root.system)
  const relay = system._relay
  system._relay = (from, to, event) => {
    const run = () => relay(from, to, event)
    if (gate.isInside) return run()
    const kind = from && isLeaf(logicOf(from)) ? 'leaf' : 'external'
    const isStale = () => hasEnded(to) || (from !== undefined && hasEnded(from))
    gate.arrive({ kind, to, from, event, run, isStale })
  }
  clock.gate = ({ number, purpose }, run) => {
    if (!purpose) return run()
    const { source: from, target: to, event } = purpose
    gate.arrive({ kind: 'timer', to, from, event, run, isStale: () => !clock.has(number) })
  }
  const inner = root as unknown as InnerRoot
  const { start, _stop: stop } = inner
  inner.start = () => gate.inside(() => start.call(root))
  // An ended system needs no waiting events, and its end is not delayed.
  inner._stop = () => {
    gate.clear()
    return gate.inside(() => stop.call(root))
  }
}
