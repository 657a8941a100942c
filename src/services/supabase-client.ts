// The supabase client: the official one, whose calls are requests and whose auth and realtime are the machines'.
import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import { AuthFacade, type AuthFacadeHost } from './supabase-auth-facade.ts'
import { noSocket, RealtimeFacade, type RealtimeFacadeHost } from './supabase-channel-facade.ts'

export interface SupabaseHost {
  readonly url: string
  readonly key: string
  /** The gated fetch. */
  readonly fetch: typeof globalThis.fetch
}

/** Holds no token, refreshes none, and opens no socket. */
export function createSupabase<Database>(
  { url, key, fetch }: SupabaseHost,
  auth: AuthFacadeHost,
  open: RealtimeFacadeHost['open'],
): SupabaseClient<Database> {
  const client = createClient<Database>(url, key, {
    // Every call then carries the API key, and the request actor puts the user's token in its place.
    accessToken: () => Promise.resolve(null),
    global: { fetch },
    realtime: { transport: noSocket },
    // The request machine owns retries.
    db: { retry: false },
  })
  client.auth = new AuthFacade(auth)
  client.realtime = new RealtimeFacade({ url, key, fetch, open, status: auth.status })
  return client
}
