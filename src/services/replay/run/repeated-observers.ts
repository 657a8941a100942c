// An actor's observers in a replay: there are no real ones; each round repeats their recorded effects.
import type { AnyActorRef, Observer } from 'xstate'
import type { CodeHook } from '../../recording/index.ts'

/** How the rounds of an actor are repeated. */
export interface Rounds extends Pick<CodeHook, 'around' | 'next'> {
  /** Whether no code of this actor ever had an effect. */
  readonly isIdle: (self: AnyActorRef) => boolean
}

const nothing = () => undefined

/** For actors whose observers had no effect. */
const IDLE: readonly Observer<unknown>[] = [{ next: nothing, error: nothing, complete: nothing }]

export class RepeatedObservers extends Set<Observer<unknown>> {
  readonly #self: AnyActorRef
  readonly #rounds: Rounds

  constructor(self: AnyActorRef, rounds: Rounds) {
    super()
    this.#self = self
    this.#rounds = rounds
  }

  /** Never empty, because XState would otherwise report errors as uncaught. */
  override get size(): number {
    return super.size + 1
  }

  /** XState iterates over the observers once per notification. */
  override [Symbol.iterator](): SetIterator<Observer<unknown>> {
    const n = this.#rounds.next(this.#self, 'snapshot')
    if (super.size === 0 && this.#rounds.isIdle(this.#self)) return IDLE.values()
    return this.#round(n)
  }

  *#round(n: number): SetIterator<Observer<unknown>> {
    yield* super[Symbol.iterator]()
    const repeat = () => this.#rounds.around(this.#self, 'snapshot', n, nothing)
    yield { next: repeat, error: repeat, complete: repeat }
  }
}
