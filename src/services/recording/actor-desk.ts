// The desk: keeps what every actor was sent and is working on, from which a step's sender and cause are told.
import type { AnyEventObject } from 'xstate'
import type { StateValue } from '../../trace/format.ts'
import { UNDEFINED_EVENT, typeOf } from '../../trace/odd-event.ts'
import type { Known } from './actor-registry.ts'
import { Pending, Step } from './step.ts'
import type { Taken } from './taken.ts'

/** What there is to know of an actor's work, and its state as it was last shown. */
export class Work extends Pending {
  /** Nothing where it was never shown. */
  snapshot: unknown = undefined
  status: string | undefined = undefined
  value: StateValue | undefined = undefined
  context: unknown = undefined
  /** Transitions of the step that has not ended. */
  taken: Taken | undefined = undefined
  /** The snapshot that its last microstep reached. */
  middle: unknown = undefined
}

/** Where the first event of a stimulus comes from: out of nowhere, or from inside a step of its sender. */
export type Origin = 'outside' | 'inside' | 'none'

const NOBODY: readonly Known[] = []

/** What every actor was sent and is working on. */
export class Desk {
  #failing: readonly Known[] = NOBODY
  #cause = -1
  #order = 0
  #origin: Origin = 'none'

  work(known: Known): Work {
    return (known.work ??= new Work())
  }

  /** Runs what a stimulus does; `origin` is where its first event comes from. */
  during<T>(cause: number, origin: Origin, run: () => T): T {
    const before = this.#cause
    this.#cause = cause
    this.#origin = origin
    try {
      return run()
    } finally {
      this.#cause = before
      this.#origin = 'none'
    }
  }

  /** Takes note of an event on its way. */
  sent(target: Known, source: Known | undefined, event: AnyEventObject): void {
    const origin = this.#origin
    this.#origin = 'none'
    const by = source && origin !== 'outside' ? this.#working(source) : undefined
    const cause = origin === 'none' ? (by?.cause ?? this.#cause) : this.#cause
    const type = typeOf(event)
    if (source && type?.startsWith('xstate.error.actor.')) this.#failing = [...this.#failing, source]
    const work = this.work(target)
    if (work.status !== undefined && work.status !== 'active') return
    // Anything can be sent.
    const next = this.item(target, event ?? UNDEFINED_EVENT, source, cause, by)
    if (type === 'xstate.init') work.unshift(next)
    else work.push(next)
  }

  /** Gives up the event whose step has ended, and those before it that were dropped. */
  take(known: Known, event: AnyEventObject): Step {
    return this.work(known).take(event) ?? this.#silent(known)
  }

  /** The actors that may have failed since the last call. */
  failed(): readonly Known[] {
    const found = this.#failing
    this.#failing = NOBODY
    return found
  }

  #working(known: Known): Step {
    const work = this.work(known)
    return (work.first ??= this.#silent(known))
  }

  /** Being stopped by the parent: nobody is sent anything. */
  #silent(known: Known): Step {
    const by = known.up && this.work(known.up).first
    return this.item(known, undefined, known.up, by?.cause ?? this.#cause, by)
  }

  /** An event that was sent just now. */
  item(
    actor: Known,
    event: AnyEventObject | undefined,
    from: Known | undefined,
    cause: number,
    by: Step | undefined,
  ): Step {
    return new Step(actor, event, from, cause, by, this.#order++)
  }
}
