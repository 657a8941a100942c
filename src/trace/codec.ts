// The codec: live values to JSON values and back, with a tag for whatever JSON cannot say.
import { ActorReference, MAX_DEPTH, Opaque, errorExtras, isPlain, makeError, setOwn } from './values.ts'

/** A value that `JSON.stringify` keeps as it is. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

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
    return encodeNested(value, item => encode(item, above))
  } finally {
    above.pop()
  }
}

function encodeNested(value: object, nested: (item: unknown) => Json): Json {
  // Most values are plain, and the tests below cost more than all the rest.
  if (isPlain(value)) return encodePlain(value, nested)
  if (Array.isArray(value)) return Array.from(value, nested)
  if (value instanceof Date)
    return { [TAG]: 'date', value: Number.isNaN(value.getTime()) ? null : value.toISOString() }
  if (value instanceof Error) return encodeError(value, nested)
  if (value instanceof Map) return { [TAG]: 'map', value: [...value].map(pair => pair.map(nested)) }
  if (value instanceof Set) return { [TAG]: 'set', value: [...value].map(nested) }
  if (value instanceof URL) return value.href
  if (value instanceof ArrayBuffer)
    return { [TAG]: 'bytes', kind: 'ArrayBuffer', value: toBase64(new Uint8Array(value)) }
  if (ArrayBuffer.isView(value)) {
    const bytes = new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
    return { [TAG]: 'bytes', kind: value.constructor.name, value: toBase64(bytes) }
  }
  return encodePlain(value, nested)
}

function encodePlain(value: object, nested: (item: unknown) => Json): Json {
  const out: { [key: string]: Json } = {}
  for (const key of Object.keys(value)) setOwn(out, key, nested(Reflect.get(value, key)))
  return Object.hasOwn(out, TAG) ? { [TAG]: 'object', value: out } : out
}

function encodeEntries(
  entries: [string, unknown][],
  nested: (item: unknown) => Json,
): { [key: string]: Json } {
  const out: { [key: string]: Json } = {}
  for (const [key, item] of entries) setOwn(out, key, nested(item))
  return out
}

function encodeError(error: Error, nested: (item: unknown) => Json): Json {
  const out: { [key: string]: Json } = {
    [TAG]: 'error',
    name: error.name,
    message: error.message,
  }
  if (Object.hasOwn(error, 'cause')) out['cause'] = nested(error.cause)
  const extras = errorExtras(error)
  if (error instanceof AggregateError && !Object.keys(error).includes('errors'))
    extras.push(['errors', error.errors])
  if (extras.length > 0) out['value'] = encodeEntries(extras, nested)
  return out
}

function toBase64(bytes: Uint8Array): string {
  const parts: string[] = []
  for (let at = 0; at < bytes.length; at += 0x8000) {
    parts.push(String.fromCharCode(...bytes.subarray(at, at + 0x8000)))
  }
  return btoa(parts.join(''))
}

/** Turns JSON made by {@link encodeValue} back into values. Throws `TypeError` on a tag that it does not know. */
export function decodeValue(json: Json, depth = 0): unknown {
  if (typeof json !== 'object' || json === null) return json
  if (depth > MAX_DEPTH * 4) throw new TypeError('nested too deeply')
  if (isList(json)) return json.map(item => decodeValue(item, depth + 1))
  const tag = Object.hasOwn(json, TAG) ? json[TAG] : undefined
  if (tag === undefined) return decodeEntries(json, depth)
  return decodeTagged(textOf(tag), json, depth)
}

/** Whether this JSON is an array; `Array.isArray` does not narrow a read-only one. */
export function isList(json: Json): json is readonly Json[] {
  return Array.isArray(json)
}

function decodeEntries(json: { readonly [key: string]: Json }, depth: number): object {
  const out: { [key: string]: unknown } = {}
  for (const [key, item] of Object.entries(json)) setOwn(out, key, decodeValue(item, depth + 1))
  return out
}

function decodeTagged(tag: string, json: { readonly [key: string]: Json }, depth: number): unknown {
  const value = json['value']
  switch (tag) {
    case 'undefined':
      return undefined
    case 'number':
      return Number(value)
    case 'bigint':
      return BigInt(textOf(value))
    case 'date':
      return new Date(typeof value === 'string' ? value : Number.NaN)
    case 'error':
      return decodeError(json, depth)
    case 'map':
      return new Map(decodeValue(value ?? [], depth + 1) as [unknown, unknown][])
    case 'set':
      return new Set(decodeValue(value ?? [], depth + 1) as unknown[])
    case 'bytes':
      return fromBase64(textOf(json['kind']), textOf(value))
    case 'actor':
      return new ActorReference(textOf(json['path']))
    case 'object':
      return decodeEntries(value as { readonly [key: string]: Json }, depth)
    case 'function':
    case 'symbol':
    case 'cycle':
    case 'deep':
      return new Opaque(tag, textOf(json['name']))
    default:
      throw new TypeError(`unknown kind of value "${tag}"`)
  }
}

function textOf(json: Json | undefined): string {
  return typeof json === 'string' ? json : ''
}

function decodeError(json: { readonly [key: string]: Json }, depth: number): Error {
  const cause = json['cause']
  const wrapped = cause === undefined ? undefined : { value: decodeValue(cause, depth + 1) }
  const error = makeError(textOf(json['name']), textOf(json['message']), wrapped)
  const extras = json['value']
  if (extras !== undefined) Object.assign(error, decodeValue(extras, depth + 1))
  return error
}

const TYPED: Readonly<Record<string, (buffer: ArrayBuffer) => unknown>> = {
  ArrayBuffer: buffer => buffer,
  Int8Array: buffer => new Int8Array(buffer),
  Uint8ClampedArray: buffer => new Uint8ClampedArray(buffer),
  Int16Array: buffer => new Int16Array(buffer),
  Uint16Array: buffer => new Uint16Array(buffer),
  Int32Array: buffer => new Int32Array(buffer),
  Uint32Array: buffer => new Uint32Array(buffer),
  Float32Array: buffer => new Float32Array(buffer),
  Float64Array: buffer => new Float64Array(buffer),
  BigInt64Array: buffer => new BigInt64Array(buffer),
  BigUint64Array: buffer => new BigUint64Array(buffer),
  DataView: buffer => new DataView(buffer),
}

function fromBase64(kind: string, text: string): unknown {
  const bytes = Uint8Array.from(atob(text), char => char.charCodeAt(0))
  const make = Object.hasOwn(TYPED, kind) ? TYPED[kind] : undefined
  return make ? make(bytes.buffer) : bytes
}
