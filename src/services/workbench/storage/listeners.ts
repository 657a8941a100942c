// A set of change listeners.

export class Listeners {
  readonly #all = new Set<() => void>()

  /** Whether there are any listeners. */
  get areAny(): boolean {
    return this.#all.size > 0
  }

  /** @returns a function that unsubscribes. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#all.add(listener)
    return () => void this.#all.delete(listener)
  }

  readonly notify = (): void => {
    for (const listener of this.#all) listener()
  }
}
