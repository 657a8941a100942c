// A row being written: text per field, and what it means when it is sent.
import { valueText, type Column, type Row } from './schema.ts'

/** What the user typed, by column; an empty text leaves the value to the server or means null. */
export type Draft = Readonly<Record<string, string>>

export type DraftResult =
  | { readonly ok: true; readonly values: Record<string, unknown> }
  | { readonly ok: false; readonly errors: Readonly<Record<string, string>> }

const pad = (value: number) => String(value).padStart(2, '0')

/** An instant as the local time that a date-time field holds. */
export const toLocalTime = (iso: string): string => {
  // Postgres writes `2026-03-14 04:00:00+00`, which not every browser reads.
  const at = new Date(iso.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00'))
  if (Number.isNaN(at.getTime())) return ''
  const day = `${at.getFullYear()}-${pad(at.getMonth() + 1)}-${pad(at.getDate())}`
  return `${day}T${pad(at.getHours())}:${pad(at.getMinutes())}:${pad(at.getSeconds())}`
}

/** A value as text for its field. */
const toText = (column: Column, value: unknown): string => {
  if (value === null || value === undefined) return ''
  if (column.type === 'timestamp') return toLocalTime(valueText(value))
  return typeof value === 'object' ? JSON.stringify(value, null, 2) : valueText(value)
}

/** The draft of an existing row, or of a new one. */
export const draftOf = (columns: readonly Column[], row?: Row): Draft =>
  Object.fromEntries(columns.map(column => [column.name, toText(column, row?.[column.name])]))

type Reading = { readonly value: unknown } | { readonly error: string }

const readNumber = (text: string, whole: boolean): Reading => {
  const value = Number(text)
  if (!Number.isFinite(value)) return { error: 'This must be a number.' }
  if (whole && !/^[+-]?\d+$/.test(text)) return { error: 'This must be a whole number.' }
  // Beyond this a JavaScript number loses digits; the server reads the text as well.
  return { value: whole && !Number.isSafeInteger(value) ? text : value }
}

const readJson = (text: string): Reading => {
  try {
    return { value: JSON.parse(text) as unknown }
  } catch {
    return { error: 'This is not valid JSON.' }
  }
}

const UUID = /^[0-9a-f]{8}(-?[0-9a-f]{4}){3}-?[0-9a-f]{12}$/i

const readText = (column: Column, typed: string): Reading => {
  const text = column.type === 'text' ? typed : typed.trim()
  switch (column.type) {
    case 'integer':
      return readNumber(text, true)
    case 'number':
      return readNumber(text, false)
    case 'boolean':
      return { value: text === 'true' }
    case 'json':
      return readJson(text)
    case 'uuid':
      return UUID.test(text) ? { value: text } : { error: 'This must be a UUID.' }
    case 'timestamp': {
      const at = new Date(text)
      return Number.isNaN(at.getTime()) ? { error: 'This is not a time.' } : { value: at.toISOString() }
    }
    case 'date':
    case 'enum':
    case 'text':
      return { value: text }
  }
}

/** What to send: for a new row the filled fields, for an existing one those that changed. */
export const readDraft = (columns: readonly Column[], draft: Draft, original?: Row): DraftResult => {
  const values: Record<string, unknown> = {}
  const errors: Record<string, string> = {}
  const before = original === undefined ? undefined : draftOf(columns, original)
  for (const column of columns) {
    const text = draft[column.name] ?? ''
    if (before !== undefined && text === before[column.name]) continue
    if (text === '') {
      if (column.required && (original !== undefined || !column.hasDefault))
        errors[column.name] = 'This must have a value.'
      else if (original !== undefined) values[column.name] = null
      continue
    }
    const reading = readText(column, text)
    if ('error' in reading) errors[column.name] = reading.error
    else values[column.name] = reading.value
  }
  return Object.keys(errors).length > 0 ? { ok: false, errors } : { ok: true, values }
}
