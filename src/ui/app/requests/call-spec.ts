// A call to the backend as plain data: what can be sent, shown, and copied as code.

export interface CallSpec {
  readonly method: string
  /** Begins with a slash, e.g. `/rest/v1/vessels`. */
  readonly path: string
  /** Names and values as they are, not encoded; a name may come twice. */
  readonly query?: Readonly<Record<string, string>> | readonly (readonly [name: string, value: string])[]
  readonly headers?: Readonly<Record<string, string>>
  /** A text is sent as it is, anything else as JSON. */
  readonly body?: unknown
}

type Pairs = readonly (readonly [string, string])[]

const isPairs = (query: NonNullable<CallSpec['query']>): query is Pairs => Array.isArray(query)

/** The query as pairs, in their order. */
export const queryOf = ({ query = [] }: CallSpec): Pairs => (isPairs(query) ? query : Object.entries(query))

/** What PostgREST reads and URLs bear without being encoded: `select=id,name` is easier read so. */
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

/** Credentials are not for copying, whatever the caller put there. */
const SECRET = new Set(['apikey', 'authorization', 'cookie'])

/** The headers to send or show, without credentials; JSON is said to be JSON. */
export function headersOf({ headers = {}, body }: CallSpec): Record<string, string> {
  const given = Object.entries(headers).filter(([name]) => !SECRET.has(name.toLowerCase()))
  const isTyped = given.some(([name]) => name.toLowerCase() === 'content-type')
  return {
    ...Object.fromEntries(given),
    ...(body !== undefined && !isTyped && { 'Content-Type': 'application/json' }),
  }
}

/** The body as text; undefined without one. */
export const bodyText = ({ body }: CallSpec, indent = 0): string | undefined =>
  body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body, null, indent)
