// The codec's decoder: JSON values to live values; rejects unknown tags.
import { isList, type Json } from './json.ts'
import { isWebTag, makeWebValue } from './web-values.ts'
import {
  ActorReference,
  ERROR_FIELDS,
  MAX_BIGINT_DIGITS,
  MAX_DEPTH,
  Opaque,
  makeError,
  setOwn,
} from './values.ts'

/** Maximum nesting of JSON that is read; stored values use fewer levels. */
export const MAX_JSON_DEPTH = MAX_DEPTH * 4

type Fields = { readonly [key: string]: Json }

/**
 * Decodes JSON from `encodeValue`; parts without special values are reused unchanged.
 * @throws TypeError on JSON that no encoder writes
 */
export function decodeValue(json: Json, depth = 0): unknown {
  return decode(json, depth, NO_PARTS)
}

/** A part of a value, and the number of levels in it. */
interface Part {
  readonly value: unknown
  readonly height: number
}

const NO_PARTS: readonly Part[] = []

function decode(json: Json, depth: number, parts: readonly Part[]): unknown {
  if (typeof json !== 'object' || json === null) return json
  if (depth > MAX_JSON_DEPTH) throw new TypeError('is nested too deeply')
  if (isList(json)) return decodeList(json, depth, parts)
  return Object.hasOwn(json, '$')
    ? decodeTagged(json['$'], json, depth, parts)
    : decodeFields(json, depth, parts)
}

/** Throws what `decodeValue` would throw, without creating values. */
export function checkValue(json: Json, depth = 0): void {
  if (typeof json !== 'object' || json === null) return
  if (depth > MAX_JSON_DEPTH) throw new TypeError('is nested too deeply')
  if (isList(json)) {
    for (const item of json) if (typeof item === 'object') checkValue(item, depth + 1)
  } else if (Object.hasOwn(json, '$')) {
    decodeValue(json, depth)
  } else {
    for (const key in json) {
      const item = json[key]
      if (typeof item === 'object') checkValue(item, depth + 1)
    }
  }
}

function decodeList(json: readonly Json[], depth: number, parts: readonly Part[]): readonly unknown[] {
  let out: unknown[] | undefined
  for (let at = 0; at < json.length; at++) {
    const item = json[at]
    if (typeof item !== 'object' || item === null) continue
    const next = decode(item, depth + 1, parts)
    if (next === item) continue
    out ??= [...json]
    out[at] = next
  }
  return out ?? json
}

function decodeFields(json: Fields, depth: number, parts: readonly Part[]): object {
  let out: { [key: string]: unknown } | undefined
  for (const key of Object.keys(json)) {
    const item = json[key]
    if (typeof item !== 'object' || item === null) continue
    const next = decode(item, depth + 1, parts)
    if (next === item) continue
    out ??= { ...json }
    setOwn(out, key, next)
  }
  return out ?? json
}

function decodeTagged(tag: Json | undefined, json: Fields, depth: number, parts: readonly Part[]): unknown {
  const { value } = json
  switch (tag) {
    case 'undefined':
      return undefined
    case 'number':
      return Number(matching(value, NUMBER, 'number'))
    case 'bigint':
      return BigInt(matching(value, BIGINT, 'bigint'))
    case 'date':
      return new Date(value === null ? Number.NaN : matching(value, DATE, 'date'))
    case 'error':
      return decodeError(json, depth, parts)
    case 'map':
      return new Map(decodeList(pairs(value), depth + 1, parts) as [unknown, unknown][])
    case 'set':
      return new Set(decodeList(list(value, 'set'), depth + 1, parts))
    case 'bytes':
      return fromBase64(text(json['kind'], 'bytes'), matching(value, BASE64, 'bytes'))
    case 'actor':
      return new ActorReference(text(json['path'], 'actor'))
    case 'object':
      return decodeFields(fields(value, 'object'), depth + 1, parts)
    case 'shared':
      return decodeShared(json, depth)
    case 'part':
      return partAt(json['at'], depth, parts).value
    case 'function':
    case 'symbol':
    case 'cycle':
    case 'deep':
      return new Opaque(tag, text(json['name'], tag))
    case 'unwritable':
      return new Opaque(tag, text(json['reason'], tag))
    default:
      if (isWebTag(tag)) return makeWebValue(tag, value)
      throw new TypeError(`has an unknown kind of value "${tagName(tag)}"`)
  }
}

/** A part may contain earlier parts. */
function decodeShared({ parts: written, value }: Fields, depth: number): unknown {
  const parts: Part[] = []
  for (const json of list(written, 'shared'))
    parts.push({ value: decode(json, depth, parts), height: heightOf(json, parts) })
  if (value === undefined) throw wrong('shared')
  return decode(value, depth, parts)
}

