// The control of a running system: hold it and let it go step by step, send, fire timers, bend time, break the line.
import type { AnyActorRef, AnyEventObject } from 'xstate'
import { BreakWatch } from './break-watch.ts'
import { Breakpoints } from './breakpoints.ts'
import type { Breakpoint, BreakOn } from './breakpoints.ts'
import type { SetTimer } from './control-clock.ts'
import { FaultDesk } from './fault-desk.ts'
import type { ActiveFault } from './fault-kinds.ts'
import { Gate } from './gate.ts'
import type { HoldReason } from './gate.ts'
import { putGate } from './held-system.ts'
import { livingActors, ownNames } from './live-tree.ts'
import type { LivingActor } from './live-tree.ts'
import type { Seat } from './seat.ts'
import type { ActorNames } from '../recording/actor-registry.ts'
import type { Steered } from './steered.ts'
import { saySomething } from './say.ts'
import type { Answer } from './say.ts'
import { SystemTime } from './system-time.ts'

/** Something that waits while the system is held. */
export interface WaitingEvent {
  readonly number: number
  readonly kind: 'external' | 'leaf' | 'timer'
  readonly to: string
  readonly from: string | undefined
  readonly event: AnyEventObject
}

/** How a system is being driven; the same object until something changes. */
export interface ControlState {
  /** Why the system is held; nothing while it runs. */
  readonly hold: HoldReason | undefined
  readonly waiting: readonly WaitingEvent[]
  /** How many came to nothing while they waited: cancelled timers, words of effects that had ended. */
  readonly stale: number
  readonly breakpoints: readonly Breakpoint[]
  readonly faults: readonly ActiveFault[]
  /** How many times as fast as the real clock time passes, and by how many milliseconds it is ahead of it. */
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
  /** Milliseconds that are left, at the speed of the system's clock. */
  readonly left: number
  /** Its time has come, and it waits for the system to be let go. */
  readonly isDue: boolean
}

/** Drives one system. What is done by hand goes past whatever waits. */
export class Control {
  readonly faults: FaultDesk
  readonly time: SystemTime
  readonly #gate: Gate
  readonly #breakpoints = new Breakpoints()
  readonly #steered: Steered
  readonly #names: ActorNames
  readonly #watch: BreakWatch
  readonly #listeners = new Set<() => void>()
  #state: ControlState | undefined

  /** Takes the seat, whose system must have been made; it may run already. */
  constructor(seat: Seat) {
    const { clock, steered } = seat
    if (!steered) throw new Error('there is nothing to control yet: make the client first')
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
    this.faults = new FaultDesk(seat, changed)
    putGate(steered.actor, this.#gate, clock)
    seat.meddler = this.faults
    const to = steered.actor
    seat.command = (event, run) => this.#gate.arrive({ kind: 'external', to, event, run })
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

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

  /** From now on nothing enters the system, and its clock stands; what comes waits in its order. */
  hold(): void {
    if (!this.#gate.isHeld) this.#gate.hold({ by: 'hand', text: 'Held by hand' })
  }

  /** Lets exactly one through, with all that it sets off; false when none waits. */
  step(): boolean {
    if (!this.#gate.isHeld) this.hold()
    return this.#gate.step()
  }

  /** Lets the system go, after those that waited. */
  release(): void {
    if (this.#gate.isHeld) this.#gate.release()
  }

  /** Sends an event to an actor, also while the system is held; false when there is no such actor. */
  send(path: string, event: AnyEventObject): boolean {
    const ref = this.#names.find(path)
    if (ref) this.#gate.inside(() => ref.send(event))
    return ref !== undefined
  }

  /** Has an effect say something, as if it had come from the world; false when there is no such effect. */
  say(path: string, answer: Answer): boolean {
    const ref = this.#names.find(path)
    return ref !== undefined && this.#gate.inside(() => saySomething(ref, this.#names.of(ref).kind, answer))
  }

  /** The actor of this path while it lives. */
  find(path: string): AnyActorRef | undefined {
    return this.#names.find(path)
  }

  /** The actors that live, parents first. */
  actors(): LivingActor[] {
    return livingActors(this.#steered.actor, this.#names)
  }

  /** The timers of machines that are set, the next one first. */
  timers(): ArmedTimer[] {
    return this.time.timers().flatMap(timer => this.#armed(timer))
  }

  breakOn(where: BreakOn, from?: number): Breakpoint {
    if (where.on === 'assertion' && !this.#steered.recording)
      throw new Error('an assertion is held against a recording, and this system is not recorded')
    const made = this.#breakpoints.add(where, from)
    this.#watch.renew()
    this.#changed()
    return made
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

  #armed({ number, delay, due, isDue, purpose }: SetTimer): ArmedTimer[] {
    if (!purpose) return []
    const { source, target, event } = purpose
    const left = Math.max(0, due - this.time.now())
    const [actor, to] = [this.#names.of(source).path, this.#names.of(target).path]
    return [{ number, actor, to, event, delay, left, isDue }]
  }

  #changed(): void {
    this.#state = undefined
    for (const listener of this.#listeners) listener()
  }
}
