// Assigns numbers to recurring values.
import type { StateValue } from '../format/records.ts'

/** Assigns each value a number, counted from `first`, and collects the new ones. */
export class Intern<T> {
  #fresh: T[] = []
  #next: number
  readonly #keyOf: (value: T) => string
  readonly #byKey = new Map<string, number>()
  /** Fast path for identical objects. */
  readonly #byValue = new WeakMap<object, number>()

  constructor(first: number, keyOf: (value: T) => string) {
    this.#next = first
    this.#keyOf = keyOf
  }

  numberOf(value: T): number {
    const isObject = typeof value === 'object' && value !== null
    const seen = isObject ? this.#byValue.get(value) : undefined
    if (seen !== undefined) return seen
    const key = this.#keyOf(value)
    let number = this.#byKey.get(key)
    if (number === undefined) {
      this.#byKey.set(key, (number = this.#next++))
      this.#fresh.push(value)
    }
    if (isObject) this.#byValue.set(value, number)
    return number
  }

  /** Returns the new values since the last call, ordered by number. */
  takeFresh(): T[] {
    const fresh = this.#fresh
    this.#fresh = []
    return fresh
  }
}

export const keyOfState = (value: StateValue): string =>
  typeof value === 'string' ? `"${value}` : JSON.stringify(value)

export const keyOfVia = (via: readonly string[]): string => via.join('\n')
