// The desk: keeps what every actor was sent and is working on, from which a step's sender and cause are told.
import type { AnyEventObject } from 'xstate'
import type { StateValue } from '../trace/format.ts'
import type { Known } from './actor-registry.ts'
import type { RawView } from './actor-viewer.ts'

/** An event whose step has not ended. What an actor is working on is the first of its list. */
export interface Sent {
  /** Absent for being stopped, of which nobody is told. */
  readonly event: AnyEventObject | undefined
  readonly from: Known | undefined
  readonly cause: number
  readonly by: Sent | undefined
  seq: number | undefined
  readonly waiting: RawView[]
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
}

/** Where the first event of a stimulus comes from: out of nowhere, or from inside a step of its sender. */
export type Origin = 'outside' | 'inside' | 'none'

export interface Desk {
  work(known: Known): Work
  during<T>(cause: number, origin: Origin, run: () => T): T
  sent(target: Known, source: Known | undefined, event: AnyEventObject): void
  take(known: Known, event: AnyEventObject): Sent
  failed(root: Known): Known[]
}

/** Creates an empty desk. */
export function createDesk(): Desk {
  const works = new WeakMap<Known, Work>()
  let failing: Known[] = []
  let cause = -1
  let origin: Origin = 'none'
  const work = (known: Known): Work => {
    const found = works.get(known)
    if (found) return found
    const fresh: Work = { pending: [], last: undefined }
    works.set(known, fresh)
    return fresh
  }
  const silent = (known: Known): Sent => {
    const by = known.up && work(known.up).pending[0]
    return sentItem(undefined, known.up, by?.cause ?? cause, by)
  }
  const working = (known: Known): Sent => {
    const { pending } = work(known)
    return pending[0] ?? (pending[pending.push(silent(known)) - 1] as Sent)
  }
  return {
    work,
    during(at, from, run) {
      const before = cause
      cause = at
      origin = from
      try {
        return run()
      } finally {
        cause = before
        origin = 'none'
      }
    },
    sent(target, source, event) {
      const by = source && origin !== 'outside' ? working(source) : undefined
      const next = sentItem(event, source, origin === 'none' ? (by?.cause ?? cause) : cause, by)
      origin = 'none'
      if (source && event.type.startsWith('xstate.error.actor.')) failing.push(source)
      const { pending, last } = work(target)
      if (last && last.status !== 'active') return
      if (event.type === 'xstate.init') pending.unshift(next)
      else pending.push(next)
    },
    take(known, event) {
      const { pending } = work(known)
      const at = pending.findIndex(
        sent => sent.event === event || (!sent.event && event.type === 'xstate.stop'),
      )
      return (at < 0 ? undefined : pending.splice(0, at + 1).at(-1)) ?? silent(known)
    },
    failed(root) {
      const found = failing.length === 0 ? [root] : [...failing, root]
      failing = []
      return found
    },
  }
}

/** An event that was sent just now. */
export function sentItem(
  event: AnyEventObject | undefined,
  from: Known | undefined,
  cause: number,
  by: Sent | undefined,
): Sent {
  return { event, from, cause, by, seq: undefined, waiting: [] }
}
