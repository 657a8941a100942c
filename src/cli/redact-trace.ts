// Redacts additional secrets from an existing trace: by key and by value, wherever they occur.
import {
  createRedactor,
  decodeValue,
  encodeValue,
  isList,
  isStandIn,
  type Json,
  secretKeys,
} from '../trace/index.ts'
import { encodeFile, encodeLines, readTrace, type ReplayableTrace } from '../public/devtools/replay.ts'
import { escaped, type Hide, Pseudonyms } from './pseudonyms.ts'

interface RedactionWish {
  /** Values of these keys are removed, in any spelling: `card-number`, `cardNumber`. */
  readonly keys: readonly string[]
  /** These values are removed everywhere. */
  readonly values: readonly string[]
}

interface Redacted {
  /** The new file. */
  readonly bytes: Uint8Array
  /** Number of different values replaced by pseudonyms. */
  readonly hidden: number
  /** Values too short or too common to search for elsewhere: redacted only under their key. */
  readonly onlyUnderKey: number
}

/**
 * Returns the redacted trace; it still replays, since equal values stay equal.
 * @throws Error if any part of a value remains
 */
export async function redactTrace(
  trace: ReplayableTrace,
  request: RedactionWish,
  onLine: (line: number, of: number) => void = () => undefined,
): Promise<Redacted> {
  const lines = [...encodeLines(trace)]
  const pseudonyms = new Pseudonyms(highestNumber(lines))
  for (const value of request.values) pseudonyms.hunt(value)
  const underKeys = keyRule(request.keys, pseudonyms)
  // First collects all values of the keys, then replaces each everywhere.
  for (const line of lines) underKeys?.(line)
  const hide = pseudonyms.finder()
  const byStandard = standardRules(pseudonyms.last)
  const changed = lines.map((line, at) => {
    onLine(at + 1, lines.length)
    const replacement = underKeys?.(line)
    return byStandard(
      replacement === undefined && hide(line) === line ? line : hiddenIn(replacement ?? parsed(line), hide),
    )
  })
  const read = await readTrace(bytesOf(changed))
  if (read.kind === 'unusable') throw new Error(`the redacted file is not a valid trace: ${read.message}`)
  const bytes = await encodeFile(read.trace, { onLine: checkNothingLeft(hide) })
  return { bytes, hidden: pseudonyms.size, onlyUnderKey: pseudonyms.plain }
}

/** The recorder's rules, for lines that they may change; numbering continues after existing pseudonyms. */
function standardRules(firstNumber: number): (line: string) => string {
  const { text, value, nameless } = createRedactor()
  for (let n = 1; n <= firstNumber; n++) text(`Bearer chartroom-number-${n}`)
  const { kindOf } = secretKeys()
  const cache = new Map<string, boolean>()
  const namesSecret = (name: string) => {
    const matches =
      cache.get(name) ?? (['name', 'path', 'type'] as const).some(as => kindOf(name, as) !== undefined)
    cache.set(name, matches)
    return matches
  }
  // Escaped text may contain a secret in another spelling.
  const mayChange = (line: string) =>
    line.includes('\\') ||
    text(line) !== line ||
    Array.from(line.matchAll(QUOTED)).some(([, name = '']) => namesSecret(name))
  const redacted = (record: Json) =>
    isFields(record)
      ? mapFields(record, (item, name) =>
          PAYLOAD.has(name) ? encodeValue(value(decodeValue(item))) : nameless(item),
        )
      : record
  return line => (mayChange(line) ? JSON.stringify(redacted(parsed(line))) : line)
}

const parsed = (line: string) => JSON.parse(line) as Json

const hiddenIn = (record: Json, hide: Hide) =>
  JSON.stringify(isFields(record) ? { ...withoutHunted(record, hide), line: record['line'] } : record)

/** Keys, and texts that may be the names of fields. */
const QUOTED = /"([^"\\]{1,120})"/g

/** Encodes line by line, in large parts, since a string cannot be as long as a file. */
function bytesOf(lines: readonly string[]): Uint8Array {
  const parts: Buffer[] = []
  for (let at = 0; at < lines.length; at += PART)
    parts.push(Buffer.from(`${lines.slice(at, at + PART).join('\n')}\n`))
  return Buffer.concat(parts)
}

const PART = 1_000

function checkNothingLeft(hide: Hide): (line: string) => void {
  let number = 0
  return line => {
    number += 1
    if (hide(line) === line) return
    const record = parsed(line)
    // A number of the trace itself, such as a time, may equal a value.
    const isLeft = isFields(record) && JSON.stringify(withoutHunted(record, hide)) !== JSON.stringify(record)
    if (isLeft) throw new Error(`part of a value remains in line ${number}; nothing was written`)
  }
}

const NUMBERED = /\[redacted:(\d+)\]/g

