// What takes the place of values: equal ones get equal pseudonyms, and each is found in the forms in which it may stand.
import { WORD } from '../trace/secret-names.ts'

/** Shorter values would be found inside of ordinary words. */
export const SHORTEST = 6

/** What a pseudonym looks like. */
export const PSEUDONYM = /^\[redacted:\d+\]$/

/** Replaces what is hunted wherever it stands in a text. */
export type Hide = (text: string) => string

/** Hands out the pseudonyms. */
export class Pseudonyms {
  readonly #names = new Map<string, string>()
  /** To be found wherever they stand. */
  readonly #hunted = new Set<string>()
  /** What has parts: these are hunted instead. */
  readonly #wholes = new Set<string>()
  last: number

  /** Numbers go on after those that are taken. */
  constructor(taken: number) {
    this.last = taken
  }

  /** How many values have one. */
  get size(): number {
    return this.#names.size
  }

  /** How many of them are too short or too plain to be hunted. */
  get plain(): number {
    return this.#names.size - this.#hunted.size - this.#wholes.size
  }

  /** Of a value, wherever it stands; words stand in traces for their own sake, too: of events, of states, of machines. */
  of(value: string): string {
    if (value.length >= SHORTEST && !WORD.test(value)) this.#hunted.add(value)
    return this.#nameOf(value)
  }

  /** Of a value that has parts. */
  ofWhole(value: string): string {
    this.#wholes.add(value)
    return this.#nameOf(value)
  }

  hunt(value: string): void {
    this.#hunted.add(value)
    this.#nameOf(value)
  }

  /** Finds every value in each of its forms; the longest first. */
  finder(): Hide {
    const byForm = new Map([...this.#hunted].flatMap(value => formsOf(value, this.#nameOf(value))))
    if (byForm.size === 0) return text => text
    const longestFirst = [...byForm.keys()].sort((a, b) => b.length - a.length || (a < b ? -1 : 1))
    const found = new RegExp(longestFirst.map(escaped).join('|'), 'g')
    return text => text.replace(found, form => byForm.get(form) ?? '')
  }

  #nameOf(value: string): string {
    const known = this.#names.get(value)
    if (known !== undefined) return known
    this.last += 1
    const name = `[redacted:${this.last}]`
    this.#names.set(value, name)
    return name
  }
}

/** A text as a regular expression that finds it. */
export const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)

function formsOf(value: string, name: string): (readonly [form: string, name: string])[] {
  const base64 = Buffer.from(value).toString('base64')
  const forms = [
    value,
    encodeURIComponent(value),
    JSON.stringify(value).slice(1, -1),
    // The last letters depend on what follows it.
    base64.replace(/.?={1,2}$/, ''),
  ]
  return forms.map(form => [form, name] as const)
}