function partAt(at: Json | undefined, depth: number, parts: readonly Part[]): Part {
  const part = typeof at === 'number' ? parts[at] : undefined
  if (!part) throw wrong('part')
  if (depth + part.height > MAX_JSON_DEPTH) throw new TypeError('is nested too deeply')
  return part
}

function heightOf(json: Json, parts: readonly Part[]): number {
  if (typeof json !== 'object' || json === null) return 0
  if (!isList(json) && json['$'] === 'part') return partAt(json['at'], 0, parts).height
  const inner = Object.values<Json>(json as Fields).flatMap(item =>
    // Fields inside a tag may have any name, also `$`.
    !isList(json) && Object.hasOwn(json, '$') && typeof item === 'object' && item !== null && !isList(item)
      ? Object.values<Json>(item)
      : [item],
  )
  return inner.reduce((most: number, item) => Math.max(most, heightOf(item, parts) + 2), 0)
}

const NUMBER = /^(?:NaN|-?Infinity|-0)$/
const BIGINT = new RegExp(String.raw`^-?\d{1,${MAX_BIGINT_DIGITS}}$`)
const DATE = /^(?:\d{4}|[+-]\d{6})-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/

function tagName(tag: Json | undefined): string {
  return typeof tag === 'string' ? tag.slice(0, 40) : typeof tag
}

function wrong(kind: string): TypeError {
  return new TypeError(`has a damaged value of the kind "${kind}"`)
}

function text(json: Json | undefined, kind: string): string {
  if (typeof json !== 'string') throw wrong(kind)
  return json
}

function matching(json: Json | undefined, pattern: RegExp, kind: string): string {
  const found = text(json, kind)
  if (!pattern.test(found)) throw wrong(kind)
  return found
}

function list(json: Json | undefined, kind: string): readonly Json[] {
  if (json === undefined || !isList(json)) throw wrong(kind)
  return json
}

function pairs(json: Json | undefined): readonly Json[] {
  const found = list(json, 'map')
  if (!found.every(pair => isList(pair) && pair.length === 2)) throw wrong('map')
  return found
}

function fields(json: Json | undefined, kind: string): Fields {
  if (typeof json !== 'object' || json === null || isList(json)) throw wrong(kind)
  return json
}

function decodeError(json: Fields, depth: number, parts: readonly Part[]): Error {
  const { cause, value } = json
  const wrapped = cause === undefined ? undefined : { value: decode(cause, depth + 1, parts) }
  const error = makeError(text(json['name'], 'error'), text(json['message'], 'error'), wrapped)
  if (value === undefined) return error
  for (const [key, item] of Object.entries(decodeFields(fields(value, 'error'), depth + 1, parts))) {
    if (!ERROR_FIELDS.has(key)) setOwn(error as unknown as { [key: string]: unknown }, key, item)
  }
  return error
}

/** Not every engine has it. */
const { Float16Array: FLOAT16 } = globalThis as {
  readonly Float16Array?: new (buffer: ArrayBuffer) => ArrayBufferView
}

const TYPED: ReadonlyMap<string, (buffer: ArrayBuffer) => unknown> = new Map<
  string,
  (buffer: ArrayBuffer) => unknown
>([
  ['ArrayBuffer', buffer => buffer],
  ['Int8Array', buffer => new Int8Array(buffer)],
  ['Uint8ClampedArray', buffer => new Uint8ClampedArray(buffer)],
  ['Int16Array', buffer => new Int16Array(buffer)],
  ['Uint16Array', buffer => new Uint16Array(buffer)],
  ['Int32Array', buffer => new Int32Array(buffer)],
  ['Uint32Array', buffer => new Uint32Array(buffer)],
  ['Float16Array', buffer => FLOAT16 && new FLOAT16(buffer)],
  ['Float32Array', buffer => new Float32Array(buffer)],
  ['Float64Array', buffer => new Float64Array(buffer)],
  ['BigInt64Array', buffer => new BigInt64Array(buffer)],
  ['BigUint64Array', buffer => new BigUint64Array(buffer)],
  ['DataView', buffer => new DataView(buffer)],
  ['Buffer', buffer => (globalThis as { Buffer?: typeof Buffer }).Buffer?.from(buffer)],
])

/** Unknown kinds, such as Node's Buffer in a page, and mismatched lengths are decoded as plain bytes. */
function fromBase64(kind: string, base64: string): unknown {
  if (base64.length % 4 !== 0) throw wrong('bytes')
  const bytes = Uint8Array.from(atob(base64), char => char.charCodeAt(0))
  try {
    return TYPED.get(kind)?.(bytes.buffer) ?? bytes
  } catch {
    return bytes
  }
}
