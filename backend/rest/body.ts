// Rows to write, put into words that lite does not misread: what is missing, empty rows, and texts for JSON columns.
import { randomUUID } from 'node:crypto'
import type { PgliteConnection } from '@supabase/lite/pglite'

/** Lite's picture of the schema. */
export type Introspection = Awaited<ReturnType<PgliteConnection['introspect']>>
type Column = Introspection['columns'][number]
type Row = Record<string, unknown>
type Cell = readonly [name: string, value: unknown]

/** Stands for `DEFAULT` until the query is built; random, so that no client can mean it. */
export const DEFAULT_MARK = `default ${randomUUID()}`

/** The same request, or one whose rows say what PostgREST would read in them. */
export async function prepareBody(request: Request, introspection: Introspection): Promise<Request> {
  const { pathname, searchParams } = new URL(request.url)
  const table = /^\/rest\/v1\/([^/]+)$/.exec(pathname)?.[1]
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
  const expected = isInsert ? (searchParams.get('columns')?.split(',') ?? []).map(unquote) : []
  const missing = /missing=default/.test(request.headers.get('prefer') ?? '') ? DEFAULT_MARK : null
  const written = rows.map((row): Row => {
    const absent = expected.filter(name => !Object.hasOwn(row, name)).map((name): Cell => [name, missing])
    const given = Object.entries(row).map(([name, value]): Cell => [name, encode(value, name, columns)])
    const entries = isInsert ? orDefaults([...given, ...absent], columns) : given
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

/** A row without values is one of defaults; lite would write `values ()`. */
function orDefaults(entries: Cell[], columns: readonly Column[]): Cell[] {
  const first = columns.find(column => column.is_generated !== true)
  return entries.length === 0 && first ? [[first.name, DEFAULT_MARK]] : entries
}

/** Lite parses texts for JSON columns and passes texts on as they are; twice encoded, a text stays a text. */
function encode(value: unknown, name: string, columns: readonly Column[]): unknown {
  if (typeof value !== 'string') return value
  const type = columns.find(column => column.name === name)?.type
  return type === 'json' || type === 'jsonb' ? JSON.stringify(JSON.stringify(value)) : value
}
