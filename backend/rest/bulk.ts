// Bounds of inserts of many rows: beyond them the engine would count its parameters wrong, or run out of stack.
import { restError } from '../shared/errors.ts'

const MOST_ROWS = 20_000
/** PostgreSQL numbers parameters with 16 bits, and the engine fails before that. */
const MOST_VALUES = 32_767
/** A shorter body cannot exceed the bounds. */
const SHORTEST = MOST_ROWS * 2

/** The response that refuses an insert of too many rows or values; `undefined` for other requests. */
export async function refuseBulk(request: Request): Promise<Response | undefined> {
  const { method, headers, url } = request
  if ((method !== 'POST' && method !== 'PUT') || /\/rest\/v1\/rpc\//.test(url)) return undefined
  const text = await request.clone().text()
  if (text.length < SHORTEST) return undefined
  const isCsv = /^text\/csv\b/i.test(headers.get('content-type') ?? '')
  const { rows, columns } = isCsv ? sizeOfCsv(text) : sizeOfJson(text)
  if (rows <= MOST_ROWS && rows * columns <= MOST_VALUES) return undefined
  const bounds = `One request may insert ${MOST_ROWS} rows, and ${MOST_VALUES} values (rows times columns).`
  return restError(
    413,
    '54000',
    `The request has too many values: ${rows} rows with ${columns} columns`,
    `${bounds} Send the rows in several requests.`,
  )
}

interface Size {
  readonly rows: number
  readonly columns: number
}

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value)

/** Rows with different keys get all columns. */
function sizeOfJson(text: string): Size {
  const rows: unknown = parsed(text)
  if (!isList(rows)) return { rows: 1, columns: 0 }
  const columns = new Set<string>()
  for (const row of rows)
    if (typeof row === 'object' && row !== null) for (const name of Object.keys(row)) columns.add(name)
  return { rows: rows.length, columns: columns.size }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // The engine says what is wrong.
    return undefined
  }
}

/** Line ends inside of quotes belong to a value. */
function sizeOfCsv(text: string): Size {
  const lines = text
    .trimEnd()
    .replaceAll(/"[^"]*"/g, '""')
    .split(/\r\n|\n|\r/)
  return { rows: lines.length - 1, columns: (lines[0] ?? '').split(',').length }
}
