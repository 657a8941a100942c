// A set of listeners.

export class Listeners<Values extends readonly unknown[] = []> extends Set<(...values: Values) => void> {
  /** @returns a function that unsubscribes. A listener that is added twice is called twice. */
  readonly subscribe = (listener: (...values: Values) => void): (() => void) => {
    const own = (...values: Values) => listener(...values)
    this.add(own)
    return () => void this.delete(own)
  }

  readonly notify = (...values: Values): void => {
    for (const listener of this) listener(...values)
  }
}
