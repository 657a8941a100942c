// Numbers for values that occur again and again.
import type { StateValue } from '../format.ts'

/** Gives each value a number, counted from `first`, and remembers which ones are new. */
export class Intern<T> {
  #fresh: T[] = []
  #next: number
  readonly #keyOf: (value: T) => string
  readonly #byKey = new Map<string, number>()
  /** Values of one identity need no look. */
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

  /** The values that got their numbers since the last time, in the order of those. */
  takeFresh(): T[] {
    const fresh = this.#fresh
    this.#fresh = []
    return fresh
  }
}

export const keyOfState = (value: StateValue): string =>
  typeof value === 'string' ? `"${value}` : JSON.stringify(value)

export const keyOfVia = (via: readonly string[]): string => via.join('\n')
