// The official code that loads when it is first used: the app's own copy of supabase-js, so that errors are of the
// classes that the app imports.
import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import type { ClientSettings } from '../options.ts'
import { WITHOUT_SESSION } from './supabase-version.ts'

export { AuthFacade, authError } from '../auth/supabase-auth-facade.ts'
export { PostgrestError } from '@supabase/supabase-js'
export { checkVersion } from './supabase-version.ts'

/** What the official client for functions and files needs. */
export interface OfficialHost {
  readonly url: string
  readonly key: string
  readonly fetch: typeof globalThis.fetch
  readonly headers: Readonly<Record<string, string>>
  readonly settings: Pick<ClientSettings['data'], 'storage' | 'tracePropagation'>
}

/** Its calls are sent by the host. */
export function createOfficial({
  url,
  key,
  fetch,
  headers,
  settings,
}: OfficialHost): SupabaseClient<unknown> {
  const { storage, tracePropagation } = settings
  return createClient<unknown>(url, key, {
    ...WITHOUT_SESSION,
    global: { fetch, headers },
    storage,
    tracePropagation,
  })
}
