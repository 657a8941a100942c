// The client of one request on a server: the session of its cookies, without machines and timers.
import { type CookieMethodsServer, createServerClient as createOfficial } from '@supabase/ssr'
import type { SupabaseClient } from '@supabase/supabase-js'
import { type CookieStorageOptions, withoutUnsendable } from './cookie-storage.ts'

/** Options of `createServerClient`, with the cookies of one request. */
export interface ServerClientOptions extends Omit<CookieStorageOptions, 'cookies'> {
  /**
   * The cookies of the request, and a function that adds cookies and headers to the response. Where a response
   * can't be changed, as in a server component, leave out `setAll`, and refresh sessions in middleware.
   */
  readonly cookies: Pick<CookieMethodsServer, 'getAll' | 'setAll'>
  readonly global?: {
    readonly fetch?: typeof globalThis.fetch
    readonly headers?: Readonly<Record<string, string>>
  }
}

const refused =
  'The session could not be refreshed, so this request was not sent: without its user, the response would be wrong.'

/**
 * Creates a client for one request, like `createServerClient` of @supabase/ssr, which it uses: it reads the
 * session from the request's cookies, refreshes an expired token when a call needs it, and passes changed
 * cookies to `setAll`. It has no timers and needs no disposal. Unlike there, a request of a user whose
 * token could not be refreshed fails instead of being sent anonymously, and a rate limit does not end the session.
 */
export function createServerClient(url: string, key: string, options: ServerClientOptions): SupabaseClient
export function createServerClient<Database>(
  url: string,
  key: string,
  options: ServerClientOptions,
): SupabaseClient<Database>
export function createServerClient<Database>(
  url: string,
  key: string,
  { cookies, cookieOptions = {}, cookieEncoding = 'base64url', global = {} }: ServerClientOptions,
): SupabaseClient<Database> {
  return createOfficial<Database>(url, key, {
    cookies: {
      ...cookies,
      getAll: async () => withoutUnsendable((await cookies.getAll()) ?? []),
    },
    cookieOptions,
    cookieEncoding,
    global: { headers: { ...global.headers }, fetch: guarded(key, global.fetch) },
  })
}

/** A `fetch` that rejects anonymous requests while the outcome of a refresh is unknown. */
function guarded(key: string, send = globalThis.fetch): typeof fetch {
  let isUnsure = false
  const refresh: typeof fetch = async (input, init) => {
    isUnsure = true
    const response = await send(input, init)
    isUnsure = response.status >= 500 || response.status === 429
    // Servers share one address, and so its rate limit; auth-js would remove the session of a user who meets it.
    return response.status === 429
      ? new Response(response.body, { status: 503, headers: response.headers })
      : response
  }
  return async (input, init) => {
    const { pathname, searchParams } = new URL(input instanceof Request ? input.url : input)
    if (pathname.endsWith('/auth/v1/token') && searchParams.get('grant_type') === 'refresh_token')
      return refresh(input, init)
    if (isUnsure && new Headers(init?.headers).get('authorization') === `Bearer ${key}`)
      throw new TypeError(refused)
    return send(input, init)
  }
}
