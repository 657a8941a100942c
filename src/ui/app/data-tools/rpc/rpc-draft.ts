// A call of a database function being written: a text for each argument, or all of them as JSON.
import { own } from '../../named.ts'
import type { CallSpec } from '../../requests/call-spec.ts'
import { valueText, type Column } from '../../data/schema.ts'
import { parseExact } from '../../json/exact-json.ts'
import { readCell } from '../import/read-cell.ts'
import type { RpcFunction } from './rpc-functions.ts'

export interface RpcDraft {
  readonly method: 'GET' | 'POST'
  readonly mode: 'form' | 'json'
  /** By argument; one that is not there is not sent. */
  readonly texts: Readonly<Record<string, string>>
  readonly json: string
}

/** Stands in the form for an argument that is null. */
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

/** The error of the field for JSON. */
export const JSON_FIELD = ''

function readJson(text: string): RpcReading {
  try {
    const value = parseExact(text.trim() === '' ? '{}' : text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return { ok: true, args: value as Readonly<Record<string, unknown>> }
    return { ok: false, errors: { [JSON_FIELD]: 'This must be an object with an entry for each argument.' } }
  } catch (error) {
    return {
      ok: false,
      errors: { [JSON_FIELD]: error instanceof Error ? error.message : 'This is not valid JSON.' },
    }
  }
}

/** An empty text is a value of such an argument. */
export const isText = ({ format }: Pick<Column, 'format'>): boolean => /text|char|citext|unknown/.test(format)

function readArgument(arg: Column, text: string | undefined): { value?: unknown; error?: string } {
  if (text === NULL) return { value: null }
  if (text === undefined || (text === '' && !isText(arg)))
    return arg.hasDefault ? {} : { error: 'This argument has no default: give it a value.' }
  const reading = readCell(arg, text, 'text')
  return 'error' in reading ? { error: reading.error } : 'value' in reading ? { value: reading.value } : {}
}

/** What is to be sent, or what is wrong with it by argument. */
export function readRpc({ args }: RpcFunction, { mode, texts, json }: RpcDraft): RpcReading {
  if (mode === 'json') return readJson(json)
  const read = args.map(arg => [arg.name, readArgument(arg, own(texts, arg.name))] as const)
  const errors = read.flatMap(([name, { error }]) => (error === undefined ? [] : [[name, error] as const]))
  if (errors.length > 0) return { ok: false, errors: Object.fromEntries(errors) }
  return {
    ok: true,
    args: Object.fromEntries(read.flatMap(([name, one]) => ('value' in one ? [[name, one.value]] : []))),
  }
}

/** In a query an argument is a text; of lists PostgREST reads those of PostgreSQL. */
const queryText = (value: unknown): string =>
  Array.isArray(value)
    ? `{${value.map(item => JSON.stringify(valueText(item))).join(',')}}`
    : valueText(value)

/** Null can't be said in a query: left out, an argument has its default. */
export const isPostOnly = (args: Readonly<Record<string, unknown>>): boolean =>
  Object.values(args).includes(null)

/** The call; one with a null in it is made with POST. */
export function rpcSpec(
  name: string,
  method: RpcDraft['method'],
  args: Readonly<Record<string, unknown>>,
): CallSpec {
  const path = `/rest/v1/rpc/${encodeURIComponent(name)}`
  if (method === 'POST' || isPostOnly(args)) return { method: 'POST', path, body: args }
  return { method, path, query: Object.entries(args).map(([arg, value]) => [arg, queryText(value)] as const) }
}
