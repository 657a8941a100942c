// The desk: keeps what every actor was sent and is working on, from which a step's sender and cause are told.
import type { AnyEventObject } from 'xstate'
import type { StateValue } from '../../trace/format.ts'
import type { Known } from './actor-registry.ts'
import type { Taken } from './taken.ts'

/** An event whose step has not ended. What an actor is working on is the first of its list. */
export interface Sent {
  /** Absent for being stopped, of which nobody is told. */
  readonly event: AnyEventObject | undefined
  readonly from: Known | undefined
  readonly cause: number
  readonly by: Sent | undefined
  /** Place in the order of sending, in which the steps of a stimulus are shown. */
  readonly order: number
  /** Number of the view of the step, once it is shown. */
  seq: number | undefined
}

/** An actor's state as it was last shown. */
export interface Shown {
  readonly snapshot: unknown
  readonly status: string
  readonly value: StateValue | undefined
  readonly context: unknown
}

/** What there is to know of an actor's work. */
export interface Work {
  readonly pending: Sent[]
  last: Shown | undefined
  /** Transitions of the step that has not ended. */
  taken: Taken | undefined
  /** The snapshot that its last microstep reached. */
  middle: unknown
}

/** Where the first event of a stimulus comes from: out of nowhere, or from inside a step of its sender. */
export type Origin = 'outside' | 'inside' | 'none'

/** What every actor was sent and is working on. */
export class Desk {
  readonly #works = new WeakMap<Known, Work>()
  #failing: Known[] = []
  #cause = -1
  #order = 0
  #origin: Origin = 'none'

  work(known: Known): Work {
    const found = this.#works.get(known)
    if (found) return found
    const fresh: Work = { pending: [], last: undefined, taken: undefined, middle: undefined }
    this.#works.set(known, fresh)
    return fresh
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
    if (source && event.type.startsWith('xstate.error.actor.')) this.#failing.push(source)
    const { pending, last } = this.work(target)
    if (last && last.status !== 'active') return
    const next = this.item(event, source, cause, by)
    if (event.type === 'xstate.init') pending.unshift(next)
    else pending.push(next)
  }

  /** Gives up the event whose step has ended, and those before it that were dropped. */
  take(known: Known, event: AnyEventObject): Sent {
    const { pending } = this.work(known)
    const isStop = event.type === 'xstate.stop'
    const at = pending.findIndex(sent => sent.event === event || (!sent.event && isStop))
    return (at < 0 ? undefined : pending.splice(0, at + 1).at(-1)) ?? this.#silent(known)
  }

  /** The actors that may have failed since the last call. */
  failed(root: Known): Known[] {
    const found = [...this.#failing, root]
    this.#failing = []
    return found
  }

  #working(known: Known): Sent {
    const { pending } = this.work(known)
    const first = pending[0] ?? this.#silent(known)
    if (pending.length === 0) pending.push(first)
    return first
  }

  /** Being stopped by the parent: nobody is sent anything. */
  #silent(known: Known): Sent {
    const by = known.up && this.work(known.up).pending[0]
    return this.item(undefined, known.up, by?.cause ?? this.#cause, by)
  }

  /** An event that was sent just now. */
  item(
    event: AnyEventObject | undefined,
    from: Known | undefined,
    cause: number,
    by: Sent | undefined,
  ): Sent {
    return { event, from, cause, by, order: this.#order++, seq: undefined }
  }
}
