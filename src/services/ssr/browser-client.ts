// The client of a page whose session is in cookies, with the options of @supabase/ssr.
import {
  type CookieMethodsBrowser,
  type CookieMethodsBrowserDeprecated,
  type CookieOptionsWithName,
  isBrowser,
} from '@supabase/ssr'
import type { SupabaseClient, SupabaseClientOptions } from '@supabase/supabase-js'
import { type ChartroomClient, type ChartroomOptions, createChartroomClient } from '../client/index.ts'
import { withChartroom } from './chartroom-of.ts'
import { type CookieAccess, pageCookies, readCookies, storageIn } from './cookie-storage.ts'
import type { SchemaOf } from './database-types.ts'

/** Options of `createBrowserClient`: those of supabase-js, of @supabase/ssr, and our own. */
export type BrowserClientOptions<Schema extends string = 'public'> = BrowserSettings<Schema> & {
  /** Another place for cookies than `document.cookie`. `encode: 'tokens-only'` is not supported. */
  readonly cookies?: CookieMethodsBrowser
}

/** All but the cookies. */
export type BrowserSettings<Schema extends string> = SupabaseClientOptions<Schema> &
  Pick<ChartroomOptions, 'timings' | 'maxConcurrent' | 'recording' | 'control'> & {
    /** `domain`, `path`, `sameSite`, `secure` and others. `name` is the storage key. */
    readonly cookieOptions?: CookieOptionsWithName
    /** Defaults to `base64url`. Both are read. */
    readonly cookieEncoding?: 'raw' | 'base64url'
    /** Whether calls return one client. Defaults to true in a page, and to false elsewhere. */
    readonly isSingleton?: boolean
  }

/** The deprecated form of cookies in @supabase/ssr: one at a time. */
export type SingleCookies = { readonly cookies: CookieMethodsBrowserDeprecated }

type BrowserCookies = CookieMethodsBrowser | CookieMethodsBrowserDeprecated
export type AnyOptions<Schema extends string> = BrowserSettings<Schema> & {
  readonly cookies?: BrowserCookies
}

/** The client that calls in this page share. */
let shared: object | undefined

/** The shared client, or another one. */
export function oneOrMore<Official extends object>(
  options: Pick<BrowserClientOptions, 'isSingleton'>,
  create: () => Official,
): Official {
  const isShared = 'isSingleton' in options ? options.isSingleton : isBrowser()
  if (isShared && shared) return shared as Official
  const supabase = create()
  if (isShared) shared = supabase
  return supabase
}

/** A supabase-js client that Chartroom drives. */
export function createInPage<Database, Schema extends SchemaOf<Database>>(
  url: string,
  key: string,
  options: AnyOptions<Schema>,
): SupabaseClient<Database, Schema> {
  const client = chartroomIn<Database, Schema>(url, key, options)
  const chartroom = releasing(client, client.supabase)
  return withChartroom(client.supabase, () => chartroom)
}

/** The same client; after its end, the next call creates another one. */
export function releasing<Client extends Pick<ChartroomClient, 'dispose'>>(
  client: Client,
  supabase: object,
): Client {
  const dispose = client.dispose.bind(client)
  return Object.assign(client, {
    dispose() {
      if (shared === supabase) shared = undefined
      return dispose()
    },
  })
}

/** The Chartroom client, which starts when it is first used. */
export function chartroomIn<Database, Schema extends SchemaOf<Database>>(
  url: string,
  key: string,
  { cookies, cookieOptions = {}, cookieEncoding, ...options }: AnyOptions<Schema>,
): ChartroomClient<Database, SupabaseClient<Database, Schema>> {
  const { name, ...attributes } = cookieOptions
  const { auth } = options
  const storage = storageIn(accessTo(cookies), {
    cookieOptions: attributes,
    ...(cookieEncoding && { cookieEncoding }),
  })
  const settings: object = {
    ...options,
    isSingleton: undefined,
    auth: {
      ...auth,
      ...(name !== undefined && { storageKey: name }),
      storage,
      flowType: 'pkce',
      autoRefreshToken: auth?.autoRefreshToken ?? isBrowser(),
      detectSessionInUrl: auth?.detectSessionInUrl ?? isBrowser(),
      persistSession: auth?.persistSession ?? true,
    },
  }
  // Its rules say what of the official options it does not support.
  return createChartroomClient(
    url,
    key,
    settings as Omit<ChartroomOptions, 'url' | 'key'>,
  ) as ChartroomClient<Database, SupabaseClient<Database, Schema>>
}

/** @throws TypeError for cookies that can't be written, and for an encoding that is not supported */
function accessTo(cookies: BrowserCookies | undefined): CookieAccess {
  if (!cookies) return pageCookies
  if ('encode' in cookies && cookies.encode === 'tokens-only')
    throw new TypeError(
      "`cookies.encode: 'tokens-only'` is not supported. Leave it out here and in `createServerClient`.",
    )
  if ('get' in cookies) {
    const { set, remove } = cookies as Partial<CookieMethodsBrowserDeprecated>
    if (!set || !remove) throw new TypeError(INCOMPLETE)
    return {
      getAll: key => readCookies(cookies, key),
      async setAll(all) {
        for (const { name, value, options } of all)
          await (value === '' ? remove(name, options) : set(name, value, options))
      },
    }
  }
  const { getAll, setAll } = cookies
  if (!getAll && !setAll) return pageCookies
  if (!getAll || !setAll) throw new TypeError(INCOMPLETE)
  return { getAll, setAll }
}

const INCOMPLETE =
  '`cookies` of createBrowserClient needs both `getAll` and `setAll`. In a page, leave them out to use `document.cookie`.'
