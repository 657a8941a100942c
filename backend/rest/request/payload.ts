// The body: of inserts, updates, upserts, and calls by POST.
import type { Action, MediaType, Payload } from './api-request.ts'
import { decodePairs, decodeText } from './bytes.ts'
import { csvToJson } from './csv.ts'
import { invalidBody } from './invalid-body.ts'
import { mediaTypeName } from './media-type.ts'

export interface ParsedPayload {
  readonly payload: Payload | undefined
  /** In alphabetical order. */
  readonly columns: readonly string[]
}

const NOTHING: ParsedPayload = { payload: undefined, columns: [] }

export function hasPayload(action: Action): boolean {
  if (action.kind === 'call') return action.via === 'POST'
  return action.kind === 'insert' || action.kind === 'update' || action.kind === 'upsert'
}

/** @param columns The parameter of this name: then the keys of JSON are not read. */
export function readPayload(
  action: Action,
  media: MediaType,
  body: Uint8Array,
  columns: readonly string[] | undefined,
): ParsedPayload {
  if (!hasPayload(action)) return NOTHING
  const isCall = action.kind === 'call'
  const allowsColumns = action.kind !== 'upsert'
  switch (media.kind) {
    case 'json':
      return readJson(body, isCall, allowsColumns ? columns : undefined)
    case 'csv':
      return readCsv(body)
    case 'form':
      return isCall ? readForm(body) : readFormRow(body)
    case 'text':
    case 'xml':
    case 'bytes':
      if (isCall) return { payload: { kind: 'raw', bytes: body }, columns: [] }
      break
    default:
  }
  throw invalidBody(`Content-Type not acceptable: ${mediaTypeName(media)}`)
}

const INVALID_JSON = 'Empty or invalid json'

function readJson(body: Uint8Array, isCall: boolean, columns: readonly string[] | undefined): ParsedPayload {
  if (body.length === 0 && isCall) return { payload: undefined, columns: columns ? sorted(columns) : [] }
  const text = decodeText(body)
  if (text === undefined) throw invalidBody(INVALID_JSON)
  if (columns !== undefined) {
    const isObject = /^\s*\{/.test(text)
    return { payload: { kind: 'json', text, isObject }, columns: sorted(columns) }
  }
  const value = parseJson(text)
  const isArray = Array.isArray(value)
  const keys = keysOf(value)
  // Anything but an object or an array of them has no rows.
  return {
    payload: { kind: 'json', text: keys ? text : '[]', isObject: keys !== undefined && !isArray },
    columns: sorted(keys ?? []),
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw invalidBody(INVALID_JSON)
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Of an object, or of the objects of an array; `undefined` if there are none. */
function keysOf(value: unknown): readonly string[] | undefined {
  if (isObject(value)) return Object.keys(value)
  if (!Array.isArray(value) || value.length === 0) return undefined
  const rows: readonly unknown[] = value
  const first = rows[0]
  const keys = isObject(first) ? Object.keys(first) : []
  const expected = new Set(keys)
  const hasKeys = (row: unknown): boolean => {
    if (!isObject(row)) return false
    const names = Object.keys(row)
    return names.length === expected.size && names.every(name => expected.has(name))
  }
  if (!rows.every(hasKeys)) throw invalidBody('All object keys must match')
  return keys
}

function readCsv(body: Uint8Array): ParsedPayload {
  const { text, columns } = csvToJson(decodeText(body) ?? invalidText())
  return { payload: { kind: 'json', text, isObject: false }, columns: sorted(columns) }
}

function readForm(body: Uint8Array): ParsedPayload {
  const fields = formFields(body)
  return { payload: { kind: 'form', fields }, columns: sorted(fields.map(([name]) => name)) }
}

/** A row; of fields with the same name, the last one is valid. */
function readFormRow(body: Uint8Array): ParsedPayload {
  const fields = new Map(formFields(body))
  const members = [...fields].map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`)
  return {
    payload: { kind: 'json', text: `{${members.join(',')}}`, isObject: true },
    columns: sorted([...fields.keys()]),
  }
}

function formFields(body: Uint8Array): readonly (readonly [name: string, value: string])[] {
  const pairs = decodePairs(body) ?? invalidText()
  return pairs.map(([name, value = '']) => [name, value])
}

function invalidText(): never {
  throw invalidBody('The body is not valid UTF-8')
}

const sorted = (names: readonly string[]): readonly string[] => [...new Set(names)].toSorted()
