// Rewrites rows to insert or update so that lite interprets them correctly: missing values, empty rows,
// strings for JSON columns.
import { randomUUID } from 'node:crypto'
import type { LiteConnection } from '../engine.ts'
import { tableIn } from './request-path.ts'

/** Lite's schema information. */
export type Introspection = Awaited<ReturnType<LiteConnection['introspect']>>
type Column = Introspection['columns'][number]
type Row = Record<string, unknown>
type Cell = readonly [name: string, value: unknown]

/** A placeholder for `DEFAULT` until the query is built; random, so that no client can send it. */
export const DEFAULT_MARK = `default ${randomUUID()}`

/** Returns the request, with rows rewritten to their meaning in PostgREST if needed. */
export async function prepareBody(request: Request, introspection: Introspection): Promise<Request> {
  const { searchParams } = new URL(request.url)
  const table = tableIn(request.url)
  const type = request.headers.get('content-type') ?? 'application/json'
  if (!table || !['POST', 'PATCH', 'PUT'].includes(request.method) || !/json/i.test(type)) return request
  const schema = request.headers.get('content-profile') ?? 'public'
  const columns = introspection.columns.filter(
    column => column.table === table && (column.schema ?? 'public') === schema,
  )
  const body = parse(await request.clone().text())
  const rows = Array.isArray(body) ? body : [body]
  if (rows.length === 0 || !rows.every(isRow)) return request
  const isInsert = request.method === 'POST'
  const missing = /missing=default/.test(request.headers.get('prefer') ?? '') ? DEFAULT_MARK : null
  const hasMissing = isInsert || missing !== null
  const expected = hasMissing ? (searchParams.get('columns')?.split(',') ?? []).map(unquote) : []
  const written = rows.map((row): Row => {
    const absent = expected.filter(name => !Object.hasOwn(row, name)).map((name): Cell => [name, missing])
    const given = Object.entries(row).map(([name, value]): Cell => [name, encode(value, name, columns)])
    const entries = isInsert ? orDefaults([...given, ...absent], columns) : [...given, ...absent]
    const result: Row = Object.fromEntries(entries)
    return result
  })
  const { headers, method, url } = request
  return new Request(url, {
    headers,
    method,
    body: JSON.stringify(Array.isArray(body) ? written : written[0]),
  })
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function unquote(name: string): string {
  return /^"(.*)"$/.exec(name)?.[1] ?? name
}

/** A row without values consists of defaults; lite would generate `values ()`. */
function orDefaults(entries: Cell[], columns: readonly Column[]): Cell[] {
  const first = columns.find(column => column.is_generated !== true)
  return entries.length === 0 && first ? [[first.name, DEFAULT_MARK]] : entries
}

/** Lite parses strings for JSON columns; encoding a string twice keeps it a string. */
function encode(value: unknown, name: string, columns: readonly Column[]): unknown {
  if (typeof value !== 'string') return value
  const type = columns.find(column => column.name === name)?.type
  return type === 'json' || type === 'jsonb' ? JSON.stringify(JSON.stringify(value)) : value
}
