// CORS for the services: pages of allowed origins may send any header and read responses.
import type { MiddlewareHandler } from 'hono'
import { cors } from 'hono/cors'

/** Supported methods; others are refused. */
export const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']

const EXPOSED = [
  'content-range',
  'content-location',
  'content-length',
  'content-disposition',
  'content-profile',
  'etag',
  'link',
  'location',
  'preference-applied',
  'range-unit',
  'retry-after',
  'x-relay-error',
  'x-sb-error-code',
  'x-total-count',
  'tus-resumable',
  'upload-length',
  'upload-offset',
  'sb-error-code',
  'sb-auth-session-id',
  'sb-auth-user-id',
  'sb-request-id',
  'x-supabase-api-version',
]

/** Preflights are granted the headers that they request. */
export function familyCors(exposed: readonly string[] = []): MiddlewareHandler {
  const all = cors({
    // Other origins have already been refused.
    origin: origin => origin,
    allowMethods: METHODS,
    exposeHeaders: [...EXPOSED, ...exposed],
    maxAge: 86_400,
  })
  // REST answers with the methods of a table.
  return async (context, next) => (asksForMethods(context.req.raw) ? next() : all(context, next))
}

const asksForMethods = ({ method, headers, url }: Request): boolean =>
  method === 'OPTIONS' &&
  !headers.has('access-control-request-method') &&
  new URL(url).pathname.startsWith('/rest/v1/')
