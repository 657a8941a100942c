// The pause queue: everything that enters a system passes through here, one at a time; while paused, it
// waits.
import type { AnyActorRef, AnyEventObject } from 'xstate'

/** An event that is about to enter the system. */
export interface Arrival {
  readonly kind: 'external' | 'leaf' | 'timer'
  /** The receiver; absent if the system determines it. */
  readonly to?: AnyActorRef | undefined
  readonly from?: AnyActorRef | undefined
  readonly event: AnyEventObject
  readonly run: () => void
  /** Whether the arrival became obsolete while waiting: the sender has ended, or the timer was canceled. */
  readonly isStale?: () => boolean
}

/** A waiting arrival. */
export interface Waiting {
  readonly number: number
  readonly arrival: Arrival
}

/** Why the system is paused. */
export interface HoldReason {
  readonly by: 'hand' | 'breakpoint' | 'step'
  /** The breakpoint that was hit. */
  readonly breakpoint?: number | undefined
  /** Number of the step at which the system paused, in the current recording. */
  readonly seq?: number | undefined
  /** One sentence. */
  readonly text: string
}

export interface GateOptions {
  /** Checks an arrival and may pause the system before it. */
  readonly before: (arrival: Arrival) => HoldReason | undefined
  /** Checks the result and may pause the system after it. Without an arrival, it was a manual action. */
  readonly after: (arrival: Arrival | undefined) => HoldReason | undefined
  readonly changed: () => void
}

const STEPPED: HoldReason = { by: 'step', text: 'After one step' }

/** Events caused by an arrival belong to it and are never delayed. */
export class Gate {
  reason: HoldReason | undefined
  /** Number of arrivals that became obsolete while waiting. */
  stale = 0
  /** In order of arrival. */
  readonly waiting: Waiting[] = []
  readonly #options: GateOptions
  #depth = 0
  #number = 1
  #isFlushing = false

  constructor(options: GateOptions) {
    this.#options = options
  }

  get isHeld(): boolean {
    return this.reason !== undefined
  }

  /** Whether the system is processing an arrival. */
  get isInside(): boolean {
    return this.#depth > 0
  }

  /** Lets the arrival through, or queues it. */
  arrive(arrival: Arrival): void {
    if (this.isInside) return arrival.run()
    if (!this.isHeld && !this.#isFlushing) this.#stopBefore(arrival)
    if (this.isHeld || this.#isFlushing) this.#keep(arrival)
    else this.#through(arrival.run, arrival)
  }

  /** Runs a manual action, bypassing waiting arrivals. */
  inside<T>(run: () => T): T {
    return this.#through(run)
  }

  hold(reason: HoldReason): void {
    this.reason = reason
    this.#options.changed()
  }

  /** Lets exactly one arrival through. Returns false if none waits. */
  step(): boolean {
    const next = this.#take()
    if (!next) return false
    this.reason = STEPPED
    this.#through(next.arrival.run, next.arrival)
    this.#options.changed()
    return true
  }

  /** Resumes, beginning with the waiting arrivals in order. */
  release(): void {
    this.reason = undefined
    this.#isFlushing = true
    try {
      // The first arrival may be the one that paused the system; it must not do so twice.
      let isFirst = true
      for (let next = this.#peek(); next; next = this.#peek()) {
        if (!isFirst) this.#stopBefore(next.arrival)
        isFirst = false
        if (this.reason) break
        this.waiting.shift()
        this.#through(next.arrival.run, next.arrival)
        if (this.reason) break
      }
    } finally {
      this.#isFlushing = false
      this.#options.changed()
    }
  }

  /** Drops all waiting arrivals because the system has ended. */
  clear(): void {
    this.waiting.length = 0
    this.reason = undefined
    this.#options.changed()
  }

  #stopBefore(arrival: Arrival): void {
    const reason = this.#options.before(arrival)
    if (reason) this.reason = reason
  }

  #keep(arrival: Arrival): void {
    this.waiting.push({ number: this.#number++, arrival })
    this.#options.changed()
  }

  #peek(): Waiting | undefined {
    while (this.waiting[0]?.arrival.isStale?.()) {
      this.stale += 1
      this.waiting.shift()
    }
    return this.waiting[0]
  }

  #take(): Waiting | undefined {
    const next = this.#peek()
    if (next) this.waiting.shift()
    return next
  }

  #through<T>(run: () => T, arrival?: Arrival): T {
    this.#depth += 1
    try {
      return run()
    } finally {
      this.#depth -= 1
      if (this.#depth === 0) {
        const reason = this.#options.after(arrival)
        if (reason) this.hold(reason)
      }
    }
  }
}
