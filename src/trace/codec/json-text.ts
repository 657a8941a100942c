// Serializes report values as JSON text.
import type { Json } from './json.ts'
import { encodeCompact, encodeValue } from './codec.ts'
import { isPlain } from './values.ts'
import { isLargerThan, partsIn } from './walk.ts'

/** Values with more parts are examined for objects that occur in them often. */
const SMALL = 10_000
/** If the text would have this many times more parts than the value, it is in the codec's form, which refers to them. */
const OFTEN = 4

/**
 * Like `JSON.stringify`, with the codec's form for values without a JSON form: errors, maps, bigints, actors.
 */
export function jsonText(value: unknown): string {
  if (isLargerThan(value, SMALL) && isLargerThan(value, OFTEN * partsIn(value)))
    return JSON.stringify(encodeCompact(value))
  return JSON.stringify(value, (_, item: unknown) => (isJson(item) ? item : encodeValue(item))) ?? 'undefined'
}

/** Returns the beginning of that text: at most this many characters, followed by `...` if there are more. */
export function jsonStart(value: unknown, most: number): string {
  const text = startOf(value, most + 1)
  return text.length > most ? `${text.slice(0, most - 3)}...` : text
}

/** Each level of nesting takes a character, so `most` also limits the recursion. */
function startOf(value: unknown, most: number): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, most))
  if (typeof value !== 'object' || value === null || !isJson(value)) {
    if (isJson(value)) return JSON.stringify(value) ?? 'undefined'
    // Few values have another form, and most of those are small.
    return isLargerThan(value, most) ? startOf(headOf(value), most) : JSON.stringify(encodeValue(value))
  }
  const isList = Array.isArray(value)
  let text = isList ? '[' : '{'
  let count = 0
  for (const key of isList ? value.keys() : Object.keys(value)) {
    if (text.length > most) return text
    const item: unknown = Reflect.get(value, key)
    if (!isList && (item === undefined || typeof item === 'function' || typeof item === 'symbol')) continue
    const name = isList ? '' : `${JSON.stringify(String(key).slice(0, most))}:`
    text += `${count++ > 0 ? ',' : ''}${name}`
    text += item === undefined ? 'null' : startOf(item, Math.max(0, most - text.length))
  }
  return text + (isList ? ']' : '}')
}

/** The beginning of a large value without a JSON form. */
function headOf(value: unknown): Json {
  return { $: Object.prototype.toString.call(value).slice(8, -1).toLowerCase() }
}

function isJson(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return typeof value !== 'bigint'
  return Array.isArray(value) || isPlain(value)
}
