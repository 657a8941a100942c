// Pace of a replay: waits as long as the recording did, or a fraction of it.

/** The clock that a replay waits with. */
export interface PaceClock {
  readonly now: () => number
  readonly setTimeout: (fn: () => void, ms: number) => unknown
  readonly clearTimeout: (handle: unknown) => void
}

/** Speed of a replay. */
export interface Pace {
  /** Factor of the recorded speed, from 0.5 to 1000; `max` does not wait. */
  readonly speed: number | 'max'
  /** Maximum wait in milliseconds, to shorten idle periods. */
  readonly longestWait?: number
}

/** The real clock. */
export const realClock: PaceClock = {
  now: () => performance.now(),
  setTimeout: (fn, ms) => setTimeout(fn, ms),
  clearTimeout: handle => clearTimeout(handle as ReturnType<typeof setTimeout>),
}

/** At full speed, yield to the event loop at this interval in milliseconds. */
const BREATH = 12

/** Decides when the next stimulus is due; can be canceled. */
export class Pacer {
  readonly #clock: PaceClock
  readonly #pace: Pace
  /** Recording time and clock time at the end of the last wait. */
  #recorded: number
  #real: number
  #call: (() => void) | undefined

  constructor(clock: PaceClock, pace: Pace, from: number) {
    if (pace.speed !== 'max' && !(pace.speed >= 0.5 && pace.speed <= 1000))
      throw new RangeError(`the replay speed must be from 0.5 to 1000, or "max"; got ${pace.speed}`)
    this.#clock = clock
    this.#pace = pace
    this.#recorded = from
    this.#real = clock.now()
  }

  /** Resolves when the recording reaches this time. Returns undefined if there is nothing to wait for. */
  until(t: number): Promise<void> | undefined {
    const { speed, longestWait = Number.POSITIVE_INFINITY } = this.#pace
    const now = this.#clock.now()
    if (speed === 'max') {
      if (now - this.#real < BREATH) return undefined
      return this.#wait(0)
    }
    const due = this.#real + (t - this.#recorded) / speed
    const wait = Math.min(due - now, longestWait)
    this.#recorded = t
    this.#real = Math.min(due, now + longestWait)
    return wait <= 0 ? undefined : this.#wait(wait)
  }

  /** Ends the current wait. */
  cancel(): void {
    this.#call?.()
  }

  #wait(ms: number): Promise<void> {
    return new Promise(resolve => {
      const done = () => {
        this.#call = undefined
        if (this.#pace.speed === 'max') this.#real = this.#clock.now()
        resolve()
      }
      const handle = this.#clock.setTimeout(done, ms)
      this.#call = () => {
        this.#clock.clearTimeout(handle)
        done()
      }
    })
  }
}
