// `createBrowserClient` in bundles for pages: without the client of @supabase/ssr, which is for servers there.
import { createInPage, oneOrMore } from './browser-client.ts'
import type { createBrowserClient } from './create-browser-client.ts'

/** The same function, as far as a page needs it. */
export const createPageClient: typeof createBrowserClient = (supabaseUrl, supabaseKey, options = {}) =>
  oneOrMore(options, () => createInPage(supabaseUrl, supabaseKey, options))
