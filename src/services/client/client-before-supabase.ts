// A client that works before supabase-js has loaded: it signs in, keeps the session and records.
import { createBoundClients, createClientCore } from './lazy-core.ts'
import type { ChartroomClient, DataClient } from './client-types.ts'
import type { ChartroomOptions } from './options.ts'
import type * as Supabase from './supabase-client.ts'

type Official<Database> = ReturnType<typeof Supabase.createSupabase<Database>>

let loaded: typeof Supabase | undefined

/** Loads supabase-js and the code for sign-in requests. @throws if loading fails */
export async function loadSupabase(): Promise<void> {
  const [parts] = await Promise.all([import('./supabase-client.ts'), import('./auth/supabase-account.ts')])
  loaded = parts
}

const parts = (): typeof Supabase => {
  if (!loaded) throw new Error('supabase-js was used before it was loaded; await loadSupabase() first')
  return loaded
}

/** The data client is created when it is first used. */
const lazily = <Client extends object>(make: () => Client): Client => {
  let loadedClient: Client | undefined
  return new Proxy({} as Client, {
    get: (_target, name) => Reflect.get((loadedClient ??= make()), name) as unknown,
  })
}

/** Like `createChartroomClient`, but its data clients throw when used before `loadSupabase` has resolved. */
export function createClientBeforeSupabase<Database = unknown>(
  options: ChartroomOptions,
): ChartroomClient<Database, Official<Database>> {
  const { client, supabase, data } = createClientCore(options)
  let official: Official<Database> | undefined
  const createdClient = Object.assign(client, {
    with: createBoundClients((requestOptions): DataClient<Database, Official<Database>> =>
      lazily(() => parts().createDataClient(...data(requestOptions))),
    ),
  })
  const get = () => (official ??= parts().createSupabase<Database>(...supabase))
  return Object.defineProperty(createdClient, 'supabase', {
    get,
    enumerable: true,
  }) as typeof createdClient & {
    readonly supabase: Official<Database>
  }
}
