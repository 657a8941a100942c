// The response to a request, made of the one row that its statement returns.
import type { ApiRequest, Preferences } from './request/index.ts'
import { encodeHeader } from './request/bytes.ts'
import { RestError } from './rest-error.ts'
import type { MediaPlan } from './plan/media.ts'
import type { MutationPlan } from './plan/mutation.ts'
import type { ResultRow } from './sql/statement.ts'

/** What was done, as far as the response depends on it. */
export interface Done {
  readonly request: ApiRequest
  readonly media: MediaPlan
  readonly row: ResultRow
  readonly kind: 'read' | 'call' | MutationPlan['kind']
  /** Rows without the range, if the request counts them. */
  readonly total: number | undefined
  /** Of a function that returns nothing. */
  readonly isVoid: boolean
  /** Whether an insertion names the rows that conflict. */
  readonly hasConflictTarget: boolean
}

type Names = Record<string, string>

/** @throws RestError PGRST103 if no row is in the range, PGRST111, PGRST112 */
export function respond(done: Done): Response {
  const { request, row, kind } = done
  const { status, headers, body } =
    kind === 'read' || kind === 'call' ? readResponse(done) : writeResponse(done)
  const all = new Headers(headers)
  const varyNames = new Set<string>()
  for (const [name, text] of settingHeaders(row.headers)) {
    // A header that the database sets several times is sent several times.
    if (varyNames.has(name.toLowerCase())) all.append(name, text)
    else all.set(name, text)
    varyNames.add(name.toLowerCase())
  }
  const final = settingStatus(row.status) ?? status
  const isEmpty = request.method === 'HEAD' || final === 204 || final === 205 || final === 304
  if (!isEmpty) all.set('content-length', `${Buffer.byteLength(body ?? '')}`)
  return new Response(isEmpty ? null : body, { status: final, headers: all })
}

interface Parts {
  readonly status: number
  readonly headers: Names
  readonly body: string | Uint8Array<ArrayBuffer> | null
}

const bodyOf = ({ row: { body } }: Done): Parts['body'] =>
  body instanceof Uint8Array ? new Uint8Array(body) : body

function typeHeaders({ request, media }: Done): Names {
  return {
    'content-type': media.contentType,
    ...(request.namesSchema && { 'content-profile': encodeHeader(request.schema) }),
  }
}

function readResponse(done: Done): Parts {
  const { request, row, kind, total, isVoid } = done
  const { offset } = request.range
  const page = Number(row.page)
  if (total !== undefined && offset > 0 && offset > total) throw outOfRange(offset, total)
  const range = contentRange(offset, offset + page - 1, total)
  const applied = appliedHeader(done)
  if (isVoid) return { status: 204, headers: { 'content-range': range, ...applied }, body: null }
  const isPart = total !== undefined && page < total
  const location = kind === 'read' ? { 'content-location': contentLocation(request) } : {}
  return {
    status: isPart ? 206 : 200,
    headers: { 'content-range': range, ...location, ...typeHeaders(done), ...applied },
    body: bodyOf(done),
  }
}

const contentLocation = ({ path, query: { canonical } }: ApiRequest): string =>
  canonical === '' ? path : `${path}?${canonical}`

function outOfRange(offset: number, total: number): RestError {
  return new RestError({
    status: 416,
    code: 'PGRST103',
    message: 'Requested range not satisfiable',
    details: `An offset of ${offset} was requested, but there are only ${total} rows.`,
    headers: { 'content-range': `*/${total}` },
  })
}

function contentRange(first: number, last: number, total: number | undefined): string {
  const rows = last >= first && total !== 0 ? `${first}-${last}` : '*'
  return `${rows}/${total ?? '*'}`
}

