// The client of one request on a server: the session of its cookies, without machines and timers.
import {
  type CookieMethodsServer,
  type CookieMethodsServerDeprecated,
  type CookieOptionsWithName,
  createServerClient as createOfficial,
} from '@supabase/ssr'
import type { SupabaseClient, SupabaseClientOptions } from '@supabase/supabase-js'
import { keyOf, readCookies, withoutUnsendable } from './cookie-storage.ts'
import type { AnyDatabase, DefaultSchema, SchemaOf } from './database-types.ts'

/** Options of `createServerClient`: those of supabase-js and @supabase/ssr. */
export type ServerClientOptions<Schema extends string = 'public'> = ServerSettings<Schema> & {
  /**
   * The cookies of the request, and a function that adds cookies and headers to the response. Where a response
   * can't be changed, as in a server component, leave out `setAll`, and refresh sessions in middleware.
   */
  readonly cookies: CookieMethodsServer
}

/** All but the cookies. */
type ServerSettings<Schema extends string> = SupabaseClientOptions<Schema> & {
  /** `domain`, `path`, `sameSite`, `secure` and others. `name` is the storage key. */
  readonly cookieOptions?: CookieOptionsWithName
  /** Defaults to `base64url`. Both are read. */
  readonly cookieEncoding?: 'raw' | 'base64url'
}

/** The deprecated form of cookies in @supabase/ssr: one at a time. */
type SingleCookies = { readonly cookies: CookieMethodsServerDeprecated }

const refused =
  'The session could not be refreshed, so this request was not sent: without its user, the response would be wrong.'

/**
 * Creates a client for one request, like `createServerClient` of @supabase/ssr, which it uses: it reads the
 * session from the request's cookies, refreshes an expired token when a call needs it, and passes changed
 * cookies to `setAll`. It has no timers and needs no disposal. Unlike there, a request of a user whose
 * token could not be refreshed fails instead of being sent anonymously, and a rate limit does not end the session.
 */
export function createServerClient<
  Database = AnyDatabase,
  Schema extends SchemaOf<Database> = DefaultSchema<Database>,
>(
  supabaseUrl: string,
  supabaseKey: string,
  options: ServerClientOptions<Schema>,
): SupabaseClient<Database, Schema>
/** @deprecated Pass `getAll` and `setAll`. */
export function createServerClient<
  Database = AnyDatabase,
  Schema extends SchemaOf<Database> = DefaultSchema<Database>,
>(
  supabaseUrl: string,
  supabaseKey: string,
  options: ServerSettings<Schema> & SingleCookies,
): SupabaseClient<Database, Schema>
export function createServerClient<Database, Schema extends SchemaOf<Database>>(
  supabaseUrl: string,
  supabaseKey: string,
  options: ServerSettings<Schema> & { readonly cookies: ServerCookies },
): SupabaseClient<Database, Schema> {
  const { cookies, global } = options
  return createOfficial<Database, Schema>(supabaseUrl, supabaseKey, {
    ...options,
    // Whether they are complete is for @supabase/ssr to say.
    cookies: sendable(cookies) as CookieMethodsServer,
    global: { ...global, fetch: guardedFetch(supabaseKey, global?.fetch) },
  })
}

type ServerCookies = CookieMethodsServer | CookieMethodsServerDeprecated

/** The same methods, which read no session whose token could not be sent. */
function sendable(cookies: ServerCookies | undefined): ServerCookies | undefined {
  if (!cookies) return undefined
  const readers: Partial<CookieMethodsServer & CookieMethodsServerDeprecated> = {}
  if ('get' in cookies)
    readers.get = async name =>
      withoutUnsendable(await readCookies(cookies, keyOf(name))).find(cookie => cookie.name === name)?.value
  if ('getAll' in cookies) readers.getAll = async () => withoutUnsendable((await cookies.getAll()) ?? [])
  // Not a copy, which would lack the methods of a class.
  return Object.assign(Object.create(cookies) as ServerCookies, readers)
}

/** A `fetch` that rejects anonymous requests while the outcome of a refresh is unknown. */
export function guardedFetch(key: string, send = globalThis.fetch): typeof fetch {
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
