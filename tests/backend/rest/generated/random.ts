// Choices of a generator, which follow from its seed.
import { createSeededEntropy } from '../../../../src/services/runtime/entropy.ts'

export class Dice {
  readonly #random: () => number

  constructor(seed: number) {
    // Neighboring seeds would begin alike.
    this.#random = createSeededEntropy(Math.imul(seed + 1, 0x9e3779b1)).random
  }

  /** Whether something of this probability happens. */
  chance(probability: number): boolean {
    return this.#random() < probability
  }

  /** An integer from `least` to `most`. */
  int(least: number, most: number): number {
    return least + Math.floor(this.#random() * (most - least + 1))
  }

  pick<T>(items: readonly T[]): T {
    if (items.length === 0) throw new Error('Nothing to choose from.')
    return items[this.int(0, items.length - 1)] as T
  }

  /** A number of different items, in random order. */
  some<T>(items: readonly T[], count: number): readonly T[] {
    const rest = [...items]
    const taken: T[] = []
    while (taken.length < count && rest.length > 0)
      taken.push(...rest.splice(this.int(0, rest.length - 1), 1))
    return taken
  }

  /** A list that a function fills. */
  list<T>(least: number, most: number, each: () => T): readonly T[] {
    return Array.from({ length: this.int(least, most) }, each)
  }
}
