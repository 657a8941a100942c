// Keeps numbers exact in both directions: lite parses them as JavaScript numbers, which rounds large keys.
import { randomUUID } from 'node:crypto'

/** A prefix for numbers that lite must not parse; random, so that no client can send it. */
const MARK = `exact${randomUUID().replaceAll('-', '')}n`
const MARKED = new RegExp(`"${MARK}([^"]+)"|${MARK}`, 'g')
/** A number that is a whole value or an element of it; quoted numbers are already text. */
const NUMBER = /(?<=^|[.,({])-?\d+(?:\.\d+)?(?:e[+-]?\d+)?(?=$|[,)}])/gi
const NO_FILTERS = new Set(['select', 'order', 'limit', 'offset', 'columns', 'on_conflict', 'apikey'])

/** Returns the request with a mark before each number that would lose precision. */
export async function markNumbers(request: Request): Promise<Request> {
  const url = new URL(request.url)
  const given = [...url.searchParams]
  const marked = given.map(([name, value]) => [name, NO_FILTERS.has(name) ? value : markValue(value)])
  if (marked.some(([, value], at) => value !== given[at]?.[1]))
    url.search = String(new URLSearchParams(marked))
  const { method, headers } = request
  if (request.body === null) return new Request(url, { method, headers })
  const isJson = /json/i.test(headers.get('content-type') ?? 'application/json')
  const body = isJson ? markBody(await request.text()) : await request.arrayBuffer()
  return new Request(url, { method, headers, body })
}

function markValue(value: string): string {
  return value.replace(NUMBER, digits => (String(Number(digits)) === digits ? digits : MARK + digits))
}

function markBody(text: string): string {
  let isMarked = false
  const mark = (_name: string, value: unknown, { source }: { readonly source?: string }) => {
    if (typeof value !== 'number' || source === undefined || String(value) === source) return value
    isMarked = true
    return MARK + source
  }
  try {
    const body = JSON.parse(text, mark)
    return isMarked ? JSON.stringify(body) : text
  } catch {
    // Lite reports what is wrong with it.
    return text
  }
}

/** Removes the marks; a number that was marked in JSON becomes a number again. */
export function unmark(text: string): string {
  return text.includes(MARK) ? text.replace(MARKED, (_mark, digits?: string) => digits ?? '') : text
}

/** A number in PostgreSQL's format, for `JSON.stringify`; values that are not JSON numbers stay text. */
export function readNumber(text: string): unknown {
  const value = Number(text)
  if (!Number.isFinite(value)) return /^-?\d/.test(text) ? JSON.rawJSON(text) : text
  return String(value) === text ? value : JSON.rawJSON(text)
}
