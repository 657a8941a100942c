// The observers of an actor in a replay: nobody looks on, and in every round, what they did then is repeated.
import type { AnyActorRef, Observer } from 'xstate'
import type { CodeHook } from '../recording/capture.ts'

/** How the rounds of an actor are repeated. */
export interface Rounds extends Pick<CodeHook, 'around' | 'next'> {
  /** Whether anything was ever done in the code of this actor. */
  readonly isIdle: (self: AnyActorRef) => boolean
}

const nothing = () => undefined

/** For the rounds of actors whose observers did nothing. */
const IDLE: readonly Observer<unknown>[] = [{ next: nothing, error: nothing, complete: nothing }]

export class RepeatedObservers extends Set<Observer<unknown>> {
  readonly #self: AnyActorRef
  readonly #rounds: Rounds

  constructor(self: AnyActorRef, rounds: Rounds) {
    super()
    this.#self = self
    this.#rounds = rounds
  }

  /** Never empty, or an error would be thrown at the process. */
  override get size(): number {
    return super.size + 1
  }

  /** XState goes through its observers once for every time that it tells them something. */
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
