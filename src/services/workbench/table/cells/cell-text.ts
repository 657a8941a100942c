// Converts cell values to text and text to the value to send, without loss in either direction.
import { isArrayText } from './array-text.ts'
import { emptyRecord } from '../../storage/safe-record.ts'
import { exactNumber, JSON_NUMBER, parseExact } from '../../text/index.ts'
import { NOT_VISIBLE } from '../related.ts'
import { valueText, type Column, type Row } from '../schema.ts'
import { withZone } from './instant-text.ts'

/** A cell while it is edited. Null is SQL null, not an empty string. */
export type Cell = string | null

/** The cell of a row in a column. */
export const cellOf = (row: Row, column: Pick<Column, 'name'>): Cell => {
  const value = row[column.name]
  return value === null || value === undefined || value === NOT_VISIBLE ? null : valueText(value)
}

/** The row with some cells from another version of it. */
export const withCells = (row: Row, columns: readonly string[], from: Row): Row => {
  const next = Object.assign(emptyRecord<unknown>(), row)
  for (const name of columns) if (Object.hasOwn(from, name)) next[name] = from[name]
  return next
}

export type Reading = { readonly value: unknown } | { readonly error: string }

const RANGES: readonly (readonly [RegExp, bigint])[] = [
  [/^(smallint|int2|smallserial)$/, 32_768n],
  [/^(integer|int|int4|serial)$/, 2_147_483_648n],
  [/^(bigint|int8|bigserial)$/, 9_223_372_036_854_775_808n],
]

/** Text that JSON has no form for is sent as text, which servers also accept. */
const numberIn = (text: string): unknown => (JSON_NUMBER.test(text) ? exactNumber(text) : text)

const readInteger = (text: string, format: string): Reading => {
  if (!/^[+-]?\d+$/.test(text)) return { error: 'This must be a whole number.' }
  const value = BigInt(text.replace('+', ''))
  const limit = RANGES.find(([test]) => test.test(format))?.[1]
  if (limit !== undefined && (value < -limit || value >= limit))
    return { error: `This is too large for ${format}: from ${-limit} to ${limit - 1n}.` }
  return { value: numberIn(text) }
}

const readNumber = (text: string, format: string): Reading => {
  if (/^[+-]?(nan|inf(inity)?)$/i.test(text)) return { value: text }
  if (format.startsWith('money')) return { value: text }
  if (!Number.isFinite(Number(text)) || !/^[+-]?(\d+(?:\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(text))
    return { error: 'This must be a number, NaN or Infinity.' }
  return { value: numberIn(text) }
}

const JSON_NULL = 'REST would store this as SQL null: set null instead, or put it into an object or a list.'

const readJson = (text: string): Reading => {
  if (text === 'null') return { error: JSON_NULL }
  try {
    return { value: parseExact(text) }
  } catch (error) {
    const reason = error instanceof Error ? error.message : ''
    return { error: `This is not valid JSON. ${reason}`.trim() }
  }
}

const UUID = /^\{?[0-9a-f]{8}(-?[0-9a-f]{4}){3}-?[0-9a-f]{12}\}?$/i
const WORDS = /^(-?infinity|epoch|now|today|tomorrow|yesterday|allballs)$/i
const DAY = /^\d{1,7}-\d{1,2}-\d{1,2}/
const CLOCK = /^\d{1,2}:\d{2}/

const problemWith = (type: Column['type'], text: string, column: Column): string | undefined => {
  switch (type) {
    case 'uuid':
      return UUID.test(text) ? undefined : 'This must be a UUID.'
    case 'timestamp':
      return WORDS.test(text) || DAY.test(text)
        ? undefined
        : 'This must be a date and time, such as 2026-03-01 10:00.'
    case 'date':
      return WORDS.test(text) || DAY.test(text) ? undefined : 'This must be a date, such as 2026-03-01.'
    case 'time':
      return WORDS.test(text) || CLOCK.test(text) ? undefined : 'This must be a time of day, such as 10:00.'
    case 'bytea':
      return /^\\x([0-9a-f]{2})*$/i.test(text) ? undefined : 'This must be \\x and pairs of hex digits.'
    case 'array':
      return isArrayText(text) || isJsonList(text) ? undefined : 'This must be an array, such as {a,b}.'
    case 'enum':
      return column.options?.includes(text) === false
        ? `This must be one of ${column.options.join(', ')}.`
        : undefined
    case 'integer':
    case 'number':
    case 'boolean':
    case 'interval':
    case 'json':
    case 'text':
      return undefined
  }
}

const isJsonList = (text: string): boolean => {
  try {
    return Array.isArray(JSON.parse(text))
  } catch {
    return false
  }
}

const BOOLEANS: Readonly<Record<string, boolean>> = {
  ...Object.fromEntries(['true', 't', 'yes', 'y', 'on', '1'].map(word => [word, true])),
  ...Object.fromEntries(['false', 'f', 'no', 'n', 'off', '0'].map(word => [word, false])),
}

const readBoolean = (text: string): Reading => {
  const value = BOOLEANS[text.toLowerCase()]
  return value === undefined ? { error: 'This must be true or false.' } : { value }
}

/** Whether the column's times have a zone. */
export const isZoned = ({ type, format }: Pick<Column, 'type' | 'format'>): boolean =>
  type === 'timestamp' && /with time zone|tz/.test(format)

/** The value to send for a cell, or an error. */
export const readCell = (column: Column, cell: Cell): Reading => {
  if (cell === null) return column.required ? { error: 'This must have a value.' } : { value: null }
  if (column.type === 'text' || column.type === 'enum') {
    const problem = problemWith(column.type, cell, column)
    return problem === undefined ? { value: cell } : { error: problem }
  }
  const text = cell.trim()
  if (column.type === 'integer') return readInteger(text, column.format)
  if (column.type === 'number') return readNumber(text, column.format)
  if (column.type === 'boolean') return readBoolean(text)
  if (column.type === 'json') return readJson(text)
  const problem = problemWith(column.type, text, column)
  if (problem !== undefined) return { error: problem }
  if (column.type === 'array' && isJsonList(text)) return { value: parseExact(text) }
  return { value: isZoned(column) ? withZone(text) : text }
}
