// Numbers digit for digit, both ways: lite reads them as JavaScript's, which rounds a large key into another one.
import { randomUUID } from 'node:crypto'

/** Stands before digits that lite must not read; random, so that no client can mean it. */
const MARK = `exact${randomUUID().replaceAll('-', '')}n`
const MARKED = new RegExp(`"${MARK}([^"]+)"|${MARK}`, 'g')
/** A number that is all of a value, or an element of it; quoted ones are texts already. */
const NUMBER = /(?<=^|[.,({])-?\d+(?:\.\d+)?(?:e[+-]?\d+)?(?=$|[,)}])/gi
const NO_FILTERS = new Set(['select', 'order', 'limit', 'offset', 'columns', 'on_conflict', 'apikey'])

/** The same request, with a mark before each number that would not stay what it is. */
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
    // Lite says what is wrong with it.
    return text
  }
}

/** A text without marks; a number that was marked in JSON is a number again. */
export function unmark(text: string): string {
  return text.includes(MARK) ? text.replace(MARKED, (_mark, digits?: string) => digits ?? '') : text
}

/** A number as PostgreSQL writes it, for `JSON.stringify`; what JSON has no number for is a text. */
export function readNumber(text: string): unknown {
  const value = Number(text)
  if (!Number.isFinite(value)) return /^-?\d/.test(text) ? JSON.rawJSON(text) : text
  return String(value) === text ? value : JSON.rawJSON(text)
}
