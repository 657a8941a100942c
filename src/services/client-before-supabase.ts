// A client that is there before supabase-js: it signs in, keeps the session and records while that is fetched.
import { createBoundClients } from './bound-clients.ts'
import { createClientCore } from './client-core.ts'
import type { ChartroomClient, ChartroomOptions, DataClient } from './client-types.ts'
import type * as Supabase from './supabase-client.ts'

let loaded: typeof Supabase | undefined

/** Fetches supabase-js, and with it what a sign-in asks the server with. @throws when it can't be fetched */
export async function loadSupabase(): Promise<void> {
  const [parts] = await Promise.all([import('./supabase-client.ts'), import('./auth/supabase-account.ts')])
  loaded = parts
}

const parts = (): typeof Supabase => {
  if (!loaded) throw new Error('supabase-js was asked for before it was loaded')
  return loaded
}

/** As `createChartroomClient`, but that `supabase` and `with` throw until `loadSupabase` is done. */
export function createClientBeforeSupabase<Database = unknown>(
  options: ChartroomOptions,
): ChartroomClient<Database> {
  const { client, supabase, data } = createClientCore(options)
  let official: ChartroomClient<Database>['supabase'] | undefined
  return {
    ...client,
    get supabase() {
      return (official ??= parts().createSupabase<Database>(...supabase))
    },
    with: createBoundClients((asked): DataClient<Database> => parts().createDataClient(...data(asked))),
  }
}
