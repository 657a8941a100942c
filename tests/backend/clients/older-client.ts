// supabase-js of early 2024, connected to a test's backend.
import { createClient, type SupabaseClient } from 'supabase-js-2-39'
import type { Backend } from '../../../backend/index.ts'

/** The older client, without background timers or shared storage. */
export function olderClient(backend: Backend, key = backend.publishableKey): SupabaseClient {
  return createClient(backend.url, key, {
    auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
  })
}

/** The older client, signed in as a demo account. */
export async function olderSkipper(backend: Backend): Promise<SupabaseClient> {
  const client = olderClient(backend)
  const { error } = await client.auth.signInWithPassword({
    email: 'skipper@harbour.test',
    password: 'harbour-demo',
  })
  if (error) throw error
  return client
}
