// Those who want to know when something has changed.

export class Listeners {
  readonly #all = new Set<() => void>()

  /** Whether anybody wants to know. */
  get areAny(): boolean {
    return this.#all.size > 0
  }

  /** @returns ends it */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#all.add(listener)
    return () => void this.#all.delete(listener)
  }

  readonly tell = (): void => {
    for (const listener of this.#all) listener()
  }
}
