// A set of listeners.

export class Listeners<Values extends readonly unknown[] = []> {
  readonly #all = new Set<(...values: Values) => void>()

  /** Whether there are any listeners. */
  get areAny(): boolean {
    return this.#all.size > 0
  }

  /** @returns a function that unsubscribes. A listener that is added twice is called twice. */
  readonly subscribe = (listener: (...values: Values) => void): (() => void) => {
    const own = (...values: Values) => listener(...values)
    this.#all.add(own)
    return () => void this.#all.delete(own)
  }

  readonly notify = (...values: Values): void => {
    for (const listener of this.#all) listener(...values)
  }

  readonly clear = (): void => this.#all.clear()
}
