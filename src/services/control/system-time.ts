// The time of a system: paused, hurried, stepped from deadline to deadline, and led back to the real one.
import type { ControlClock, SetTimer } from './control-clock.ts'
import type { Gate } from './gate.ts'

/** The part of XState's system that is not in its types (5.33). */
interface SchedulingSystem {
  readonly _snapshot: { _scheduledEvents: Readonly<Record<string, Scheduled>> }
}
interface Scheduled {
  readonly source: unknown
  readonly target: unknown
  readonly event: unknown
  readonly id: string
}

/** Time as a system has it; while the system is held, it stands. */
export class SystemTime {
  readonly #clock: ControlClock
  readonly #gate: Gate
  readonly #changed: () => void
  /** What it is set to while the system is not held. */
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

  /** Milliseconds that it is ahead of the real clock. */
  get ahead(): number {
    return Math.round(this.#clock.ahead)
  }

  now(): number {
    return this.#clock.now()
  }

  timers(): SetTimer[] {
    return this.#clock.timers()
  }

  /** @param speed times as fast as the real clock; 0 stands still */
  setSpeed(speed: number): void {
    this.#speed = speed
    this.#catchesUp = false
    this.#follow()
  }

  /** As fast as the real clock and, when behind, as late; what was due meanwhile is due now. */
  toReal(): void {
    this.#speed = 1
    this.#catchesUp = true
    this.#follow()
  }

  /** Lets time pass up to the next deadline; false when no timer is set. */
  toNextDeadline(): boolean {
    const found = this.#gate.inside(() => this.#clock.toNextDeadline())
    this.#changed()
    return found
  }

  /** Fires a timer now; false when it is not set any more. */
  fire(number: number): boolean {
    const found = this.#gate.inside(() => this.#clock.fire(number))
    this.#changed()
    return found
  }

  /** Takes a timer away, as its machine could; false when it is not set any more. */
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

  /** Called when the system is held, and when it is let go. */
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
