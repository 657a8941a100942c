// From a supabase-js client that Chartroom drives to the Chartroom client behind it.
import type { SupabaseClient } from '@supabase/supabase-js'
import type { ChartroomClient } from '../client/index.ts'
import type { SchemaOf } from './database-types.ts'

/**
 * Under this name, such a supabase-js client holds a function that returns the Chartroom client. A registered
 * symbol, since a bundler may give an app two copies of this module.
 */
const CHARTROOM = Symbol.for('chartroom.client')

/** Lets `chartroomOf` find the client, which is only created when it is asked for. */
export function withChartroom<Official extends object>(official: Official, client: () => unknown): Official {
  return Object.defineProperty(official, CHARTROOM, { value: client, configurable: true })
}

/**
 * Returns the Chartroom client behind a supabase-js client, for its status, its uploads and the hooks:
 * `<ChartroomProvider client={chartroomOf(supabase)}>`.
 * @param supabase from `createBrowserClient` of `chartroom/ssr`, or from `createClient` in a page where the
 * plugin of `chartroom/vite` replaced it
 * @throws TypeError for another client
 */
export function chartroomOf<Database, Schema extends SchemaOf<Database>>(
  supabase: SupabaseClient<Database, Schema>,
): ChartroomClient<Database, OfficialIn<Database, Schema>> {
  const client = (supabase as object as { readonly [CHARTROOM]?: () => unknown } | undefined)?.[CHARTROOM]
  if (!client)
    throw new TypeError(
      'chartroomOf() needs a client from `createBrowserClient` of chartroom/ssr, or one whose `createClient` the plugin of chartroom/vite replaced. For a client from `createChartroomClient`, use that client itself.',
    )
  return client() as ChartroomClient<Database, OfficialIn<Database, Schema>>
}

/** Without a `Database` type, rows are `any`, as there. */
type OfficialIn<Database, Schema extends SchemaOf<Database>> = unknown extends Database
  ? SupabaseClient
  : SupabaseClient<Database, Schema>
