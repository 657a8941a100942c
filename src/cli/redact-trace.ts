// Redacts additional secrets from an existing trace: by key and by value, wherever they occur.
import { createRedactor, isList, type Json, secretKeys } from '../trace/index.ts'
import { encodeFile, encodeLines, readTrace, type ReplayableTrace } from '../public/replay.ts'
import { PSEUDONYM, Pseudonyms, type Hide } from './pseudonyms.ts'
import { isFields, keyRule, PAYLOAD, type Fields } from './redact-keys.ts'

export interface RedactionWish {
  /** Values of these keys are removed, in any spelling: `card-number`, `cardNumber`. */
  readonly keys: readonly string[]
  /** These values are removed everywhere. */
  readonly values: readonly string[]
}

export interface Redacted {
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
  wish: RedactionWish,
  onLine: (line: number, of: number) => void = () => undefined,
): Promise<Redacted> {
  const lines = [...encodeLines(trace)]
  const pseudonyms = new Pseudonyms(highestNumber(lines))
  for (const value of wish.values) pseudonyms.hunt(value)
  const underKeys = keyRule(wish.keys, pseudonyms)
  // First collects all values of the keys, then replaces each everywhere.
  for (const line of lines) underKeys?.(line)
  const hide = pseudonyms.finder()
  const byStandard = standardRules(pseudonyms.last)
  const changed = lines.map((line, at) => {
    onLine(at + 1, lines.length)
    const own = underKeys?.(line)
    return byStandard(own === undefined && hide(line) === line ? line : hiddenIn(own ?? parsed(line), hide))
  })
  const read = await readTrace(bytesOf(changed))
  if (read.kind === 'unusable') throw new Error(`the redacted file is not a valid trace: ${read.message}`)
  const bytes = await encodeFile(read.trace, { onLine: checkNothingLeft(hide) })
  return { bytes, hidden: pseudonyms.size, onlyUnderKey: pseudonyms.plain }
}

/** The recorder's rules, for lines that they may change; numbering continues after existing pseudonyms. */
function standardRules(taken: number): (line: string) => string {
  const { text, value } = createRedactor()
  for (let n = 1; n <= taken; n++) text(`Bearer chartroom-number-${n}`)
  const isSecretKey = secretKeys()
  const known = new Map<string, boolean>()
  const isSecret = (key: string) => {
    const found = known.get(key) ?? isSecretKey(key, LIKE_A_TOKEN)
    known.set(key, found)
    return found
  }
  // Escaped text may contain a secret in another spelling.
  const mayChange = (line: string) =>
    line.includes('\\') ||
    text(line) !== line ||
    Array.from(line.matchAll(KEY)).some(([, key = '']) => isSecret(key))
  return line => (mayChange(line) ? JSON.stringify(value(parsed(line))) : line)
}

const parsed = (line: string) => JSON.parse(line) as Json

const hiddenIn = (record: Json, hide: Hide) =>
  JSON.stringify(isFields(record) ? { ...withoutHunted(record, hide), line: record['line'] } : record)

const KEY = /"([^"\\]*)":/g
const LIKE_A_TOKEN = 'a1b2c3d4'

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
  return PSEUDONYM.test(hidden) ? hidden : value
}
