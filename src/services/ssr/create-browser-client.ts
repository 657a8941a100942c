// `createBrowserClient` where it may also run on a server.
import { type CookieMethodsBrowser, createBrowserClient as createOfficial, isBrowser } from '@supabase/ssr'
import type { SupabaseClient, SupabaseClientOptions } from '@supabase/supabase-js'
import type { ChartroomClient } from '../client/index.ts'
import {
  type AnyOptions,
  type BrowserClientOptions,
  type BrowserSettings,
  chartroomIn,
  createInPage,
  oneOrMore,
  releasing,
  type SingleCookies,
} from './browser-client.ts'
import { withChartroom } from './chartroom-of.ts'
import type { AnyDatabase, DefaultSchema, SchemaOf } from './database-types.ts'
import { guardedFetch } from './server-client.ts'

/**
 * Returns the client of this page, called like `createBrowserClient` of @supabase/ssr and with its singleton:
 * in a page, later calls return the first client, whatever their arguments are. Its session is in cookies,
 * where servers read it. It is a supabase-js client that Chartroom drives; `chartroomOf` returns the Chartroom
 * client behind it. Where there is no page, as in a render on a server, it is the client of @supabase/ssr,
 * without machines and timers. `auth.storage` is ignored, and `auth.flowType` is `pkce`, as there.
 * @throws TypeError for what `createChartroomClient` refuses, and for cookies that can be read but not written
 */
export function createBrowserClient<
  Database = AnyDatabase,
  Schema extends SchemaOf<Database> = DefaultSchema<Database>,
>(
  supabaseUrl: string,
  supabaseKey: string,
  options?: BrowserClientOptions<Schema>,
): SupabaseClient<Database, Schema>
/** @deprecated Pass `getAll` and `setAll`. */
export function createBrowserClient<
  Database = AnyDatabase,
  Schema extends SchemaOf<Database> = DefaultSchema<Database>,
>(
  supabaseUrl: string,
  supabaseKey: string,
  options: BrowserSettings<Schema> & SingleCookies,
): SupabaseClient<Database, Schema>
export function createBrowserClient<Database, Schema extends SchemaOf<Database>>(
  supabaseUrl: string,
  supabaseKey: string,
  options: AnyOptions<Schema> = {},
): SupabaseClient<Database, Schema> {
  const create = isBrowser() ? createInPage<Database, Schema> : createOnServer<Database, Schema>
  return oneOrMore(options, () => create(supabaseUrl, supabaseKey, options))
}

/** Such a client is created for a render and never disposed of, so that it must not run anything. */
function createOnServer<Database, Schema extends SchemaOf<Database>>(
  url: string,
  key: string,
  options: AnyOptions<Schema>,
): SupabaseClient<Database, Schema> {
  let chartroom: ChartroomClient<Database, SupabaseClient<Database, Schema>> | undefined
  const supabase = createOfficial<Database, Schema>(url, key, {
    ...(options as SupabaseClientOptions<Schema> & { cookies?: CookieMethodsBrowser }),
    isSingleton: false,
    global: { ...options.global, fetch: guardedFetch(key, options.global?.fetch) },
  })
  return withChartroom(
    supabase,
    () => (chartroom ??= releasing(chartroomIn<Database, Schema>(url, key, options), supabase)),
  )
}
