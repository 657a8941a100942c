// Puts another app's steps in causal order: the protocol reports a step after the steps that it caused.
import type { Life, ForeignStep } from './lives.ts'
import type { EventMessage, SnapshotMessage } from './message.ts'

/** Maximum number of events in progress; beyond that, the oldest are abandoned. */
const MAX_OPEN = 5_000
/** Number of checks after which an unprocessed event is abandoned. */
const PATIENCE = 2

/** Creates a sequencer; `write` receives each step when it is complete and its cause was written. */
export class Sequencer {
  readonly #write: (step: ForeignStep) => void
  readonly #open = new Set<ForeignStep>()

  constructor(write: (step: ForeignStep) => void) {
    this.#write = write
  }

  /** An event was sent to an actor. */
  sent(life: Life, from: Life | undefined, { event, size }: EventMessage, at: number): void {
    const step = this.#begin(life, { event, size }, from, from?.open[0], at)
    // The actor has ended and cannot process it.
    if (life.ended) return this.#finish(step)
    life.open.push(step)
    this.#open.add(step)
    if (this.#open.size > MAX_OPEN) this.#giveUpOldest()
  }

  /** An actor has processed an event. */
  taken(life: Life, { event, size, snapshot }: SnapshotMessage, at: number): void {
    const place = life.open.findIndex(step => step.event.type === event.type || event.type === '')
    const step = life.open[place] ?? this.#unannounced(life, { event, size }, at)
    // An actor processes events in order, so earlier ones were dropped.
    const passed = life.open.slice(0, Math.max(0, place))
    life.open.splice(0, place + 1)
    step.snapshot = snapshot
    if (snapshot.status !== 'active') {
      life.ended = true
      passed.push(...life.open.splice(0))
    }
    for (const one of passed) this.#finish(one)
    this.#finish(step)
  }

  /** A parent that stops an actor sends it no event. */
  #unannounced(life: Life, taken: Pick<EventMessage, 'event' | 'size'>, at: number): ForeignStep {
    const by = life.parent?.open[0]
    return this.#begin(life, taken, by && life.parent, by, at)
  }

  /** Abandons what has been open for a while; call it periodically. */
  settle(): void {
    for (const step of this.#open) {
      step.age += 1
      if (step.age >= PATIENCE) this.#giveUp(step)
    }
  }

  /** Abandons everything that is open. */
  close(): void {
    for (const step of this.#open) this.#giveUp(step)
  }

  #begin(
    life: Life,
    { event, size }: Pick<EventMessage, 'event' | 'size'>,
    from: Life | undefined,
    by: ForeignStep | undefined,
    at: number,
  ): ForeignStep {
    return { life, event, size, from, by, at, passed: false, waiting: [], age: 0 }
  }

  #giveUpOldest(): void {
    const [oldest] = this.#open
    if (oldest) this.#giveUp(oldest)
  }

  #giveUp(step: ForeignStep): void {
    const place = step.life.open.indexOf(step)
    if (place !== -1) step.life.open.splice(place, 1)
    this.#finish(step)
  }

  #finish(step: ForeignStep): void {
    this.#open.delete(step)
    if (step.by && !step.by.passed) step.by.waiting.push(step)
    else this.#writeAll(step)
  }

  /** Iterative, since a chain may be long. */
  #writeAll(first: ForeignStep): void {
    const stack = [first]
    for (let step = stack.pop(); step; step = stack.pop()) {
      step.passed = true
      this.#write(step)
      stack.push(...step.waiting.splice(0).reverse())
    }
  }
}
