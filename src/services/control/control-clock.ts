// A clock that can be held, hurried and stepped: between a system and the clock that it would have had.
import type { AnyActorRef, EventObject } from 'xstate'
import type { Clock, TimerHandle } from '../clock.ts'

/** What a machine set a timer for. */
export interface Purpose {
  readonly source: AnyActorRef
  readonly target: AnyActorRef
  readonly event: EventObject
}

/** A timer that is set. */
export interface SetTimer {
  readonly number: number
  /** Milliseconds on this clock. */
  readonly due: number
  readonly delay: number
  /** Absent for timers that effects set for purposes of their own. */
  readonly purpose: Purpose | undefined
  /** Its time has come, and it waits to be let through. */
  readonly isDue: boolean
}

interface Timer extends SetTimer {
  isDue: boolean
  handle: TimerHandle
  readonly fn: () => void
}

/** Runs at the speed of the real clock until it is told otherwise; it never goes back. */
export class ControlClock implements Clock {
  /** Set while a machine sets a timer. */
  purpose: Purpose | undefined
  /** Takes the timers of machines that have come due, and lets them through when it is time. */
  gate: ((timer: SetTimer, run: () => void) => void) | undefined
  /** Milliseconds by which the time of day is off. */
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

  /** How many times as fast as the real clock; 0 stands still. */
  get speed(): number {
    return this.#speed
  }

  /** Milliseconds that it is ahead of the real clock, or behind it when negative. */
  get ahead(): number {
    return this.now() - this.#raw.now()
  }

  setSpeed(speed: number): void {
    this.#jump(this.now(), speed)
  }

  /** As fast as the real clock again; when it is behind, it catches up, and what was due meanwhile is due now. */
  toReal(): void {
    this.#jump(Math.max(this.now(), this.#raw.now()), 1)
    this.#ring(this.now())
  }

  /** Lets time pass up to the next deadline, whose timer runs; false when no timer is set. */
  toNextDeadline(): boolean {
    const next = this.#byDeadline().find(({ isDue }) => !isDue)
    if (!next) return false
    this.#jump(Math.max(this.now(), next.due), this.#speed)
    this.#expire(next)
    return true
  }

  /** The timers that are set, the next one first. */
  timers(): SetTimer[] {
    return this.#byDeadline()
  }

  has(number: number): boolean {
    return this.#timers.has(number)
  }

  /** Runs a timer now, whenever it is due; false when no such timer is set. */
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
    // Real timers know no fractions of a millisecond; many of this clock may lie in one.
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
