// The draft of a database function call: a text for each argument, or all of them as JSON.
import { ownValue } from '../storage/safe-record.ts'
import type { CallSpec } from '../rest/call-spec.ts'
import { valueText, type Column } from '../table/schema.ts'
import { parseExact } from '../text/json-format.ts'
import { readImportedCell } from '../table/import/read-cell.ts'
import type { RpcFunction } from './rpc-functions.ts'

export interface RpcDraft {
  readonly method: 'GET' | 'POST'
  readonly mode: 'form' | 'json'
  /** By argument; missing arguments are not sent. */
  readonly texts: Readonly<Record<string, string>>
  readonly json: string
}

/** The form's marker for a null argument. */
export const NULL = '\u0000null'

export const emptyDraft = ({ isReading, args }: RpcFunction): RpcDraft => ({
  method: isReading ? 'GET' : 'POST',
  mode: 'form',
  texts: {},
  json: JSON.stringify(
    Object.fromEntries(args.filter(arg => !arg.hasDefault).map(({ name }) => [name, null])),
    null,
    2,
  ),
})

export type RpcReading =
  | { readonly ok: true; readonly args: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly errors: Readonly<Record<string, string>> }

/** The error key of the JSON field. */
export const JSON_FIELD = ''

function readJson(text: string): RpcReading {
  try {
    const value = parseExact(text.trim() === '' ? '{}' : text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return { ok: true, args: value as Readonly<Record<string, unknown>> }
    return {
      ok: false,
      errors: { [JSON_FIELD]: 'This must be a JSON object with an entry for each argument.' },
    }
  } catch (error) {
    return {
      ok: false,
      errors: { [JSON_FIELD]: error instanceof Error ? error.message : 'This is not valid JSON.' },
    }
  }
}

/** Whether an empty text is a valid value of the argument. */
export const isText = ({ format }: Pick<Column, 'format'>): boolean => /text|char|citext|unknown/.test(format)

function readArgument(arg: Column, text: string | undefined): { value?: unknown; error?: string } {
  if (text === NULL) return { value: null }
  if (text === undefined || (text === '' && !isText(arg)))
    return arg.hasDefault ? {} : { error: 'This argument has no default: enter a value.' }
  const reading = readImportedCell(arg, text, 'text')
  return 'error' in reading ? { error: reading.error } : 'value' in reading ? { value: reading.value } : {}
}

/** The arguments to send, or errors by argument. */
export function readRpc({ args }: RpcFunction, { mode, texts, json }: RpcDraft): RpcReading {
  if (mode === 'json') return readJson(json)
  const read = args.map(arg => [arg.name, readArgument(arg, ownValue(texts, arg.name))] as const)
  const errors = read.flatMap(([name, { error }]) => (error === undefined ? [] : [[name, error] as const]))
  if (errors.length > 0) return { ok: false, errors: Object.fromEntries(errors) }
  return {
    ok: true,
    args: Object.fromEntries(read.flatMap(([name, one]) => ('value' in one ? [[name, one.value]] : []))),
  }
}

/** In a query string an argument is text; PostgREST reads lists as PostgreSQL arrays. */
const queryText = (value: unknown): string =>
  Array.isArray(value)
    ? `{${value.map(item => JSON.stringify(valueText(item))).join(',')}}`
    : valueText(value)

/** A query string cannot contain null: a missing argument uses its default. */
export const isPostOnly = (args: Readonly<Record<string, unknown>>): boolean =>
  Object.values(args).includes(null)

/** The call; arguments with null require POST. */
export function rpcSpec(
  name: string,
  method: RpcDraft['method'],
  args: Readonly<Record<string, unknown>>,
): CallSpec {
  const path = `/rest/v1/rpc/${encodeURIComponent(name)}`
  if (method === 'POST' || isPostOnly(args)) return { method: 'POST', path, body: args }
  return { method, path, query: Object.entries(args).map(([arg, value]) => [arg, queryText(value)] as const) }
}