function highestNumber(lines: readonly string[]): number {
  let highest = 0
  for (const line of lines)
    for (const [, digits] of line.matchAll(NUMBERED)) highest = Math.max(highest, Number(digits))
  return highest
}

/** Returns the record with every text replaced, including keys, and numbers in app data. */
function withoutHunted(record: Fields, hide: Hide): Fields {
  const visit = (value: Json, isPayload: boolean): Json => {
    if (typeof value === 'string') return hide(value)
    if (typeof value === 'number' && isPayload) return numberHidden(value, hide)
    if (isList(value)) return value.map(item => visit(item, isPayload))
    if (!isFields(value)) return value
    const { $: tag, value: inner } = value
    // A number or date that is no longer valid after redaction.
    const isForm = (tag === 'bigint' || tag === 'date') && typeof inner === 'string' && hide(inner) !== inner
    return isForm ? hide(inner) : fields(value, isPayload)
  }
  const fields = (of: Fields, isPayload: boolean) =>
    Object.fromEntries(Object.entries(of).map(([key, item]) => [hide(key), visit(item, isPayload)]))
  const entries = Object.entries(record).map(([key, item]) => [hide(key), visit(item, PAYLOAD.has(key))])
  return Object.fromEntries(entries) as Fields
}

/** Only the complete number: digits inside another number are unrelated. */
function numberHidden(value: number, hide: Hide): Json {
  const hidden = hide(String(value))
  return isStandIn(hidden) ? hidden : value
}

/** A record, or a part of one. */
type Fields = { readonly [key: string]: Json }

const isFields = (value: Json | undefined): value is Fields =>
  typeof value === 'object' && value !== null && !isList(value)

const plainKey = (key: string) => key.replaceAll(/[_-]/g, '').toLowerCase()

/** The record fields with app data; the others belong to the trace format. */
const PAYLOAD: ReadonlySet<string> = new Set(
  'input event threw context output error snapshot timers note'.split(' '),
)

/**
 * Collects the values of the keys in a line, and returns the line without them; undefined if there are none.
 */
function keyRule(
  values: readonly string[],
  pseudonyms: Pseudonyms,
): ((line: string) => Json | undefined) | undefined {
  const keys = new Set(values.map(plainKey))
  if (keys.size === 0) return undefined
  const mayBeIn = spellings(keys)
  const visit = (value: Json): Json => {
    if (isList(value)) {
      const [key, item] = value
      // An entry of a map.
      const isEntry = value.length === 2 && typeof key === 'string' && keys.has(plainKey(key))
      return isEntry && item !== undefined ? [key, replaced(item, pseudonyms)] : value.map(visit)
    }
    if (!isFields(value)) return value
    return mapFields(value, (item, key) =>
      keys.has(plainKey(key)) ? replaced(item, pseudonyms) : visit(item),
    )
  }
  return line => {
    if (!mayBeIn(line)) return undefined
    const record = JSON.parse(line) as Json
    if (!isFields(record)) return record
    return mapFields(record, (item, name) => (PAYLOAD.has(name) ? visit(item) : item))
  }
}

/** Tests whether a line contains such a key in any spelling, so that most lines need no parsing. */
function spellings(keys: ReadonlySet<string>): (line: string) => boolean {
  const letters = [...keys].map(key => Array.from(key, letter => escaped(letter)).join('[_-]*'))
  const pattern = new RegExp(`"[_-]*(?:${letters.join('|')})[_-]*"`, 'iu')
  // Such letters are escaped in JSON.
  const isPlain = [...keys].every(key => /^[\x20-\x7e]*$/.test(key) && !/["\\]/.test(key))
  return isPlain ? line => pattern.test(line) : () => true
}

function replaced(value: Json, pseudonyms: Pseudonyms): Json {
  if (value === null || value === '' || typeof value === 'boolean') return value
  if (typeof value === 'string') return isStandIn(value) ? value : pseudonyms.of(value)
  if (typeof value === 'number') return pseudonyms.of(String(value))
  for (const part of partsOf(value)) pseudonyms.of(part)
  return pseudonyms.ofWhole(JSON.stringify(value))
}

/** Texts and numbers within a value. */
function partsOf(value: Json, key = ''): string[] {
  // The name of a codec form.
  if (key === '$') return []
  if (typeof value === 'string') return value === '' || isStandIn(value) ? [] : [value]
  if (typeof value === 'number') return [String(value)]
  if (isList(value)) return value.flatMap(item => partsOf(item))
  return isFields(value) ? Object.entries(value).flatMap(([name, item]) => partsOf(item, name)) : []
}

function mapFields(fields: Fields, change: (item: Json, key: string) => Json): Fields {
  return Object.fromEntries(Object.entries(fields).map(([key, item]) => [key, change(item, key)]))
}
