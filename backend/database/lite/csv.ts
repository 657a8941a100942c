// CSV as PostgREST reads and writes it: `NULL` in a body is null, everything else is text for PostgreSQL to
// convert; results are in PostgreSQL's format of rows.
import { restError } from '../../shared/errors.ts'

type Cells = readonly string[]
export type CsvRow = Readonly<Record<string, string | null>>

class CsvError extends Error {
  override name = 'CsvError'
}

/** Reads the rows of a body with a header, or refuses it; values beyond the header are left out. */
export function parseCsv(text: string): CsvRow[] | Response {
  try {
    const [header = [], ...lines] = readLines(text)
    const rows = lines.filter(cells => cells.length > 1 || cells[0] !== '')
    // PostgREST compares the rows with each other, not with the header.
    const widths = new Set(rows.map(cells => Math.min(cells.length, header.length)))
    if (widths.size > 1) return restError(400, 'PGRST102', 'All lines must have same number of fields')
    return rows.map(cells => {
      const entries = header.slice(0, cells.length).map((name, at): [string, string | null] => {
        const cell = cells[at] ?? ''
        return [name, cell === 'NULL' ? null : cell]
      })
      return Object.fromEntries(entries)
    })
  } catch (error) {
    if (error instanceof CsvError) return restError(400, 'PGRST102', error.message)
    throw error
  }
}

/** Replaces a CSV body of a write to a table by the same rows as JSON; other requests stay as they are. */
export async function readCsvBody(request: Request): Promise<Request | Response> {
  const { method, url } = request
  const type = request.headers.get('content-type') ?? ''
  if (!/^text\/csv\s*(?:;|$)/i.test(type.trim()) || !['POST', 'PATCH', 'PUT'].includes(method)) return request
  if (new URL(url).pathname.startsWith('/rest/v1/rpc/')) return request
  const rows = parseCsv(await request.text())
  if (rows instanceof Response) return rows
  const headers = new Headers(request.headers)
  headers.set('content-type', 'application/json')
  headers.delete('content-length')
  return new Request(url, { method, headers, body: JSON.stringify(rows) })
}

/** A quoted cell with what it contains, or a plain one, and what ends it. */
const CELL = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|\n|\r|$)/y

/** The part of a cell that can be read. */
const CONTENT = /^(?:"(?:[^"]|"")*"|[^",\r\n]*)/

function readLines(text: string): Cells[] {
  if (text === '') throw new CsvError('parse error (not enough input) at ""')
  const lines: string[][] = [[]]
  for (let at = 0; at <= text.length;) {
    CELL.lastIndex = at
    const cell = CELL.exec(text)
    if (!cell)
      throw new CsvError(`parse error (endOfInput) at ${excerpt(text.slice(at).replace(CONTENT, ''))}`)
    const [whole, quoted, plain = '', end = ''] = cell
    lines.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain)
    at += whole.length
    if (end === '') break
    if (end !== ',') {
      // The last line may end with a line break.
      if (at === text.length) break
      lines.push([])
    }
  }
  if (lines.length === 1 && !/[\r\n]$/.test(text)) throw new CsvError('parse error (not enough input) at ""')
  return lines
}

function excerpt(rest: string): string {
  return rest.length > 100 ? `${rest.slice(0, 100)} (truncated)` : JSON.stringify(rest)
}

const JSON_ACCEPTED = /^(?:\*\/\*|application\/(?:json|\*|vnd\.pgrst\..*))$/

/** Whether the first type that the client accepts and REST has is CSV. */
export function prefersCsv({ headers }: Request): boolean {
  const accepted = (headers.get('accept') ?? '').split(',').map(type => type.split(';')[0]?.trim() ?? '')
  return accepted.find(type => type === 'text/csv' || JSON_ACCEPTED.test(type)) === 'text/csv'
}

/** The CSV of a result whose values lite has as PostgreSQL's text. */
export async function asCsv(response: Response): Promise<Response> {
  const headers = new Headers(response.headers)
  const { status } = response
  if (status >= 400 || headers.get('content-type')?.startsWith('application/json') !== true) return response
  headers.set('content-type', 'text/csv; charset=utf-8')
  headers.delete('content-length')
  const text = await response.text()
  if (text === '') return new Response(null, { status, headers })
  const result: unknown = JSON.parse(text)
  const rows = (Array.isArray(result) ? result : [result]).map(rowOf)
  const names = Object.keys(rows[0] ?? {})
  const lines = rows.map(row => names.map(name => writeValue(row[name])).join())
  return new Response(`${names.join()}\n${lines.join('\n')}`, { status, headers })
}

/** Functions that return single values have a column with this name. */
function rowOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : { pgrst_scalar: value }
}

/** A value as in the text of a row. */
function writeValue(value: unknown): string {
  if (value === null || value === undefined) return ''
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text === '' || /["\\(),\s]/.test(text) ? `"${text.replaceAll(/["\\]/g, '$&$&')}"` : text
}
