// Tracks the events that every actor was sent and is processing, from which a step's sender and cause are
// derived.
import type { AnyEventObject } from 'xstate'
import { type StateValue, type StepOutput, typeOf, UNDEFINED_EVENT } from '../../trace/index.ts'
import type { ActorRecord } from './actor-record.ts'
import { Pending, LiveStep } from './step.ts'
import type { TransitionsTaken } from './transitions-taken.ts'

/** An actor's pending events, and its state as last shown. */
export class Work extends Pending {
  /** Undefined if no snapshot was shown yet. */
  snapshot: unknown = undefined
  status: string | undefined = undefined
  value: StateValue | undefined = undefined
  context: unknown = undefined
  /** Transitions of the current step. */
  taken: TransitionsTaken | undefined = undefined
  /** Outputs of the current step. */
  outputs: StepOutput[] | undefined = undefined
  /** Snapshot after the last microstep. */
  middle: unknown = undefined
}

/** Source of a stimulus's first event: outside the system, inside a step of its sender, or none. */
export type Origin = 'outside' | 'inside' | 'none'

const NOBODY: readonly ActorRecord[] = []

/** Tracks what every actor was sent and is processing. */
export class EventTracker {
  #failing: readonly ActorRecord[] = NOBODY
  #cause = -1
  #order = 0
  #origin: Origin = 'none'

  work(known: ActorRecord): Work {
    return (known.work ??= new Work())
  }

  /** Runs the effects of a stimulus; `origin` is the source of its first event. */
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

  /** Records an event that was sent. */
  sent(target: ActorRecord, source: ActorRecord | undefined, event: AnyEventObject): void {
    const origin = this.#origin
    this.#origin = 'none'
    const by = source && origin !== 'outside' ? this.#working(source) : undefined
    const cause = origin === 'none' ? (by?.cause ?? this.#cause) : this.#cause
    const type = typeOf(event)
    if (source && type?.startsWith('xstate.error.actor.')) this.#failing = [...this.#failing, source]
    const work = this.work(target)
    if (work.status !== undefined && work.status !== 'active') return
    // Apps may send any value.
    const next = this.item(target, event ?? UNDEFINED_EVENT, source, cause, by)
    if (type === 'xstate.init') work.unshift(next)
    else work.push(next)
  }

  /** Removes and returns the event whose step has ended, together with dropped events before it. */
  take(known: ActorRecord, event: AnyEventObject): LiveStep {
    return this.work(known).take(event) ?? this.#silent(known)
  }

  /** Returns the actors that may have failed since the last call. */
  failed(): readonly ActorRecord[] {
    const found = this.#failing
    this.#failing = NOBODY
    return found
  }

  #working(known: ActorRecord): LiveStep {
    const work = this.work(known)
    return (work.first ??= this.#silent(known))
  }

  /** Stopped by the parent: no event is sent. */
  #silent(known: ActorRecord): LiveStep {
    const by = known.up && this.work(known.up).first
    return this.item(known, undefined, known.up, by?.cause ?? this.#cause, by)
  }

  /** Creates the step of an event that was just sent. */
  item(
    actor: ActorRecord,
    event: AnyEventObject | undefined,
    from: ActorRecord | undefined,
    cause: number,
    by: LiveStep | undefined,
  ): LiveStep {
    return new LiveStep(actor, event, from, cause, by, this.#order++)
  }
}
