// CSV bodies as PostgREST reads them: `NULL` is null, and everything else is text for PostgreSQL to convert.
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

function readLines(text: string): Cells[] {
  if (text === '') throw new CsvError('parse error (not enough input) at ""')
  const lines: string[][] = [[]]
  for (let at = 0; at <= text.length;) {
    CELL.lastIndex = at
    const cell = CELL.exec(text)
    if (!cell) throw new CsvError(`parse error (endOfInput) at ${excerpt(text.slice(at))}`)
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
