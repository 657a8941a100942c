// Pagination of the admin lists: the requested page, and the headers that link to other pages.
import { AuthError } from '../errors.ts'

export interface Page {
  readonly page: number
  readonly perPage: number
}

const PER_PAGE = 50
/** The largest page number whose offset the database accepts. */
const MAX_PAGE = 2 ** 31

/** @throws 400 `validation_failed` for invalid numbers. */
export function readPage(parameters: URLSearchParams): Page {
  return { page: numberOf(parameters, 'page', 1), perPage: numberOf(parameters, 'per_page', PER_PAGE) }
}

function numberOf(parameters: URLSearchParams, name: string, absent: number): number {
  const text = parameters.get(name) ?? ''
  if (text === '') return absent
  if (!/^\d{1,19}$/.test(text)) {
    throw new AuthError(400, 'validation_failed', `Bad Pagination Parameters: ${name} is not a whole number`)
  }
  return Math.min(Math.max(Number(text), 1), MAX_PAGE)
}

/** `limit` and `offset` for the query. */
export function rangeOf({ page, perPage }: Page): readonly [limit: number, offset: number] {
  return [perPage, (page - 1) * perPage]
}

/** The total count, and links to the next and the last page. */
export function pageHeaders(url: URL, { page, perPage }: Page, count: number): Record<string, string> {
  const pages = Math.ceil(count / perPage)
  const address = (number: number) => {
    const query = new URLSearchParams(url.searchParams)
    query.set('page', String(number))
    query.sort()
    return `<${url.pathname.replace(/^\/auth\/v1/, '')}?${query.toString()}>`
  }
  const links = [
    ...(pages > page ? [`${address(page + 1)}; rel="next"`] : []),
    `${address(pages)}; rel="last"`,
  ]
  return { 'x-total-count': String(count), link: links.join(', ') }
}
