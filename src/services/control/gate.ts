// The gate: everything that enters a system comes through here, one at a time; when it is shut, all of it waits.
import type { AnyActorRef, AnyEventObject } from 'xstate'

/** Something that is about to enter the system. */
export interface Arrival {
  readonly kind: 'external' | 'leaf' | 'timer'
  /** Whom it is for; absent where the system itself finds out. */
  readonly to?: AnyActorRef | undefined
  readonly from?: AnyActorRef | undefined
  readonly event: AnyEventObject
  readonly run: () => void
  /** Whether it has become nothing while it waited: who said it has ended, or the timer was cancelled. */
  readonly isStale?: () => boolean
}

/** Something that waits at the shut gate. */
export interface Waiting {
  readonly number: number
  readonly arrival: Arrival
}

/** Why the gate is shut. */
export interface HoldReason {
  readonly by: 'hand' | 'breakpoint' | 'step'
  /** The breakpoint that shut it. */
  readonly breakpoint?: number | undefined
  /** Number of the view at which it did, in the recording of the moment. */
  readonly seq?: number | undefined
  /** One sentence. */
  readonly text: string
}

export interface GateOptions {
  /** Looks at what is about to enter, and may shut the gate before it. */
  readonly before: (arrival: Arrival) => HoldReason | undefined
  /** Looks at what happened, and may shut the gate after it; without an arrival it was done by hand. */
  readonly after: (arrival: Arrival | undefined) => HoldReason | undefined
  readonly changed: () => void
}

const STEPPED: HoldReason = { by: 'step', text: 'After one step' }

/** What is set off by something that was let through belongs to it, and is never stopped on its way. */
export class Gate {
  reason: HoldReason | undefined
  /** How many came to nothing while they waited. */
  stale = 0
  /** In the order in which they came. */
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

  /** Whether the system is in the midst of something that was let through. */
  get isInside(): boolean {
    return this.#depth > 0
  }

  /** Lets it through, or keeps it until its turn. */
  arrive(arrival: Arrival): void {
    if (this.isInside) return arrival.run()
    if (!this.isHeld && !this.#isFlushing) this.#stopBefore(arrival)
    if (this.isHeld || this.#isFlushing) this.#keep(arrival)
    else this.#through(arrival.run, arrival)
  }

  /** Lets something through past those that wait: what is done by hand. */
  inside<T>(run: () => T): T {
    return this.#through(run)
  }

  hold(reason: HoldReason): void {
    this.reason = reason
    this.#options.changed()
  }

  /** Lets exactly one through; false when none waits. */
  step(): boolean {
    const next = this.#take()
    if (!next) return false
    this.reason = STEPPED
    this.#through(next.arrival.run, next.arrival)
    this.#options.changed()
    return true
  }

  /** Opens the gate: those that waited go first, in their order. */
  release(): void {
    this.reason = undefined
    this.#isFlushing = true
    try {
      // The first one may have shut the gate as it came; it is not to do so twice.
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

  /** Forgets all that waits: the system has ended. */
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
