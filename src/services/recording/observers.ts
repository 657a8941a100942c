// An actor's observers as stored by XState, with a hook around their callbacks.
import type { Observer } from 'xstate'
import type { ActorRecord } from './actor-record.ts'
import type { CodeFrames } from './code-frames.ts'
import type { Frame } from './tap-parts.ts'

/** Runs every observer as a call of the app's code. */
export class TappedObservers extends Set<Observer<unknown>> {
  readonly #self: ActorRecord
  readonly #frames: CodeFrames

  constructor(self: ActorRecord, frames: CodeFrames) {
    super()
    this.#self = self
    this.#frames = frames
  }

  /** XState iterates over the observers once per notification. */
  override [Symbol.iterator](): SetIterator<Observer<unknown>> {
    const n = this.#self.counts.snapshot++
    return this.size === 0 ? NOBODY : this.#round({ in: this.#self, phase: 'snapshot', n })
  }

  *#round(frame: Frame): SetIterator<Observer<unknown>> {
    for (const observer of super[Symbol.iterator]()) yield this.#tapped(observer, frame)
  }

  #tapped({ next, error, complete }: Observer<unknown>, frame: Frame): Observer<unknown> {
    const run = (code: () => void) => this.#frames.inside(frame, code)
    return {
      ...(next && { next: (value: unknown) => run(() => next(value)) }),
      ...(error && { error: (reason: unknown) => run(() => error(reason)) }),
      ...(complete && { complete: () => run(() => complete()) }),
    }
  }
}

/** Most actors have no observers, so their iteration is empty. */
const NOBODY = new Set<Observer<unknown>>().values()
for (const _ of NOBODY);
