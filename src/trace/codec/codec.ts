// The codec: live values to JSON values and back, with a tag for everything that JSON cannot represent.
import type { Json } from './json.ts'
import { type WebContent, webContent } from './web-values.ts'
import { withParts, withSharedParts } from './shared-parts.ts'
import {
  ActorReference,
  MAX_BIGINT_DIGITS,
  MAX_DEPTH,
  Opaque,
  errorExtras,
  errorText,
  functionName,
  isPlain,
  readField,
  setOwn,
  unwritable,
} from './values.ts'

const TAG = '$'

/**
 * Encodes any value as JSON. Encoding a decoded value gives the same JSON again. Never throws: a marker
 * replaces a value that cannot be read, or that no reader would accept.
 */
export function encodeValue(value: unknown): Json {
  return encodeWhole(value, [], Number.POSITIVE_INFINITY)
}

/**
 * Encodes a value with every object once: objects that occur several times in it do so in the result, which must
 * not be expanded to text.
 */
export function encodeGraph(value: unknown): Json {
  return encode(value, { above: [], left: Number.POSITIVE_INFINITY, known: new Map<object, Known>() })
}

/** Longer texts of values in exports and reports refer to what occurs several times. */
const SHORT_IN_REPORTS = 2 ** 14

/** Encodes a value for exports and reports: unlike in records, its text is never much longer than the value. */
export function encodeCompact(value: unknown): Json {
  return withSharedParts(encodeGraph(value), SHORT_IN_REPORTS)
}

/** Encodes each field in at most about `room` characters: markers replace the rest, so that it terminates. */
export function encodeFields(record: object, room: number): { readonly [key: string]: Json } {
  const out: { [key: string]: Json } = {}
  for (const [key, value] of Object.entries(record)) out[key] = encodeWhole(value, [record], room)
  return out
}

/** Larger values are examined for objects that occur in them several times. */
const SMALL = 2 ** 20

/** If an object is too large, such as an event, each property is encoded separately. */
function encodeWhole(value: unknown, above: readonly object[], room: number): Json {
  const state = { above: [...above], left: Math.min(room, SMALL) }
  const json = encode(value, state)
  if (state.left >= 0) return json
  if (typeof value !== 'object' || value === null || !isPlain(value)) return encodeLarge(value, above, room)
  const out: { [key: string]: Json } = {}
  for (const key of Object.keys(value))
    setOwn(out, key, encodeLarge(readField(value, key), [...above, value], room))
  return tagged(out)
}

/** Encodes every object once; those that occur several times are written once if that saves much. */
function encodeLarge(value: unknown, above: readonly object[], room: number): Json {
  const state = { above: [...above], left: room, known: new Map<object, Known>() }
  const json = encode(value, state)
  return state.left < 0 ? tooLarge() : withParts(json)
}

interface Encoding {
  /** The ancestors of the current value, the outermost first. */
  readonly above: object[]
  /** Remaining number of characters. */
  left: number
  /** The objects that were encoded so far; absent if each is encoded wherever it occurs. */
  readonly known?: Map<object, Known>
  /** Number of levels below the object that was encoded last. */
  height?: number
}

interface Known {
  readonly json: Json
  readonly height: number
}

function encode(value: unknown, state: Encoding): Json {
  state.left -= 2
  switch (typeof value) {
    case 'string':
      state.left -= value.length
      return state.left < 0 ? tooLarge() : value
    case 'boolean':
      return value
    case 'number':
      return Number.isFinite(value) && !Object.is(value, -0)
        ? value
        : { [TAG]: 'number', value: numberName(value) }
    case 'undefined':
      return { [TAG]: 'undefined' }
    case 'bigint':
      return encodeBigint(value)
    case 'function':
      return { [TAG]: 'function', name: functionName(value) }
    case 'symbol':
      return { [TAG]: 'symbol', name: value.description ?? '' }
    default:
      return value === null ? null : encodeObject(value as object, state)
  }
}

function numberName(value: number): string {
  return Object.is(value, -0) ? '-0' : String(value)
}

function encodeBigint(value: bigint): Json {
  const digits = String(value)
  return digits.length > MAX_BIGINT_DIGITS + (value < 0n ? 1 : 0)
    ? marker(new Opaque('unwritable', `a bigint of ${digits.length} digits`))
    : { [TAG]: 'bigint', value: digits }
}

function marker({ kind, name }: Opaque): Json {
  return kind === 'unwritable' ? { [TAG]: kind, reason: name } : { [TAG]: kind, name }
}

function tooLarge(): Json {
  return marker(new Opaque('unwritable', 'the record is too large'))
}

