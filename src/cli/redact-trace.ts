// Takes further secrets out of a trace that is written already: by key and by value, wherever they stand.
import type { Json } from '../trace/codec.ts'
import { createRedactor } from '../trace/redact.ts'
import { encodeLines, readTrace, type ReplayableTrace } from '../replay.ts'

export interface RedactionWish {
  /** What stands under one of these goes, however they are spelt: `card-number`, `cardNumber`. */
  readonly keys: readonly string[]
  /** These go wherever they stand. */
  readonly values: readonly string[]
}

export interface Redacted {
  readonly trace: ReplayableTrace
  /** How many different values gave way to a pseudonym. */
  readonly hidden: number
  /** Too short to be looked for elsewhere: hidden under their key alone. */
  readonly onlyUnderKey: number
}

/** Shorter values would be found inside of ordinary words. */
export const SHORTEST = 6

/**
 * Gives the trace without them; it replays as before, since equal values stay equal.
 * @throws Error when something of a value is left
 */
export async function redactTrace(trace: ReplayableTrace, wish: RedactionWish): Promise<Redacted> {
  const lines = [...encodeLines(trace)].map(line => JSON.parse(line) as Json)
  const pseudonyms = new Pseudonyms(highestNumber(lines))
  for (const value of wish.values) pseudonyms.of(value)
  const keys = new Set(wish.keys.map(plainKey))
  const isKey = (key: string) => keys.has(plainKey(key))
  // First all that stands under the keys is learnt, then each is found wherever it stands.
  const learnt = lines.map(line => underKeys(line, isKey, value => pseudonyms.of(value)))
  const hide = pseudonyms.finder()
  const own = learnt.map(line => (isFields(line) ? { ...everywhere(line, hide), line: line['line'] } : line))
  const standard = createRedactor()
  // Its numbers go on after those that are taken.
  for (let n = 1; n <= pseudonyms.last; n++) standard.text(`Bearer chartroom-number-${n}`)
  const text = own.map(line => JSON.stringify(standard.value(line))).join('\n')
  const read = await readTrace(`${text}\n`)
  if (read.kind === 'unusable') throw new Error(`what came out is no trace any more: ${read.message}`)
  const left = [...encodeLines(read.trace)].findIndex(line => hide(line) !== line)
  if (left !== -1) throw new Error(`something of a value is left in line ${left + 1}; nothing was written`)
  return { trace: read.trace, hidden: pseudonyms.size, onlyUnderKey: pseudonyms.short }
}

type Fields = { readonly [key: string]: Json }

const isFields = (value: Json): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const plainKey = (key: string) => key.replaceAll(/[_-]/g, '').toLowerCase()

const NUMBERED = /\[redacted:(\d+)\]/g

function highestNumber(lines: readonly Json[]): number {
  let highest = 0
  for (const [, digits] of JSON.stringify(lines).matchAll(NUMBERED))
    highest = Math.max(highest, Number(digits))
  return highest
}

/** Equal values get equal pseudonyms. */
class Pseudonyms {
  readonly #names = new Map<string, string>()
  last: number

  constructor(taken: number) {
    this.last = taken
  }

  get size() {
    return this.#names.size
  }

  get short() {
    return [...this.#names.keys()].filter(value => value.length < SHORTEST).length
  }

  of(value: string): string {
    const known = this.#names.get(value)
    if (known !== undefined) return known
    this.last += 1
    const name = `[redacted:${this.last}]`
    this.#names.set(value, name)
    return name
  }

  /** Replaces every value in a text, in each of the forms in which it may stand there; the longest first. */
  finder(): (text: string) => string {
    const forms = [...this.#names].flatMap(([value, name]) =>
      value.length < SHORTEST ? [] : formsOf(value).map(form => [form, name] as const),
    )
    if (forms.length === 0) return text => text
    const byForm = new Map(forms)
    const longestFirst = [...byForm.keys()].sort((a, b) => b.length - a.length || (a < b ? -1 : 1))
    const found = new RegExp(
      longestFirst.map(form => form.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)).join('|'),
      'g',
    )
    return text => text.replace(found, form => byForm.get(form) ?? '')
  }
}

function formsOf(value: string): string[] {
  const base64 = Buffer.from(value).toString('base64')
  return [
    value,
    encodeURIComponent(value),
    JSON.stringify(value).slice(1, -1),
    // The last letters depend on what follows it.
    base64.replace(/.?={1,2}$/, ''),
  ]
}

/** With what stands under the keys learnt and replaced. */
function underKeys(value: Json, isKey: (key: string) => boolean, learn: (value: string) => string): Json {
  if (Array.isArray(value)) {
    const items = value as readonly Json[]
    // An entry of a map.
    const [key, ...rest] = items
    const isEntry = rest.length === 1 && typeof key === 'string' && isKey(key)
    return isEntry
      ? [key, ...rest.map(item => replaced(item, learn))]
      : items.map(item => underKeys(item, isKey, learn))
  }
  if (!isFields(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      isKey(key) ? replaced(item, learn) : underKeys(item, isKey, learn),
    ]),
  )
}

function replaced(value: Json, learn: (value: string) => string): Json {
  if (value === null || value === '' || typeof value === 'boolean') return value
  if (typeof value !== 'string') return learn(JSON.stringify(value))
  return /^\[redacted:\d+\]$/.test(value) ? value : learn(value)
}

/** With every text in it changed, keys too. */
function everywhere(fields: Fields, hide: (text: string) => string): Fields {
  const visit = (value: Json): Json => {
    if (typeof value === 'string') return hide(value)
    if (Array.isArray(value)) return (value as readonly Json[]).map(visit)
    return isFields(value) ? everywhere(value, hide) : value
  }
  return Object.fromEntries(Object.entries(fields).map(([key, item]) => [hide(key), visit(item)]))
}
