// Reads what a REST request asks for; it knows nothing of the schema.
import type { RestSettings } from '../schema/schema-cache.ts'
import type { ApiRequest } from './api-request.ts'
import { readAccept, readMediaType } from './media-type.ts'
import { hasPayload, readPayload } from './payload.ts'
import { readPreferences } from './preferences.ts'
import { readQuery } from './query.ts'
import { readRange } from './ranges.ts'
import { readAction, readResource, readSchema } from './target.ts'

export { mediaTypeName, readMediaType } from './media-type.ts'
export type * from './api-request.ts'

const PREFIX = '/rest/v1'

/**
 * Reads a request whose path starts with `/rest/v1` and whose body is in memory.
 *
 * @throws RestError if it is none that PostgREST accepts.
 */
export async function readRequest(
  request: Request,
  settings: Pick<RestSettings, 'schemas' | 'txEnd' | 'openApi' | 'rootFunction'>,
): Promise<ApiRequest> {
  const { method, headers } = request
  const { pathname, search } = new URL(request.url)
  const path = (pathname.startsWith(PREFIX) ? pathname.slice(PREFIX.length) : pathname) || '/'
  const resource = readResource(path, settings)
  const { schema, namesSchema } = readSchema(request, settings.schemas)
  const action = readAction(resource, method)
  const isCallByGet = action.kind === 'call' && action.via !== 'POST'
  const { query, columns, spans } = readQuery(search, isCallByGet)
  const range = readRange(method, spans, headers.get('range'))
  const contentType = readMediaType(headers.get('content-type') ?? 'application/json')
  const body = hasPayload(action) ? new Uint8Array(await request.arrayBuffer()) : new Uint8Array()
  return {
    method,
    path,
    action,
    schema,
    namesSchema,
    query,
    prefer: readPreferences(headers.get('prefer'), settings.txEnd.endsWith('-allow-override')),
    accept: readAccept(headers.get('accept')),
    contentType,
    ...readPayload(action, contentType, body, columns),
    range,
    headers: Object.fromEntries([...headers].filter(([name]) => name !== 'cookie')),
    cookies: readCookies(headers.get('cookie') ?? ''),
  }
}

/** Values as sent, without decoding. */
function readCookies(header: string): Readonly<Record<string, string>> {
  if (header === '') return {}
  return Object.fromEntries(
    header.split(';').map(cookie => {
      const equals = cookie.indexOf('=')
      const name = equals < 0 ? cookie : cookie.slice(0, equals)
      return [name.replace(/^ +/, ''), equals < 0 ? '' : cookie.slice(equals + 1)]
    }),
  )
}
