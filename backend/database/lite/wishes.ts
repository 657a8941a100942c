// What PostgREST does with parts of a request that lite reads differently.
import { restError } from '../../shared/errors.ts'
import { prefersCsv } from './csv.ts'
import { type TransactionEnd, withAppliedEnd } from './transaction-end.ts'

/**
 * The request for lite. HEAD on a function becomes GET, since lite would look for the arguments in a body.
 * PostgREST estimates only the counts of long results; lite would return the planner's guess for any table.
 * CSV is made of lite's JSON.
 */
export function forLite(request: Request): Request {
  const isHeadOfFunction = request.method === 'HEAD' && isFunction(request.url)
  const accept = request.headers.get('accept')
  const namesCsv = accept?.includes('text/csv') === true
  const prefer = request.headers.get('prefer')
  if (!isHeadOfFunction && !namesCsv && prefer?.includes('count=estimated') !== true) return request
  const headers = new Headers(request.headers)
  if (namesCsv) headers.set('accept', prefersCsv(request) ? 'application/json' : withoutCsv(accept))
  if (prefer !== null) headers.set('prefer', prefer.replace('count=estimated', 'count=exact'))
  return new Request(request, { headers, ...(isHeadOfFunction && { method: 'GET' }) })
}

/** Lite would send CSV to everyone who accepts it at all. */
const withoutCsv = (accept: string): string =>
  accept
    .split(',')
    .filter(type => !type.includes('text/csv'))
    .join()

/** The request's time zone, if it names one that PostgreSQL knows. */
export function timezoneOf({ headers }: Request, known: readonly string[] = []): string | undefined {
  const named = /(?:^|,)\s*timezone=([^,]*)/.exec(headers.get('prefer') ?? '')?.[1]?.trim()
  return named !== undefined && known.includes(named) ? named : undefined
}

/** The request for the first of the served schemas, if it names none. */
export function inDefaultSchema(request: Request, [first = 'public']: readonly string[] = []): Request {
  const header = isRead(request) ? 'accept-profile' : 'content-profile'
  if (first === 'public' || request.headers.has(header)) return request
  const headers = new Headers(request.headers)
  headers.set(header, first)
  return new Request(request, { headers })
}

/** A request, and what was applied to it. */
interface Applied {
  readonly request: Request
  readonly end: TransactionEnd
  readonly timezone: string | undefined
}

/** The response to the original request, with headers that lite leaves out. */
export function forClient({ request, end, timezone }: Applied, response: Response): Response {
  const { status } = response
  if (status >= 400) return response
  const headers = new Headers(response.headers)
  const schema = request.headers.get(isRead(request) ? 'accept-profile' : 'content-profile')
  headers.set('content-profile', schema ?? 'public')
  const named = (headers.get('preference-applied') ?? '').split(/,\s*/).filter(one => one !== '')
  const applied = withAppliedEnd([...named, ...alsoApplied(request, timezone)], request, end)
  headers.delete('preference-applied')
  if (applied.length > 0) headers.set('preference-applied', applied.join(', '))
  return new Response(request.method === 'HEAD' ? null : response.body, { status, headers })
}

const isRead = ({ method }: Request): boolean => method === 'GET' || method === 'HEAD'

/** Applied preferences that lite does not name. */
function alsoApplied({ headers }: Request, timezone: string | undefined): string[] {
  const prefer = headers.get('prefer') ?? ''
  const handling = /\bhandling=(?:strict|lenient)\b/.exec(prefer)?.[0]
  const most = handling === 'handling=strict' ? /\bmax-affected=\d+/.exec(prefer)?.[0] : undefined
  const zone = timezone === undefined ? undefined : `timezone=${timezone}`
  return [handling, zone, most].filter(one => one !== undefined)
}

const isFunction = (url: string): boolean => new URL(url).pathname.startsWith('/rest/v1/rpc/')

/** The refusal of a function's result with more rows than the request allows; lite counts only rows of tables. */
export async function beyondMaxAffected(request: Request, response: Response): Promise<Response | undefined> {
  const prefer = request.headers.get('prefer') ?? ''
  const most = /\bmax-affected=(\d+)/.exec(prefer)?.[1]
  if (most === undefined || !/\bhandling=strict\b/.test(prefer) || !isFunction(request.url) || !response.ok)
    return undefined
  const rows: unknown = await response
    .clone()
    .json()
    .catch(() => undefined)
  if (!Array.isArray(rows)) {
    const message =
      'Function must return SETOF or TABLE when max-affected preference is used with handling=strict'
    return restError(400, 'PGRST128', message)
  }
  if (rows.length <= Number(most)) return undefined
  const details = `The query affects ${rows.length} rows`
  return restError(400, 'PGRST124', 'Query result exceeds max-affected preference constraint', details)
}

/** An embedded resource with an alias and without a hint. */
const ALIASED = /(?<=^|[,(])\s*([A-Za-z_]\w*):([A-Za-z_]\w*)(?=\()/g

/**
 * Lite takes an alias for a hint. If one is the name of a relationship's column or constraint, this is a request
 * with other aliases, which finds out whether the relationship would be ambiguous without it.
 */
export function withoutAliasHints(request: Request, hints: ReadonlySet<string>): Request | undefined {
  const url = new URL(request.url)
  const select = url.searchParams.get('select') ?? ''
  const renamed = select.replaceAll(ALIASED, (whole, alias: string, table: string) =>
    hints.has(alias) ? `${alias}_:${table}` : whole,
  )
  if (renamed === select || isFunction(request.url)) return undefined
  const probe = new URL(url.origin + url.pathname)
  probe.searchParams.set('select', renamed)
  probe.searchParams.set('limit', '0')
  const headers = new Headers(request.headers)
  for (const name of ['prefer', 'range', 'content-type', 'content-length']) headers.delete(name)
  const schema = headers.get('content-profile')
  if (schema !== null) headers.set('accept-profile', schema)
  return new Request(probe, { headers })
}
