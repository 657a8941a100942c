// Hides phantom systems: React's strict mode creates, starts and stops a system before it starts the real
// one.
import { rootOf, type Life, type ForeignStep } from './lives.ts'

/** A system that ends within this many milliseconds, without receiving an event, is a phantom. */
const SOON = 100

interface Trial {
  readonly since: number
  readonly held: ForeignStep[]
}

/** Buffers the first steps of each system until it is certain that it persists. */
export class Probation {
  readonly #write: (step: ForeignStep) => void
  readonly #trials = new Map<Life, Trial>()
  /** Number of hidden actors. */
  hidden = 0

  constructor(write: (step: ForeignStep) => void) {
    this.#write = write
  }

  /** Receives a step; its cause comes first. */
  take(step: ForeignStep): void {
    const root = rootOf(step.life)
    const trial = this.#trials.get(root) ?? this.#begin(root, step)
    if (!trial) return this.#write(step)
    trial.held.push(step)
    const { type } = step.event
    const soon = step.at - trial.since <= SOON
    if (step.life === root && root.ended && type === 'xstate.stop' && soon) return this.#discard(root, trial)
    const isOfItself = step.by !== undefined || type === 'xstate.init' || type === 'xstate.stop'
    if (!isOfItself || !soon) this.#release(root)
  }

  /** No more messages arrived for a while. */
  settle(): void {
    for (const root of this.#trials.keys()) this.#release(root)
  }

  #begin(root: Life, { life, event, at }: ForeignStep): Trial | undefined {
    if (life !== root || event.type !== 'xstate.init') return undefined
    const trial = { since: at, held: [] }
    this.#trials.set(root, trial)
    return trial
  }

  /** Also releases systems that started earlier, so that actors appear in start order. */
  #release(until: Life): void {
    for (const [root, { held }] of this.#trials) {
      this.#trials.delete(root)
      for (const step of held) this.#write(step)
      if (root === until) return
    }
  }

  #discard(root: Life, { held }: Trial): void {
    this.#trials.delete(root)
    this.hidden += new Set(held.map(({ life }) => life)).size
  }
}
