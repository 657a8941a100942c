// A supabase-js client whose calls are request actors and whose auth and realtime are driven by the machines.
import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import { AuthFacade, type AuthFacadeHost } from './auth/supabase-auth-facade.ts'
import type { ClientSettings } from './options.ts'
import { noSocket, RealtimeFacade, type RealtimeFacadeHost } from './realtime/supabase-channel-facade.ts'

type DataSettings = ClientSettings['data']

export interface SupabaseHost extends AuthFacadeHost {
  readonly data: DataSettings
  /** The tokens are those of `accessToken`. */
  readonly isThirdParty: boolean
}

/** Client for data only: stores and refreshes no token, and opens no socket. */
export function createDataClient<Database>(
  url: string,
  key: string,
  fetch: typeof globalThis.fetch,
  { db, headers, ...others }: DataSettings,
): SupabaseClient<Database> {
  // Whether the database has the schema is checked by the types of `createChartroomClient`.
  const database: object = { ...db, retry: false }
  return createClient<Database>(url, key, {
    ...others,
    // With null, every call carries the API key, which the request actor replaces by the user's token.
    accessToken: () => Promise.resolve(null),
    global: { fetch, headers },
    realtime: { transport: noSocket },
    // The request machine owns retries.
    db: database,
  })
}

export function createSupabase<Database>(
  host: SupabaseHost,
  channels: Pick<RealtimeFacadeHost, 'options' | 'open' | 'connect' | 'disconnect'>,
): SupabaseClient<Database> {
  const { url, key, fetch, status } = host
  const client = createDataClient<Database>(url, key, fetch, host.data)
  // Otherwise it throws, as in the official client.
  if (!host.isThirdParty) client.auth = new AuthFacade(host)
  // Its fetch adds the trace, as to queries.
  client.realtime = new RealtimeFacade({ url, key, fetch: client.realtime.fetch, status, ...channels })
  return client
}
