// A supabase-js client whose calls are request actors and whose auth and realtime are driven by the machines.
import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import { AuthFacade, type AuthFacadeHost } from './auth/supabase-auth-facade.ts'
import { noSocket, RealtimeFacade, type RealtimeFacadeHost } from './realtime/supabase-channel-facade.ts'

/** Client for data only: stores and refreshes no token, and opens no socket. */
export function createDataClient<Database>(
  url: string,
  key: string,
  fetch: typeof globalThis.fetch,
): SupabaseClient<Database> {
  return createClient<Database>(url, key, {
    // With null, every call carries the API key, which the request actor replaces by the user's token.
    accessToken: () => Promise.resolve(null),
    global: { fetch },
    realtime: { transport: noSocket },
    // The request machine owns retries.
    db: { retry: false },
  })
}

export function createSupabase<Database>(
  host: AuthFacadeHost,
  channels: Pick<RealtimeFacadeHost, 'open' | 'connect' | 'disconnect'>,
): SupabaseClient<Database> {
  const { url, key, fetch, status } = host
  const client = createDataClient<Database>(url, key, fetch)
  client.auth = new AuthFacade(host)
  client.realtime = new RealtimeFacade({ url, key, fetch, status, ...channels })
  return client
}
