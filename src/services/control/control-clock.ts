// A clock that can be paused, scaled and stepped, placed between a system and its original clock.
import type { AnyActorRef, EventObject } from 'xstate'
import type { Clock, TimerHandle } from '../runtime/index.ts'

/** What a machine set a timer for. */
export interface Purpose {
  readonly source: AnyActorRef
  readonly target: AnyActorRef
  readonly event: EventObject
}

/** An active timer. */
export interface SetTimer {
  readonly number: number
  /** Milliseconds on this clock. */
  readonly due: number
  readonly delay: number
  /** Absent for timers that effects set for themselves. */
  readonly purpose: Purpose | undefined
  /** The timer is due and waits to be let through. */
  readonly isDue: boolean
}

interface Timer extends SetTimer {
  isDue: boolean
  handle: TimerHandle
  readonly fn: () => void
}

/** Runs at the speed of the real clock by default and never goes back. */
export class ControlClock implements Clock {
  /** Set while a machine sets a timer. */
  purpose: Purpose | undefined
  /** Receives due timers of machines, and runs them when the gate opens. */
  gate: ((timer: SetTimer, run: () => void) => void) | undefined
  /** Offset of the wall clock in milliseconds. */
  skew = 0
  readonly beforeTimers?: NonNullable<Clock['beforeTimers']>
  readonly #raw: Clock
  readonly #timers = new Map<number, Timer>()
  #speed = 1
  #base: number
  #from: number
  #next = 1

  constructor(raw: Clock) {
    this.#raw = raw
    this.#base = this.#from = raw.now()
    if (raw.beforeTimers) this.beforeTimers = raw.beforeTimers
  }

  readonly now = (): number => this.#base + (this.#raw.now() - this.#from) * this.#speed
  readonly wall = (): Date => new Date(this.#raw.wall().getTime() + Math.round(this.ahead) + this.skew)

  readonly setTimeout = (fn: () => void, ms: number): TimerHandle => {
    const { purpose } = this
    const number = this.#next++
    const delay = Math.max(0, ms)
    const timer = { number, due: this.now() + delay, delay, purpose, isDue: false, handle: undefined, fn }
    this.#timers.set(number, timer)
    this.#arm(timer, delay)
    return number
  }

  readonly clearTimeout = (handle: TimerHandle): void => {
    const timer = this.#timers.get(handle as number)
    if (!timer) return
    this.#timers.delete(timer.number)
    this.#raw.clearTimeout(timer.handle)
  }

  /** Factor of the real clock's speed; 0 is paused. */
  get speed(): number {
    return this.#speed
  }

  /** Milliseconds ahead of the real clock; negative if behind. */
  get ahead(): number {
    return this.now() - this.#raw.now()
  }

  setSpeed(speed: number): void {
    this.#jump(this.now(), speed)
  }

  /**
   * Returns to real speed. If the clock is behind, it catches up, and timers that came due in the meantime
   * fire now.
   */
  toReal(): void {
    this.#jump(Math.max(this.now(), this.#raw.now()), 1)
    this.#ring(this.now())
  }

  /** Advances to the next deadline and fires its timer. Returns false if no timer is set. */
  toNextDeadline(): boolean {
    const next = this.#byDeadline().find(({ isDue }) => !isDue)
    if (!next) return false
    this.#jump(Math.max(this.now(), next.due), this.#speed)
    this.#expire(next)
    return true
  }

  /** Active timers, next one first. */
  timers(): SetTimer[] {
    return this.#byDeadline()
  }

  has(number: number): boolean {
    return this.#timers.has(number)
  }

  /** Fires a timer now, whenever it is due. Returns false if no such timer is set. */
  fire(number: number): boolean {
    const timer = this.#timers.get(number)
    if (!timer) return false
    this.clearTimeout(number)
    timer.fn()
    return true
  }

  #byDeadline(): Timer[] {
    return [...this.#timers.values()].sort((a, b) => a.due - b.due || a.number - b.number)
  }

  #jump(now: number, speed: number): void {
    this.#base = now
    this.#from = this.#raw.now()
    this.#speed = speed
    for (const timer of this.#timers.values()) {
      this.#raw.clearTimeout(timer.handle)
      if (!timer.isDue) this.#arm(timer, timer.due - now)
    }
  }

  #arm(timer: Timer, left: number): void {
    if (this.#speed === 0) return
    timer.handle = this.#raw.setTimeout(() => this.#rings(timer), Math.max(0, left) / this.#speed)
  }

  #rings(timer: Timer): void {
    if (this.#speed === 1) return this.#expire(timer)
    // Real timers have whole milliseconds, into which many timers of this clock may fall.
    this.#ring(Math.max(this.now(), timer.due))
  }

  #ring(until: number): void {
    for (const timer of this.#byDeadline()) {
      if (timer.due <= until && !timer.isDue && this.#timers.has(timer.number)) this.#expire(timer)
    }
  }

  #expire(timer: Timer): void {
    timer.isDue = true
    const run = () => void this.fire(timer.number)
    if (timer.purpose && this.gate) this.gate(timer, run)
    else run()
  }
}
