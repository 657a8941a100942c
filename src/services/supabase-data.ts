// The data client: ordinary supabase-js over our fetch, kept from holding or refreshing any token itself.
import { createClient } from '@supabase/supabase-js'
import type { DataClient } from './client-types.ts'

export function createDataClient<Database>(
  url: string,
  key: string,
  fetch: typeof globalThis.fetch,
): DataClient<Database> {
  return createClient<Database>(url, key, {
    // Every call then carries the API key, and the request actor puts the user's token in its place.
    accessToken: () => Promise.resolve(null),
    global: { fetch },
    // The request machine owns retries.
    db: { retry: false },
  })
}
