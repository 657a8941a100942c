// The codec: live values to JSON values and back, with a tag for whatever JSON cannot say.
import type { Json } from './json.ts'
import { ActorReference, MAX_DEPTH, Opaque, errorExtras, isPlain, setOwn } from './values.ts'

export { decodeValue } from './codec-decode.ts'
export type { Json } from './json.ts'

const TAG = '$'

/** Turns any value into JSON. Encoding what was decoded gives the same JSON again. */
export function encodeValue(value: unknown): Json {
  return encode(value, [])
}

function encode(value: unknown, above: object[]): Json {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value
    case 'number':
      return Number.isFinite(value) && !Object.is(value, -0)
        ? value
        : { [TAG]: 'number', value: numberName(value) }
    case 'undefined':
      return { [TAG]: 'undefined' }
    case 'bigint':
      return { [TAG]: 'bigint', value: String(value) }
    case 'function':
      return { [TAG]: 'function', name: value.name }
    case 'symbol':
      return { [TAG]: 'symbol', name: value.description ?? '' }
    default:
      return value === null ? null : encodeObject(value as object, above)
  }
}

function numberName(value: number): string {
  return Object.is(value, -0) ? '-0' : String(value)
}

function encodeObject(value: object, above: object[]): Json {
  if (value instanceof Opaque) return { [TAG]: value.kind, name: value.name }
  if (value instanceof ActorReference) return { [TAG]: 'actor', path: value.path }
  if (above.includes(value)) return { [TAG]: 'cycle', name: '' }
  if (above.length >= MAX_DEPTH) return { [TAG]: 'deep', name: '' }
  above.push(value)
  try {
    return encodeNested(value, above)
  } finally {
    above.pop()
  }
}

function encodeNested(value: object, above: object[]): Json {
  // Most values are plain, and the tests below cost more than all the rest.
  if (isPlain(value)) return encodePlain(value, above)
  if (Array.isArray(value)) return encodeList(value, above)
  if (value instanceof Date)
    return { [TAG]: 'date', value: Number.isNaN(value.getTime()) ? null : value.toISOString() }
  if (value instanceof Error) return encodeError(value, above)
  if (value instanceof Map)
    return { [TAG]: 'map', value: [...value].map(([key, item]) => [encode(key, above), encode(item, above)]) }
  if (value instanceof Set) return { [TAG]: 'set', value: encodeList([...value], above) }
  if (value instanceof URL) return value.href
  if (value instanceof ArrayBuffer)
    return { [TAG]: 'bytes', kind: 'ArrayBuffer', value: toBase64(new Uint8Array(value)) }
  if (ArrayBuffer.isView(value)) {
    const bytes = new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
    return { [TAG]: 'bytes', kind: value.constructor.name, value: toBase64(bytes) }
  }
  return encodePlain(value, above)
}

/** Holes become `undefined`. */
function encodeList(list: readonly unknown[], above: object[]): Json {
  const out: Json[] = []
  for (let at = 0; at < list.length; at++) out.push(encode(list[at], above))
  return out
}

function encodePlain(value: object, above: object[]): Json {
  const out: { [key: string]: Json } = {}
  for (const key of Object.keys(value)) setOwn(out, key, encode(Reflect.get(value, key), above))
  return Object.hasOwn(out, TAG) ? { [TAG]: 'object', value: out } : out
}

function encodeError(error: Error, above: object[]): Json {
  const out: { [key: string]: Json } = {
    [TAG]: 'error',
    name: error.name,
    message: error.message,
  }
  if (Object.hasOwn(error, 'cause')) out['cause'] = encode(error.cause, above)
  const extras = errorExtras(error)
  if (error instanceof AggregateError && !Object.keys(error).includes('errors'))
    extras.push(['errors', error.errors])
  const fields: { [key: string]: Json } = {}
  for (const [key, item] of extras) setOwn(fields, key, encode(item, above))
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