function writeResponse(done: Done): Parts {
  const { request, row, kind } = done
  const { prefer } = request
  const [returns, page] = [prefer.return === 'representation', Number(row.page)]
  const counted = prefer.count === undefined ? undefined : page
  const applied = appliedHeader(done)
  const content = returns ? { headers: typeHeaders(done), body: bodyOf(done) } : { headers: {}, body: null }
  const parts = (status: number, headers: Names): Parts => ({
    status: returns || status === 201 || status === 200 ? status : 204,
    headers: { ...headers, ...content.headers, ...applied },
    body: content.body,
  })
  switch (kind) {
    case 'insert': {
      const isUpdateOnly = prefer.resolution === 'merge-duplicates' && Number(row.inserted ?? 0) <= 0
      return parts(isUpdateOnly ? 200 : 201, {
        'content-range': contentRange(1, 0, counted),
        ...(row.location !== null && { location: locationOf(request, row.location) }),
      })
    }
    case 'upsert':
      return returns
        ? parts(Number(row.inserted) > 0 ? 201 : 200, {})
        : { status: 204, headers: applied, body: null }
    case 'update':
      return returns
        ? parts(200, { 'content-range': contentRange(0, page - 1, counted) })
        : {
            status: 204,
            headers: { 'content-range': contentRange(0, page - 1, counted), ...applied },
            body: null,
          }
    default:
      return returns
        ? parts(200, { 'content-range': contentRange(1, 0, counted) })
        : { status: 204, headers: { 'content-range': contentRange(1, 0, counted), ...applied }, body: null }
  }
}

function locationOf({ path }: ApiRequest, location: string): string {
  const pairs = JSON.parse(location) as readonly (readonly [string, string])[]
  return `${path}?${pairs.map(([name, filter]) => `${encodeURIComponent(name)}=${encodeURIComponent(filter)}`).join('&')}`
}

/** Which preferences were followed. */
function appliedHeader({ request: { prefer }, kind, hasConflictTarget }: Done): Names {
  const isWrite = kind !== 'read' && kind !== 'call'
  const preferences: readonly (readonly [
    name: string,
    value: string | number | undefined,
    isApplied: boolean,
  ])[] = [
    ['resolution', prefer.resolution, kind === 'insert' && hasConflictTarget],
    ['missing', prefer.missing, kind === 'insert' || kind === 'update'],
    ['return', prefer.return, isWrite],
    ['count', prefer.count, true],
    ['tx', prefer.tx, true],
    ['handling', prefer.handling, true],
    ['timezone', prefer.timezone, true],
    ['max-affected', limited(prefer), kind === 'update' || kind === 'delete' || kind === 'call'],
  ]
  const applied = preferences.flatMap(([name, text, isApplied]) =>
    text === undefined || !isApplied ? [] : [`${name}=${text}`],
  )
  return applied.length === 0 ? {} : { 'preference-applied': applied.join(', ') }
}

const limited = ({ maxAffected, handling }: Preferences): number | undefined =>
  handling === 'strict' ? maxAffected : undefined

function settingHeaders(text: string | null): readonly (readonly [string, string])[] {
  if (text === null) return []
  const refusal = new RestError({
    status: 500,
    code: 'PGRST111',
    message:
      'response.headers guc must be a JSON array composed of objects with a single key and a string value',
  })
  let list: unknown
  try {
    list = JSON.parse(text)
  } catch {
    throw refusal
  }
  if (!Array.isArray(list)) throw refusal
  return list.map((each: unknown) => {
    const entries: readonly (readonly [string, unknown])[] =
      typeof each === 'object' && each !== null && !Array.isArray(each) ? Object.entries(each) : []
    const [entry, ...moreEntries] = entries
    if (!entry || moreEntries.length > 0 || typeof entry[1] !== 'string' || !isHeader(entry[0], entry[1]))
      throw refusal
    return [entry[0], entry[1]] as const
  })
}

function isHeader(name: string, text: string): boolean {
  try {
    return new Headers([[name, text]]).has(name)
  } catch {
    return false
  }
}

function settingStatus(text: string | null): number | undefined {
  if (text === null) return undefined
  const status = /^\d+/.test(text) ? Number.parseInt(text, 10) : Number.NaN
  if (status >= 200 && status < 600) return status
  throw new RestError({
    status: 500,
    code: 'PGRST112',
    message: 'response.status guc must be a valid status code',
  })
}
