// A backend call as plain data: it can be sent, shown and copied as code.

export interface CallSpec {
  readonly method: string
  /** Begins with a slash, e.g. `/rest/v1/vessels`. */
  readonly path: string
  /** Unencoded names and values; a name may occur more than once. */
  readonly query?: Readonly<Record<string, string>> | readonly (readonly [name: string, value: string])[]
  readonly headers?: Readonly<Record<string, string>>
  /** A string is sent unchanged, anything else as JSON. */
  readonly body?: unknown
}

type Pairs = readonly (readonly [string, string])[]

const isPairs = (query: NonNullable<CallSpec['query']>): query is Pairs => Array.isArray(query)

/** The query as ordered pairs. */
export const queryOf = ({ query = [] }: CallSpec): Pairs => (isPairs(query) ? query : Object.entries(query))

/** Characters of PostgREST queries that need no encoding in URLs: `select=id,name` is easier to read. */
const READABLE: Readonly<Record<string, string>> = {
  '%2C': ',',
  '%3A': ':',
  '%28': '(',
  '%29': ')',
  '%2A': '*',
  '%40': '@',
  '%21': '!',
}

const encoded = (text: string): string =>
  encodeURIComponent(text).replace(/%(2C|3A|28|29|2A|40|21)/g, code => READABLE[code] ?? code)

/** Path and query as they are sent. */
export function addressOf(spec: CallSpec): string {
  const query = queryOf(spec).map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
  return query.length === 0 ? spec.path : `${spec.path}?${query.join('&')}`
}

/** Credentials are never copied, even if the caller set them. */
const SECRET = new Set(['apikey', 'authorization', 'cookie'])

/** Headers to send or show, without credentials; JSON bodies get a content type. */
export function headersOf({ headers = {}, body }: CallSpec): Record<string, string> {
  const visibleHeaders = Object.entries(headers).filter(([name]) => !SECRET.has(name.toLowerCase()))
  const isTyped = visibleHeaders.some(([name]) => name.toLowerCase() === 'content-type')
  return {
    ...Object.fromEntries(visibleHeaders),
    ...(body !== undefined && !isTyped && { 'Content-Type': 'application/json' }),
  }
}

/** The body as text; undefined without one. */
export const bodyText = ({ body }: CallSpec, indent = 0): string | undefined =>
  body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body, null, indent)
