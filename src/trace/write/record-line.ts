// Formats one record as a line that readers accept: values that would make it too long are replaced by
// markers.
import { encodeFields } from '../codec/codec.ts'
import { hashText } from '../codec/hash.ts'
import { isList, type Json } from '../codec/json.ts'
import { MAX_LINE } from '../format/records.ts'
import { ODD_EVENT } from '../codec/odd-event.ts'

type Fields = { readonly [key: string]: Json }

/** The share of a line reserved for times and transition names, which may differ in a replay. */
const REST = 1 / 128

/**
 * Encoding limit in multiples of a line, so that the largest parts can be replaced: further values are not
 * read.
 */
const ENCODED = 4

/** Maximum size of a marker in bytes. */
const MARKER = 160

/** The fields of a record with app values, which may be of any size. */
const VALUES: ReadonlySet<string> = new Set([
  'input',
  'event',
  'threw',
  'context',
  'output',
  'error',
  'outputs',
  'snapshot',
])

/**
 * Formats one record as a line of a file, without the line break. For equal values, the same parts are
 * replaced.
 */
export function recordText(record: object, most = MAX_LINE): string {
  const json = withEvent(encodeFields(record, most * ENCODED))
  const text = JSON.stringify(json)
  if (text.length * 3 <= most) return text
  const { via, ...others } = json
  const kept = via === undefined || bytesOf(via) > (most * REST) / 2 ? others : json
  const { t: _time, via: _via, ...rest } = kept
  const beyond = bytesOf(rest) - most * (1 - REST)
  return JSON.stringify(beyond <= 0 ? kept : withEvent({ ...kept, ...smaller(rest, beyond) }))
}

/** An event has a type, whatever else is missing. */
function withEvent(json: Fields): Fields {
  const { event } = json
  return event === undefined || isEvent(event) ? json : { ...json, event: { type: ODD_EVENT, value: event } }
}

function isEvent(event: Json): boolean {
  if (typeof event !== 'object' || event === null || isList(event)) return false
  const { $: tag, type, value } = event as Fields
  return tag === 'object' && value !== undefined ? isEvent(value) : typeof type === 'string'
}

/** Returns the values of a record in a form that is this many bytes smaller. */
function smaller(rest: Fields, beyond: number): Fields {
  const values = Object.fromEntries(Object.entries(rest).filter(([key]) => VALUES.has(key)))
  const parts = partsOf(values)
  const size = parts.reduce((sum, part) => sum + part.size, 0)
  return fitParts(parts, size - beyond)?.json ?? values
}

interface Sized<T extends Json = Json> {
  readonly json: T
  readonly size: number
}

interface Part extends Sized {
  readonly key: string
}

const partsOf = (fields: Fields): Part[] =>
  Object.entries(fields).map(([key, json]) => ({ key, json, size: bytesOf(json) }))

/** Returns the value in at most this many bytes: its largest parts are replaced. */
function fit({ json, size }: Sized, room: number): Sized {
  if (size <= room) return { json, size }
  return (
    (isFields(json) ? fitFields(json, room) : isList(json) ? fitList(json, room) : undefined) ??
    tooLarge(json, size)
  )
}

const OMITTED = /"\$":"deep"|"\$":"unwritable","reason":"(?:the record is too large|a list of|a bigint of)/

/**
 * Whether a record's text lacks parts of a value, and does not have their hash either. Two such texts may be
 * equal although the values differ.
 */
export const hasOmissions = (text: string): boolean => OMITTED.test(text)

function isFields(json: Json): json is Fields {
  return typeof json === 'object' && json !== null && !isList(json) && !Object.hasOwn(json, '$')
}

function fitList(list: readonly Json[], room: number): Sized | undefined {
  // Such a list is too large even as markers.
  if (list.length * MARKER > room) return undefined
  const fitted = fitFields(Object.fromEntries(list.entries()), room)
  return fitted && { json: list.map((_, at) => fitted.json[at] ?? null), size: fitted.size }
}

function fitFields(fields: Fields, room: number): Sized<Fields> | undefined {
  const parts = partsOf(fields)
  const around = parts.reduce((sum, { key }) => sum + bytesOf(key) + 2, 2)
  const fitted = fitParts(parts, room - around)
  return fitted && { json: fitted.json, size: fitted.size + around }
}

/** The smallest parts come first, so that they are kept. */
function fitParts(parts: readonly Part[], room: number): Sized<Fields> | undefined {
  if (room < parts.length * MARKER) return undefined
  const out = Object.fromEntries(parts.map(({ key, json }) => [key, json]))
  let left = room
  for (const [at, part] of parts.toSorted((a, b) => a.size - b.size).entries()) {
    const { json, size } = fit(part, left - (parts.length - at - 1) * MARKER)
    out[part.key] = json
    left -= size
  }
  return { json: out, size: room - left }
}

function tooLarge(json: Json, size: number): Sized {
  const reason = `too large: ${size} bytes with the hash ${hashText(JSON.stringify(json))}`
  return { json: { $: 'unwritable', reason }, size: MARKER }
}

// Created when needed: not every engine has one, and not every client records.
let encoder: TextEncoder | undefined

function bytesOf(json: Json): number {
  return (encoder ??= new TextEncoder()).encode(JSON.stringify(json)).length
}
