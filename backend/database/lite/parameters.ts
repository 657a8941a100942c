// Converts values in both directions: PostgreSQL instead of PGlite checks input values, and output follows
// PostgREST's format.
import { parse as parseArray } from 'postgres-array'
import type { Driver } from '../engine.ts'
import { parseExactly } from '../../shared/exact-json.ts'
import { readNumber, unmark } from './exact-numbers.ts'
import { DEFAULT_MARK } from './body.ts'
import { type FunctionCall, writeCall } from './function-calls.ts'
import { refusePatterns } from './patterns.ts'
import { withoutQuotes } from './quoted-patterns.ts'

type Serialize = (value: unknown) => string

type Parser = (text: string) => unknown

/** PGlite encodes these as JSON, which is correct for any value. */
export const JSON_TYPES = [114, 3802]

/** Types (and their arrays) that PGlite parses differently from PostgREST's output. */
const READERS: readonly (readonly [oid: number, array: number, read: Parser])[] = [
  [17, 1001, text => text], // bytea
  [20, 1016, readNumber], // int8
  [700, 1021, readNumber], // float4
  [701, 1022, readNumber], // float8
  [1700, 1231, readNumber], // numeric
  [114, 199, parseExactly], // json
  [3802, 3807, parseExactly], // jsonb
]
const POSTGREST_PARSERS: Readonly<Record<number, Parser>> = Object.fromEntries(
  READERS.flatMap(([oid, array, read]) => [
    [oid, read],
    [array, (text: string): unknown => parseArray(text, read)],
  ]),
)

/**
 * Two thirds of all array types are of the catalog's rows, which are no values; PGlite copies its parsers for
 * each query.
 */
const ARRAYS = `
select oid, typarray from pg_type where typarray <> 0 and (
  typtype <> 'c' or typnamespace not in ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)
)`

/** Makes a driver accept any value for any type, including types created later, and read its arrays. */
export async function acceptAnyValue(driver: Driver): Promise<void> {
  const { rows } = await driver.query<{ oid: number; typarray: number }>(ARRAYS)
  for (const { oid, typarray } of rows) {
    driver.serializers[oid] = JSON_TYPES.includes(oid) ? jsonText : textOf
    // A value that is not an array would break the protocol.
    driver.serializers[typarray] = arrayText
    // PGlite parses a NULL in an array as the string "NULL".
    const readElement = (text: string): unknown => driver.parsers[oid]?.(text) ?? text
    driver.parsers[typarray] = (text: string): unknown => parseArray(text, readElement)
  }
}

const KEY_PARSERS: Readonly<Record<number, Parser>> = { 20: text => text, 1700: text => text }

/** What the SQL of a request depends on. */
export interface SqlContext {
  readonly request: Request
  readonly computed: ComputedColumns | undefined
  readonly functionCall: FunctionCall | undefined
  /** Whether values stay in PostgreSQL's text format. */
  readonly asText: boolean
}

/** Applies PostgREST's format to queries of a request; the rest of the backend gets PGlite's values. */
export function readAsPostgrest(
  driver: Driver,
  current: () => SqlContext | undefined,
  { checksPatterns }: { readonly checksPatterns: boolean },
): void {
  const query = driver.query.bind(driver)
  driver.query = async (given, sent, options) => {
    const context = current()
    if (!context) return query(given, sent, options)
    const { request, computed, functionCall, asText } = context
    const values = withoutQuotes(request, sent)
    if (checksPatterns) refusePatterns(given, values ?? [])
    // Lite puts the key into a URL, which must not contain raw JSON.
    const isKeyed = request.headers.get('prefer')?.includes('return=headers-only') === true
    const converted = isKeyed ? { ...POSTGREST_PARSERS, ...KEY_PARSERS } : POSTGREST_PARSERS
    const parsers = asText ? textParsers(driver) : converted
    const { sql, parameters } = functionCall
      ? writeCall(given, values ?? [], functionCall)
      : { sql: given, parameters: values }
    // What is left of these marks asks for rows whose key does not exist yet.
    const known = parameters?.map(value => (value === DEFAULT_MARK ? null : value))
    return query(qualifyComputed(sql, computed), known, { ...options, parsers })
  }
}

function textParsers(driver: Driver): Record<number, Parser> {
  const types = [...Object.keys(driver.parsers), ...Object.keys(POSTGREST_PARSERS)]
  return Object.fromEntries(types.map(type => [type, text => text]))
}

/** Functions of a table's rows, which PostgREST treats as columns. */
export interface ComputedColumns {
  /** The table's name in the SQL. */
  readonly table: string
  readonly names: ReadonlySet<string>
  /** Whether the rows are those that a function returns. */
  readonly isCall: boolean
}

/** PostgreSQL finds such a function under the table's name; lite writes it without in these clauses. */
function qualifyComputed(sql: string, computed: ComputedColumns | undefined): string {
  if (!computed) return sql
  const clauses = computed.isCall ? /^.*$/s : /(?:order by|returning) .*$/s
  return sql.replace(clauses, clause =>
    clause.replaceAll(/(?<![."\w]|as )"(\w+)"(?![."(]| :=)/g, (whole, name: string) =>
      computed.names.has(name) ? `"${computed.table}".${whole}` : whole,
    ),
  )
}

export const jsonText: Serialize = value => unmark(typeof value === 'string' ? value : JSON.stringify(value))

export const textOf: Serialize = value => {
  if (typeof value === 'string') return unmark(value)
  if (value instanceof Uint8Array) return `\\x${Buffer.from(value).toString('hex')}`
  if (value instanceof Date) return value.toISOString()
  return typeof value === 'bigint' ? value.toString() : unmark(JSON.stringify(value))
}

export const arrayText: Serialize = value =>
  Array.isArray(value) ? `{${value.map(elementText).join()}}` : textOf(value)

function elementText(element: unknown): string {
  if (element === null || element === undefined) return 'NULL'
  if (Array.isArray(element)) return arrayText(element)
  return `"${textOf(element).replaceAll(/["\\]/g, character => `\\${character}`)}"`
}
