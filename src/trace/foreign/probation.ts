// Hides phantoms: React's strict mode makes, starts and stops a system before it starts the one that stays.
import { rootOf, type Life, type Step } from './lives.ts'

/** A system that ends this soon, and was told nothing, was none; in milliseconds. */
const SOON = 100

interface Trial {
  readonly since: number
  readonly held: Step[]
}

/** Holds back the first steps of each system until it is sure that it stays. */
export class Probation {
  readonly #write: (step: Step) => void
  readonly #trials = new Map<Life, Trial>()
  /** Actors that were hidden. */
  hidden = 0

  constructor(write: (step: Step) => void) {
    this.#write = write
  }

  /** A step whose cause came before it. */
  take(step: Step): void {
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

  /** Nothing more came for a while. */
  settle(): void {
    for (const root of this.#trials.keys()) this.#release(root)
  }

  #begin(root: Life, { life, event, at }: Step): Trial | undefined {
    if (life !== root || event.type !== 'xstate.init') return undefined
    const trial = { since: at, held: [] }
    this.#trials.set(root, trial)
    return trial
  }

  /** Together with those that began before it, so that actors stand in the order of their start. */
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
