// Detects code that reads the platform's time and random values directly instead of from the tape.
import type { AnyActorRef, InspectionEvent } from 'xstate'

type Anything = (...args: never[]) => unknown

/** Names of the values, with the step in which each was first read. */
export type Readings = ReadonlyMap<string, string>

/** Runs synchronous code and reports which platform values it reads. */
export class WorldWatch {
  readonly #readings = new Map<string, string>()
  /** XState itself reads the time when it sets a timer. */
  #isAway = false
  #step = 'the system was made'

  get readings(): Readings {
    return this.#readings
  }

  /** For the system's inspector. */
  readonly inspect = (event: InspectionEvent): void => {
    if (event.type === '@xstate.event')
      this.#step = `${(event.actorRef as AnyActorRef).id} took ${event.event.type}`
    else if (event.type === '@xstate.actor' && !(event.actorRef as AnyActorRef)._parent)
      this.#sparing(event.actorRef as AnyActorRef)
  }

  /** The globals are restored afterwards. */
  run(code: () => void): void {
    const RealDate = Date
    const put = [
      this.#instead(Math, 'random', 'Math.random()'),
      this.#instead(performance, 'now', 'performance.now()'),
      this.#instead(crypto, 'randomUUID', 'crypto.randomUUID()'),
      this.#instead(crypto, 'getRandomValues', 'crypto.getRandomValues()'),
      this.#instead(Date, 'now', 'Date.now()'),
    ]
    globalThis.Date = this.#watched(RealDate)
    try {
      code()
    } finally {
      globalThis.Date = RealDate
      for (const back of put) back()
    }
  }

  #sparing({ system: { scheduler } }: AnyActorRef): void {
    const schedule = scheduler.schedule
    scheduler.schedule = (...args) => {
      this.#isAway = true
      try {
        schedule(...args)
      } finally {
        this.#isAway = false
      }
    }
  }

  #note(name: string): void {
    if (!this.#isAway && !this.#readings.has(name)) this.#readings.set(name, this.#step)
  }

  #instead(owner: object, key: string, name: string): () => void {
    const before = Object.getOwnPropertyDescriptor(owner, key)
    const real = Reflect.get(owner, key) as Anything
    const watched = (...args: never[]): unknown => {
      this.#note(name)
      return Reflect.apply(real, owner, args)
    }
    Object.defineProperty(owner, key, { value: watched, configurable: true, writable: true })
    return () => {
      if (before) Object.defineProperty(owner, key, before)
      else Reflect.deleteProperty(owner, key)
    }
  }

  #watched(RealDate: DateConstructor): DateConstructor {
    return new Proxy(RealDate, {
      construct: (target, args, newTarget) => {
        if (args.length === 0) this.#note('new Date()')
        return Reflect.construct(target, args, newTarget === globalThis.Date ? target : newTarget) as object
      },
    })
  }
}
