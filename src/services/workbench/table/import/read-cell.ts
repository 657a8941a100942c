// Reads a file's field as a column value, or reports an error; digits are kept.
import { type Column, mayBeOmitted, valueText } from '../schema.ts'
import { exactNumber, JSON_NUMBER, parseExact } from '../../text/json-format.ts'
import type { EmptyMeans, Source } from './read-rows.ts'

export type Reading =
  | { readonly value: unknown }
  /** Uses the column's default. */
  | { readonly absent: true }
  | { readonly error: string }

const INTEGER_FORMATS: readonly (readonly [format: RegExp, digits: bigint])[] = [
  [/^(smallint|int2)$/, 2n ** 15n],
  [/^(integer|int|int4)$/, 2n ** 31n],
  [/^(bigint|int8)$/, 2n ** 63n],
]
const SPECIAL = /^[+-]?(nan|inf(inity)?)$/i
const UUID = /^\{?[0-9a-f]{8}(-?[0-9a-f]{4}){3}-?[0-9a-f]{12}\}?$/i
const WORDS = new Map([
  ...['true', 't', 'yes', 'y', 'on', '1'].map(word => [word, true] as const),
  ...['false', 'f', 'no', 'n', 'off', '0'].map(word => [word, false] as const),
])
const NUL = String.fromCodePoint(0)
const DAY = /^[+-]?\d{4,6}-\d{1,2}-\d{1,2}/
const CLOCK = /^\d{1,2}:\d{2}(:\d{2}(\.\d+)?)?/
const TIME_WORDS = /^(-?infinity|epoch|now|today|tomorrow|yesterday)$/i

const readWhole = (text: string, format: string): Reading => {
  if (!/^[+-]?\d+$/.test(text)) return { error: 'This must be a whole number.' }
  const number = BigInt(text.replace(/^\+/, ''))
  const limit = INTEGER_FORMATS.find(([pattern]) => pattern.test(format))?.[1]
  if (limit !== undefined && (number >= limit || number < -limit))
    return { error: `This is too large for ${format}.` }
  return { value: exactNumber(String(number)) }
}

const readNumber = (text: string, format: string): Reading => {
  const plain = text.replace(/^\+/, '').replace(/^(-?)\./, '$10.')
  if (JSON_NUMBER.test(plain)) return { value: exactNumber(plain) }
  // Also formats that PostgreSQL accepts: 007, 1., NaN.
  if (SPECIAL.test(text) || /^-?\d+(?:\.\d*)?(e[+-]?\d+)?$/i.test(plain)) return { value: plain }
  if (/money/.test(format)) return { value: text }
  return { error: 'This must be a number, with a decimal point and no other separators.' }
}

const readJson = (text: string): Reading => {
  try {
    return { value: parseExact(text) }
  } catch {
    return { error: 'This is not valid JSON.' }
  }
}

const readArray = (text: string): Reading => {
  if (/^(\[[+-]?\d+:[+-]?\d+\])*=?\{[\s\S]*\}$/.test(text)) return { value: text }
  const reading = readJson(text)
  return 'value' in reading && Array.isArray(reading.value)
    ? reading
    : { error: 'This must be a list: ["a", "b"] or {a,b}.' }
}

const readBoolean = (text: string): Reading => {
  const value = WORDS.get(text.toLowerCase())
  return value === undefined ? { error: 'This must be true or false.' } : { value }
}

const readTime = (text: string, format: string): Reading => {
  const isFine = format.startsWith('time') && !format.startsWith('timestamp') ? CLOCK : DAY
  if (isFine.test(text) || TIME_WORDS.test(text)) return { value: text }
  return { error: 'This time may be misread: write it like 2026-12-31 23:59:00+00.' }
}

const readText = (text: string, { format, options }: Column): Reading => {
  if (text.includes(NUL)) return { error: 'This contains a null character, which the database cannot store.' }
  if (options && !options.includes(text)) return { error: `This must be one of ${options.join(', ')}.` }
  const maxLength = /\((\d+)\)$/.exec(format)?.[1]
  if (maxLength !== undefined && /char/.test(format) && Array.from(text).length > Number(maxLength))
    return { error: `This has more than ${maxLength} characters.` }
  return { value: text }
}

/** The value of a text in a column. */
function readTyped(column: Column, typed: string): Reading {
  const { format } = column
  const text = typed.trim()
  if (column.options) return readText(typed, column)
  if (format.endsWith('[]')) return readArray(text)
  if (/^jsonb?$/.test(format)) return readJson(text)
  if (column.type === 'integer') return readWhole(text, format)
  if (column.type === 'number') return readNumber(text, format)
  if (column.type === 'boolean') return readBoolean(text)
  if (column.type === 'uuid') return UUID.test(text) ? { value: text } : { error: 'This must be a UUID.' }
  if (/^(timestamp|date|time)/.test(format)) return readTime(text, format)
  return readText(typed, column)
}

const nothing = (column: Column, means: EmptyMeans): Reading => {
  const isText = /text|char|citext/.test(column.format)
  if (means === 'text' && isText) return { value: '' }
  const isOmitted = mayBeOmitted(column)
  if (means === 'default' || (column.required && isOmitted))
    return isOmitted ? { absent: true } : { error: 'This must have a value.' }
  return column.required ? { error: 'This must have a value.' } : { value: null }
}

/** A value of a JSON file; the server validates what is not clearly wrong. */
function readValue(column: Column, value: unknown): Reading {
  if (/^jsonb?$/.test(column.format)) return { value }
  if (typeof value === 'string') return readTyped(column, value)
  const isText = !Array.isArray(value) && column.type === 'text' && !column.format.endsWith('[]')
  if (
    column.type === 'boolean' ||
    column.type === 'integer' ||
    column.type === 'number' ||
    column.type === 'uuid'
  )
    return readTyped(column, valueText(value))
  return { value: isText && typeof value === 'object' ? valueText(value) : value }
}

/** The column value for a file's value (see `SourceRow`) or a form field's. */
export function readImportedCell(
  column: Column,
  cell: unknown,
  empty: EmptyMeans,
  kind: Source['kind'] = 'csv',
): Reading {
  if (cell === undefined) return nothing(column, 'default')
  if (cell === null) return nothing(column, empty)
  // A pair of quotes is empty text; in columns without text it is an empty field.
  const isNothing = cell === '' && !/text|char|citext|bytea|unknown/.test(column.format)
  if (isNothing && (kind === 'csv' || !/json/.test(column.format))) return nothing(column, empty)
  return kind === 'csv' ? readTyped(column, valueText(cell)) : readValue(column, cell)
}
