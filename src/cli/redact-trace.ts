// Takes further secrets out of a trace that is written already: by key and by value, wherever they stand.
import type { Json } from '../trace/codec.ts'
import { createRedactor } from '../trace/redact.ts'
import { WORD } from '../trace/secrets.ts'
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
  /** Too short or too plain to be looked for elsewhere: hidden under their key alone. */
  readonly onlyUnderKey: number
}

/** Shorter values would be found inside of ordinary words. */
export const SHORTEST = 6

/**
 * Gives the trace without them; it replays as before, since equal values stay equal.
 * @throws Error when something of a value is left
 */
export async function redactTrace(
  trace: ReplayableTrace,
  wish: RedactionWish,
  onLine: (line: number) => void = () => undefined,
): Promise<Redacted> {
  const keys = new Set(wish.keys.map(plainKey))
  const pseudonyms = new Pseudonyms(highestNumber(encodeLines(trace)))
  for (const value of wish.values) pseudonyms.hunt(value)
  const learn = (line: string) =>
    payloadOf(JSON.parse(line) as Json, value =>
      underKeys(
        value,
        key => keys.has(plainKey(key)),
        one => pseudonyms.of(one),
      ),
    )
  // First all that stands under the keys is learnt, then each is found wherever it stands.
  if (keys.size > 0) for (const line of encodeLines(trace)) learn(line)
  const hide = pseudonyms.finder()
  const standard = createRedactor()
  // Its numbers go on after those that are taken.
  for (let n = 1; n <= pseudonyms.last; n++) standard.text(`Bearer chartroom-number-${n}`)
  const pieces = Array.from(encodeLines(trace), (line, at) => {
    onLine(at + 1)
    const own = learn(line)
    const hidden = isFields(own) ? { ...everywhere(own, hide), line: own['line'] } : own
    return `${JSON.stringify(standard.value(hidden))}\n`
  })
  const read = await readTrace(new Blob(pieces))
  if (read.kind === 'unusable') throw new Error(`what came out is no trace any more: ${read.message}`)
  checkNothingLeft(encodeLines(read.trace), hide)
  return { trace: read.trace, hidden: pseudonyms.size, onlyUnderKey: pseudonyms.plain }
}

function checkNothingLeft(lines: Iterable<string>, hide: (text: string) => string): void {
  let number = 0
  for (const line of lines) {
    number += 1
    if (hide(line) !== line)
      throw new Error(`something of a value is left in line ${number}; nothing was written`)
  }
}

type Fields = { readonly [key: string]: Json }

const isFields = (value: Json): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const plainKey = (key: string) => key.replaceAll(/[_-]/g, '').toLowerCase()

const NUMBERED = /\[redacted:(\d+)\]/g

function highestNumber(lines: Iterable<string>): number {
  let highest = 0
  for (const line of lines)
    for (const [, digits] of line.matchAll(NUMBERED)) highest = Math.max(highest, Number(digits))
  return highest
}

/** Equal values get equal pseudonyms. */
class Pseudonyms {
  readonly #names = new Map<string, string>()
  readonly #hunted = new Set<string>()
  last: number

  constructor(taken: number) {
    this.last = taken
  }

  get size() {
    return this.#names.size
  }

  get plain() {
    return this.#names.size - this.#hunted.size
  }

  /** To be found wherever it stands. */
  hunt(value: string): void {
    this.of(value)
    this.#hunted.add(value)
  }

  of(value: string): string {
    const known = this.#names.get(value)
    if (known !== undefined) return known
    this.last += 1
    const name = `[redacted:${this.last}]`
    this.#names.set(value, name)
    // Words stand in traces for their own sake, too: of events, of states, of machines.
    if (value.length >= SHORTEST && !WORD.test(value)) this.#hunted.add(value)
    return name
  }

  /** Replaces every value in a text, in each of the forms in which it may stand there; the longest first. */
  finder(): (text: string) => string {
    const forms = [...this.#names].flatMap(([value, name]) =>
      this.#hunted.has(value) ? formsOf(value).map(form => [form, name] as const) : [],
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

/** Where a record holds what the app said; the rest is the trace's own. */
const PAYLOAD: ReadonlySet<string> = new Set(
  'input event threw context output error snapshot timers note'.split(' '),
)

function payloadOf(line: Json, change: (value: Json) => Json): Json {
  if (!isFields(line)) return line
  const fields = Object.entries(line).map(([name, value]) => [
    name,
    PAYLOAD.has(name) ? change(value) : value,
  ])
  return Object.fromEntries(fields) as Json
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
