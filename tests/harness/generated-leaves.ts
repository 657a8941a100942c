// Leaves of generated systems: every kind of logic, failing, racing, and sending at unexpected times.
import { fromCallback, fromEventObservable, fromObservable, fromPromise, fromTransition } from 'xstate'
import type { AnyActorLogic, AnyActorScope, AnyEventObject, Snapshot } from 'xstate'
import { Observable } from 'rxjs'
import { env } from '../../src/services/runtime/ambient-env.ts'
import { EVENTS } from './generated-world.ts'
import type { Dice, World } from './generated-world.ts'

/** The logic of one leaf; its behavior is chosen at random each time that it runs. */
export function generateLeaf(dice: Dice, world: World, name: string): AnyActorLogic {
  const make = dice.pick([promise, promise, callback, callback, observable, events, transition, own])
  return make(world, name)
}

function promise({ later, dice, note, poke }: World, name: string): AnyActorLogic {
  return fromPromise<unknown, unknown>(({ input, signal, emit }) => {
    note(`${name} begins`)
    if (dice.chance(0.04)) throw new TypeError(`${name} broke before it began`)
    if (dice.chance(0.1)) emit({ type: 'hello' })
    if (dice.chance(0.2)) poke(name)
    if (dice.chance(0.2)) return Promise.resolve({ name, input: typeof input })
    signal.addEventListener('abort', () => note(`${name} aborted`))
    return new Promise((resolve, reject) => {
      later(() => {
        if (dice.chance(0.2)) reject(new RangeError(`${name} refused`))
        else resolve(new Map([[name, [1n, new Date(0)]]]))
        if (dice.chance(0.2)) poke(`${name} late`)
      }, dice.below(6))
    })
  })
}

function callback({ clock, later, dice, note, poke, mayGoOn }: World, name: string): AnyActorLogic {
  return fromCallback<AnyEventObject>(({ sendBack, receive, emit, self }) => {
    note(`${name} listens`)
    if (dice.chance(0.4) && mayGoOn()) sendBack({ type: dice.pick(EVENTS), from: name })
    if (dice.chance(0.04)) throw new Error(`${name} failed at once`)
    receive(event => {
      note(`${name} hears ${event.type}`)
      if (dice.chance(0.1)) throw new Error(`${name} failed at ${event.type}`)
      if (dice.chance(0.3)) poke(name)
      if (dice.chance(0.2)) emit({ type: 'heard' })
      if (dice.chance(0.2) && mayGoOn()) self.send({ type: 'again' })
      if (dice.chance(0.4) && mayGoOn())
        sendBack({ type: dice.pick(EVENTS), bytes: Uint8Array.of(dice.below(9)) })
    })
    let left = 3
    const tick = () => {
      if (left-- <= 0) return
      sendBack({ type: dice.pick(EVENTS), tick: left })
      handle = later(tick, 1 + dice.below(4))
    }
    let handle = later(tick, dice.below(4))
    if (dice.chance(0.3)) return undefined
    return () => {
      note(`${name} is over`)
      clock.clearTimeout(handle)
      if (dice.chance(0.3)) sendBack({ type: 'bye' })
      if (dice.chance(0.2)) poke(`${name} going`)
    }
  })
}

function source<T>(
  { clock, later, dice, note, mayGoOn }: World,
  name: string,
  value: (n: number) => T,
): Observable<T> {
  return new Observable<T>(subscriber => {
    note(`${name} subscribed`)
    if (dice.chance(0.5) && mayGoOn()) subscriber.next(value(0))
    if (dice.chance(0.1)) return subscriber.complete()
    let n = 1
    const next = () => {
      subscriber.next(value(n++))
      if (dice.chance(0.2)) return subscriber.error(new Error(`${name} ended badly`))
      if (dice.chance(0.3)) return subscriber.complete()
      handle = later(next, 1 + dice.below(3))
    }
    let handle = later(next, dice.below(3))
    return () => {
      note(`${name} unsubscribed`)
      clock.clearTimeout(handle)
    }
  })
}

function observable(world: World, name: string): AnyActorLogic {
  return fromObservable(() => source(world, name, n => ({ n, of: name })))
}

function events(world: World, name: string): AnyActorLogic {
  return fromEventObservable(() => source(world, name, n => ({ type: EVENTS[n % 5] ?? 'a', n })))
}

/** Pure, as required, but it may read time and random values, emit, and send. */
function transition(): AnyActorLogic {
  return fromTransition(
    (state: { n: number; drawn: number }, event: AnyEventObject, { self, emit }) => {
      if (state.n === 2) self._parent?.send({ type: 'c', n: state.n })
      if (state.n === 3) emit({ type: 'third' })
      return event.type === 'd' && state.n < 2 ? state : { n: state.n + 1, drawn: env.random() }
    },
    () => ({ n: 0, drawn: env.random() }),
  ) as AnyActorLogic
}

/** Custom logic whose start has side effects. */
function own({ later, dice, note, mayGoOn }: World, name: string): AnyActorLogic {
  const initial: Snapshot<unknown> & { heard: number } = {
    status: 'active',
    output: undefined,
    error: undefined,
    heard: 0,
  }
  return {
    getInitialSnapshot: () => initial,
    getPersistedSnapshot: (snapshot: Snapshot<unknown>) => snapshot,
    restoreSnapshot: (snapshot: unknown) => snapshot as Snapshot<unknown>,
    start(_snapshot: Snapshot<unknown>, { self }: AnyActorScope) {
      note(`${name} starts`)
      if (dice.chance(0.3) && mayGoOn()) self._parent?.send({ type: dice.pick(EVENTS), from: name })
      later(() => self.send({ type: 'rung' }), dice.below(5))
    },
    transition(snapshot: typeof initial, event: AnyEventObject) {
      if (event.type === 'xstate.stop') return { ...snapshot, status: 'stopped' }
      return { ...snapshot, heard: snapshot.heard + 1, ...(event.type === 'rung' && { status: 'done' }) }
    },
  } as unknown as AnyActorLogic
}
