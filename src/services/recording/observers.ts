// The observers of an actor as XState keeps them, with a hook around what they do when they are told something.
import type { AnyActorRef, Observer } from 'xstate'
import type { CodeHook } from './capture.ts'

type Hook = Pick<CodeHook, 'around' | 'next'>

/** Runs every observer inside the hook. */
export class TappedObservers extends Set<Observer<unknown>> {
  readonly #self: AnyActorRef
  readonly #hook: Hook

  constructor(self: AnyActorRef, hook: Hook) {
    super()
    this.#self = self
    this.#hook = hook
  }

  /** XState goes through its observers once for every time that it tells them something. */
  override [Symbol.iterator](): SetIterator<Observer<unknown>> {
    const n = this.#hook.next(this.#self, 'snapshot')
    return this.size === 0 ? super[Symbol.iterator]() : this.#round(n)
  }

  *#round(n: number): SetIterator<Observer<unknown>> {
    for (const observer of super[Symbol.iterator]()) yield this.#tapped(observer, n)
  }

  #tapped(observer: Observer<unknown>, n: number): Observer<unknown> {
    const run = (code: () => void) => this.#hook.around(this.#self, 'snapshot', n, code)
    const { next, error, complete } = observer
    return {
      ...(next && { next: (value: unknown) => run(() => next(value)) }),
      ...(error && { error: (reason: unknown) => run(() => error(reason)) }),
      ...(complete && { complete: () => run(() => complete()) }),
    }
  }
}

/** In a replay nobody looks on: in every round, what the observers did then is repeated. */
export class RepeatedObservers extends Set<Observer<unknown>> {
  readonly #self: AnyActorRef
  readonly #hook: Hook

  constructor(self: AnyActorRef, hook: Hook) {
    super()
    this.#self = self
    this.#hook = hook
  }

  /** Never empty, or an error would be thrown at the process. */
  override get size(): number {
    return super.size + 1
  }

  override *[Symbol.iterator](): SetIterator<Observer<unknown>> {
    const n = this.#hook.next(this.#self, 'snapshot')
    yield* super[Symbol.iterator]()
    const repeat = () => this.#hook.around(this.#self, 'snapshot', n, () => undefined)
    yield { next: repeat, error: repeat, complete: repeat }
  }
}
