// Pseudonyms for redacted values: equal values get equal pseudonyms, and each is found in all its encodings.
import { WORD } from '../trace/index.ts'

/** Shorter values would match inside ordinary words. */
export const SHORTEST = 6

/** Replaces all redacted values in a text. */
export type Hide = (text: string) => string

/** Assigns the pseudonyms. */
export class Pseudonyms {
  readonly #names = new Map<string, string>()
  /** Values to replace everywhere. */
  readonly #hunted = new Set<string>()
  /** Composite values, whose parts are replaced instead. */
  readonly #wholes = new Set<string>()
  last: number

  /** Numbering continues after the pseudonyms already in the trace. */
  constructor(firstNumber: number) {
    this.last = firstNumber
  }

  /** Number of values with a pseudonym. */
  get size(): number {
    return this.#names.size
  }

  /** Number of values that are too short or too common to search for. */
  get plain(): number {
    return this.#names.size - this.#hunted.size - this.#wholes.size
  }

  /**
   * Returns the pseudonym of a value to replace everywhere. Single words are excluded, since they also occur
   * as event, state and machine names.
   */
  of(value: string): string {
    if (value.length >= SHORTEST && !WORD.test(value)) this.#hunted.add(value)
    return this.#nameOf(value)
  }

  /** Returns the pseudonym of a composite value. */
  ofWhole(value: string): string {
    this.#wholes.add(value)
    return this.#nameOf(value)
  }

  hunt(value: string): void {
    this.#hunted.add(value)
    this.#nameOf(value)
  }

  /** Creates a function that finds every value in each of its encodings, the longest first. */
  finder(): Hide {
    const byForm = new Map([...this.#hunted].flatMap(value => formsOf(value, this.#nameOf(value))))
    if (byForm.size === 0) return text => text
    const longestFirst = [...byForm.keys()].sort((a, b) => b.length - a.length || (a < b ? -1 : 1))
    const pattern = new RegExp(longestFirst.map(escaped).join('|'), 'g')
    return text => text.replace(pattern, form => byForm.get(form) ?? '')
  }

  #nameOf(value: string): string {
    const pseudonym = this.#names.get(value)
    if (pseudonym !== undefined) return pseudonym
    this.last += 1
    const name = `[redacted:${this.last}]`
    this.#names.set(value, name)
    return name
  }
}

/** Escapes a text for use in a regular expression. */
export const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)

function formsOf(value: string, name: string): (readonly [form: string, name: string])[] {
  const base64 = Buffer.from(value).toString('base64')
  const forms = [
    value,
    encodeURIComponent(value),
    JSON.stringify(value).slice(1, -1),
    // The last letters depend on what follows the value.
    base64.replace(/.?={1,2}$/, ''),
  ]
  return forms.map(form => [form, name] as const)
}