function encodeObject(value: object, state: Encoding): Json {
  const { above } = state
  const depth = above.length
  try {
    if (value instanceof Opaque) return marker(value)
    if (value instanceof ActorReference) return { [TAG]: 'actor', path: value.path }
    if (above.includes(value)) return { [TAG]: 'cycle', name: '' }
    if (depth >= MAX_DEPTH) return { [TAG]: 'deep', name: '' }
    if (state.left < 0) return tooLarge()
    if (state.known) return encodeOnce(value, state, state.known)
    above.push(value)
    return encodeNested(value, state)
  } catch (error) {
    return marker(unwritable(error))
  } finally {
    above.length = depth
  }
}

/** An object that was encoded at another depth is reused if its levels fit here, too. */
function encodeOnce(value: object, state: Encoding, known: Map<object, Known>): Json {
  const { above, height = 0 } = state
  const found = known.get(value)
  if (found && above.length + found.height <= MAX_DEPTH) {
    state.height = Math.max(height, found.height + 1)
    return found.json
  }
  state.height = 0
  above.push(value)
  const json = encodeNested(value, state)
  known.set(value, { json, height: state.height })
  state.height = Math.max(height, state.height + 1)
  return json
}

function encodeNested(value: object, state: Encoding): Json {
  // Fast path: most values are plain, and the tests below are the most expensive part.
  if (isPlain(value)) return encodePlain(value, state)
  if (Array.isArray(value)) return encodeList(value, state)
  if (value instanceof Date) return { [TAG]: 'date', value: dateText(value) }
  if (value instanceof Error) return encodeError(value, state)
  if (value instanceof Map) {
    const pairs = [...Map.prototype.entries.call(value)]
    return { [TAG]: 'map', value: pairs.map(([key, item]) => [encode(key, state), encode(item, state)]) }
  }
  if (value instanceof Set)
    return { [TAG]: 'set', value: encodeList([...Set.prototype.values.call(value)], state) }
  const web = webContent(value)
  if (web) return encodeWeb(web, state)
  if (value instanceof ArrayBuffer) return encodeBytes('ArrayBuffer', new Uint8Array(value), state)
  if (ArrayBuffer.isView(value)) {
    const bytes = new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
    return encodeBytes(functionName(value.constructor), bytes, state)
  }
  return encodePlain(value, state)
}

function encodeWeb({ tag, text, pairs = [] }: WebContent, state: Encoding): Json {
  const value = text ?? pairs
  state.left -= JSON.stringify(value).length
  return state.left < 0 ? tooLarge() : { [TAG]: tag, value }
}

/** An app's classes may have their own methods with these names. */
function dateText(date: Date): string | null {
  const time = Date.prototype.getTime.call(date)
  return Number.isNaN(time) ? null : new Date(time).toISOString()
}

function encodeBytes(kind: string, bytes: Uint8Array, state: Encoding): Json {
  state.left -= bytes.length
  return state.left < 0 ? tooLarge() : { [TAG]: 'bytes', kind, value: toBase64(bytes) }
}

/** Holes become `undefined`. */
function encodeList(list: readonly unknown[], state: Encoding): Json {
  const out: Json[] = []
  const { length } = list
  // Each item takes at least two characters.
  if (length * 2 > state.left) state.left = -1
  for (let at = 0; at < length; at++) {
    if (state.left < 0) return tooLarge()
    out.push(encode(list[at], state))
  }
  return out
}

function encodePlain(value: object, state: Encoding): Json {
  const out: { [key: string]: Json } = {}
  for (const key of Object.keys(value)) {
    state.left -= key.length + 4
    if (state.left < 0) return tooLarge()
    setOwn(out, key, encode(readField(value, key), state))
  }
  return tagged(out)
}

function tagged(fields: { [key: string]: Json }): Json {
  return Object.hasOwn(fields, TAG) ? { [TAG]: 'object', value: fields } : fields
}

function encodeError(error: Error, state: Encoding): Json {
  const out: { [key: string]: Json } = {
    [TAG]: 'error',
    name: errorText(error, 'name'),
    message: errorText(error, 'message'),
  }
  if (Object.hasOwn(error, 'cause')) out['cause'] = encode(readField(error, 'cause'), state)
  const extras = errorExtras(error)
  const fields: { [key: string]: Json } = {}
  for (const [key, item] of extras) setOwn(fields, key, encode(item, state))
  if (extras.length > 0) out['value'] = fields
  return out
}

function toBase64(bytes: Uint8Array): string {
  const parts: string[] = []
  for (let at = 0; at < bytes.length; at += 0x8000) {
    parts.push(String.fromCharCode(...bytes.subarray(at, at + 0x8000)))
  }
  return btoa(parts.join(''))
}
