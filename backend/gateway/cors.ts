// CORS for the endpoint families: pages of the origins that were let in may send any header and read the answers.
import type { MiddlewareHandler } from 'hono'
import { cors } from 'hono/cors'

/** Methods that mean anything here; the others are refused. */
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

/** A preflight is answered with the headers it asks for. */
export function familyCors(exposed: readonly string[] = []): MiddlewareHandler {
  return cors({
    // Others have been refused before.
    origin: origin => origin,
    allowMethods: METHODS,
    exposeHeaders: [...EXPOSED, ...exposed],
    maxAge: 86_400,
  })
}
