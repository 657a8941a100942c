// Leaves of the random system: promises, callbacks and observables that race, fail and bypass it.
import { fromCallback, fromObservable, fromPromise } from 'xstate'
import { Observable } from 'rxjs'
import type { Clock } from '../../src/services/runtime/clock.ts'
import type { Entropy } from '../../src/services/runtime/entropy.ts'

type TrackerEvent = { type: 'ask' } | { type: 'break' }
export type TrackerReport =
  | { type: 'tracker.ready' }
  | { type: 'tracker.tick'; k: number; noise: number; seen: Date }
  | { type: 'tracker.reply'; k: number }
  | { type: 'tracker.gone' }
  | { type: 'bus.rang'; from: string }

export interface RandomLeaves {
  readonly load: ReturnType<typeof createLoad>
  readonly tracker: ReturnType<typeof createTracker>
  readonly feed: ReturnType<typeof createFeed>
  readonly quickA: ReturnType<typeof createQuick>
  readonly quickB: ReturnType<typeof createQuick>
  readonly bell: ReturnType<typeof createBell>
}

interface World {
  readonly clock: Clock
  readonly entropy: Entropy
  /** How often things go wrong, from 0 to 1. */
  readonly faults: number
  readonly bus: Set<() => void>
}

export function createRandomLeaves(clock: Clock, entropy: Entropy, faults: number): RandomLeaves {
  const world: World = { clock, entropy, faults, bus: new Set() }
  return {
    load: createLoad(world),
    tracker: createTracker(world),
    feed: createFeed(world),
    quickA: createQuick('A', 2),
    quickB: createQuick('B', 1),
    bell: createBell(world),
  }
}

class NetError extends Error {
  readonly status: number
  constructor(status: number) {
    super(`refused with ${status}`)
    this.name = 'NetError'
    this.status = status
  }
}

function createLoad({ clock, entropy, faults }: World) {
  return fromPromise<{ items: number; at: Map<string, bigint> }, { n: number }>(({ input, signal }) => {
    if (entropy.random() < faults / 4) throw new TypeError('broke before it began')
    if (entropy.random() < 0.2) return Promise.resolve({ items: input.n, at: new Map() })
    return new Promise((resolve, reject) => {
      const handle = clock.setTimeout(() => {
        if (entropy.random() < faults) reject(new NetError(500 + Math.floor(entropy.random() * 4)))
        else resolve({ items: input.n, at: new Map([['k', BigInt(input.n)]]) })
      }, entropy.random() * 4)
      signal.addEventListener('abort', () => clock.clearTimeout(handle))
    })
  })
}

function createTracker({ clock, entropy, faults, bus }: World) {
  return fromCallback<TrackerEvent>(({ sendBack, receive, self }) => {
    const report = (event: TrackerReport) => sendBack(event)
    let k = 0
    report({ type: 'tracker.ready' })
    receive(event => {
      if (event.type === 'break') throw new RangeError('the tracker broke')
      report({ type: 'tracker.reply', k })
      for (const ring of bus) ring()
      if (entropy.random() < 0.3) self._parent?.send({ type: 'tracker.reply', k: -k })
      report({ type: 'tracker.reply', k: k + 1 })
    })
    const tick = () => {
      k += 1
      report({ type: 'tracker.tick', k, noise: entropy.random(), seen: clock.wall() })
      if (entropy.random() < faults / 4) for (const ring of bus) ring()
      handle = clock.setTimeout(tick, 2 + entropy.random() * 3)
    }
    let handle = clock.setTimeout(tick, 2)
    return () => {
      clock.clearTimeout(handle)
      report({ type: 'tracker.gone' })
    }
  })
}

/** Rings when another leaf touches the bus: synchronously, in the middle of that leaf's code. */
function createBell({ bus }: World) {
  return fromCallback<{ type: 'none' }, { name: string }>(({ sendBack, input }) => {
    const ring = () => sendBack({ type: 'bus.rang', from: input.name } satisfies TrackerReport)
    bus.add(ring)
    return () => void bus.delete(ring)
  })
}

function createFeed({ clock, entropy, faults }: World) {
  return fromObservable<{ a: number; raw: Uint8Array }, undefined>(
    () =>
      new Observable(subscriber => {
        subscriber.next({ a: 1, raw: Uint8Array.of(1, 2) })
        subscriber.next({ a: 2, raw: new Uint8Array() })
        if (entropy.random() < 0.2) return subscriber.complete()
        if (entropy.random() < faults / 4) return subscriber.error(new NetError(503))
        let left = 3
        const next = () => {
          subscriber.next({ a: 10 + left, raw: Uint8Array.of(left) })
          left -= 1
          if (left > 0) handle = clock.setTimeout(next, 3)
          else if (entropy.random() < faults) subscriber.error('cut')
          else subscriber.complete()
        }
        let handle = clock.setTimeout(next, 3)
        return () => clock.clearTimeout(handle)
      }),
  )
}

function createQuick(name: string, turns: number) {
  return fromPromise<string>(async () => {
    for (let left = turns; left > 0; left--) await Promise.resolve()
    return name
  })
}
