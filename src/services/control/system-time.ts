// The time of a system: paused, scaled, stepped from deadline to deadline, and synchronized with real time.
import type { ControlClock, SetTimer } from './control-clock.ts'
import type { Gate } from './gate.ts'

/** The part of XState's system that is missing in its types (5.33). */
interface SchedulingSystem {
  readonly _snapshot: { _scheduledEvents: Readonly<Record<string, Scheduled>> }
}
interface Scheduled {
  readonly source: unknown
  readonly target: unknown
  readonly event: unknown
  readonly id: string
}

/** The time of a system; it stops while the system is paused. */
export class SystemTime {
  readonly #clock: ControlClock
  readonly #gate: Gate
  readonly #changed: () => void
  /** The configured speed while the system is not paused. */
  #speed = 1
  #isHeld = false
  #catchesUp = false

  constructor(clock: ControlClock, gate: Gate, changed: () => void) {
    this.#clock = clock
    this.#gate = gate
    this.#changed = changed
  }

  get speed(): number {
    return this.#speed
  }

  /** Milliseconds ahead of the real clock. */
  get ahead(): number {
    return Math.round(this.#clock.ahead)
  }

  now(): number {
    return this.#clock.now()
  }

  timers(): SetTimer[] {
    return this.#clock.timers()
  }

  /** @param speed factor of the real clock's speed; 0 is paused */
  setSpeed(speed: number): void {
    this.#speed = speed
    this.#catchesUp = false
    this.#follow()
  }

  /** Returns to real speed and, if behind, catches up; timers that came due in the meantime fire now. */
  toReal(): void {
    this.#speed = 1
    this.#catchesUp = true
    this.#follow()
  }

  /** Advances to the next deadline. Returns false if no timer is set. */
  toNextDeadline(): boolean {
    const deadline = this.#gate.inside(() => this.#clock.toNextDeadline())
    this.#changed()
    return deadline
  }

  /** Fires a timer now. Returns false if it is no longer set. */
  fire(number: number): boolean {
    const isFired = this.#gate.inside(() => this.#clock.fire(number))
    this.#changed()
    return isFired
  }

  /** Cancels a timer, as its machine could. Returns false if it is no longer set. */
  skip(number: number): boolean {
    const purpose = this.#clock.timers().find(timer => timer.number === number)?.purpose
    if (!purpose) return false
    const { source, target, event } = purpose
    const system = source.system as unknown as SchedulingSystem
    const set = Object.values(system._snapshot._scheduledEvents)
    const found = set.find(one => one.source === source && one.target === target && one.event === event)
    if (found) source.system.scheduler.cancel(source, found.id)
    else this.#clock.clearTimeout(number)
    this.#changed()
    return true
  }

  /** Called when the system is paused or resumed. */
  hold(isHeld: boolean): void {
    if (isHeld === this.#isHeld) return
    this.#isHeld = isHeld
    this.#follow()
  }

  #follow(): void {
    this.#clock.setSpeed(this.#isHeld ? 0 : this.#speed)
    if (!this.#isHeld && this.#catchesUp) {
      this.#catchesUp = false
      this.#clock.toReal()
    }
    this.#changed()
  }
}
