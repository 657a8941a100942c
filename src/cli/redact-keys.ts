// Redaction by key: collects the values of the given keys, and replaces them.
import { isList, type Json } from '../trace/index.ts'
import { escaped, PSEUDONYM, type Pseudonyms } from './pseudonyms.ts'

/** A record, or a part of one. */
export type Fields = { readonly [key: string]: Json }

export const isFields = (value: Json | undefined): value is Fields =>
  typeof value === 'object' && value !== null && !isList(value)

const plainKey = (key: string) => key.replaceAll(/[_-]/g, '').toLowerCase()

/** The record fields with app data; the others belong to the trace format. */
export const PAYLOAD: ReadonlySet<string> = new Set(
  'input event threw context output error snapshot timers note'.split(' '),
)

/**
 * Collects the values of the keys in a line, and returns the line without them; undefined if there are none.
 */
export function keyRule(
  wanted: readonly string[],
  pseudonyms: Pseudonyms,
): ((line: string) => Json | undefined) | undefined {
  const keys = new Set(wanted.map(plainKey))
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
  if (typeof value === 'string') return PSEUDONYM.test(value) ? value : pseudonyms.of(value)
  if (typeof value === 'number') return pseudonyms.of(String(value))
  for (const part of partsOf(value)) pseudonyms.of(part)
  return pseudonyms.ofWhole(JSON.stringify(value))
}

/** Texts and numbers within a value. */
function partsOf(value: Json, key = ''): string[] {
  // The name of a codec form.
  if (key === '$') return []
  if (typeof value === 'string') return value === '' || PSEUDONYM.test(value) ? [] : [value]
  if (typeof value === 'number') return [String(value)]
  if (isList(value)) return value.flatMap(item => partsOf(item))
  return isFields(value) ? Object.entries(value).flatMap(([name, item]) => partsOf(item, name)) : []
}

function mapFields(fields: Fields, change: (item: Json, key: string) => Json): Fields {
  return Object.fromEntries(Object.entries(fields).map(([key, item]) => [key, change(item, key)]))
}
