// The pace of a replay: waits as long as the recording did, or a part of it.

/** Time as a replay waits by it. */
export interface PaceClock {
  readonly now: () => number
  readonly setTimeout: (fn: () => void, ms: number) => unknown
  readonly clearTimeout: (handle: unknown) => void
}

/** How fast a replay runs. */
export interface Pace {
  /** Times the speed of the recording, 0.5 to 1000; `max` waits for nothing. */
  readonly speed: number | 'max'
  /** No wait lasts longer than this, in milliseconds; what nothing happened in need not be sat out. */
  readonly longestWait?: number
}

/** The clock of this machine. */
export const realClock: PaceClock = {
  now: () => performance.now(),
  setTimeout: (fn, ms) => setTimeout(fn, ms),
  clearTimeout: handle => clearTimeout(handle as ReturnType<typeof setTimeout>),
}

/** At full speed others have their turn so often, in milliseconds. */
const BREATH = 12

/** Says when the next stimulus is due, and can be called off. */
export class Pacer {
  readonly #clock: PaceClock
  readonly #pace: Pace
  /** Time of the recording and of the clock at which the last wait ended. */
  #recorded: number
  #real: number
  #call: (() => void) | undefined

  constructor(clock: PaceClock, pace: Pace, from: number) {
    if (pace.speed !== 'max' && !(pace.speed >= 0.5 && pace.speed <= 1000))
      throw new RangeError(`the speed of a replay is from 0.5 to 1000, or "max"; not ${pace.speed}`)
    this.#clock = clock
    this.#pace = pace
    this.#recorded = from
    this.#real = clock.now()
  }

  /** Resolves when the recording is at this time; at once when there is nothing to wait for. */
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

  /** Ends the present wait. */
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
