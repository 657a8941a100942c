// The client of the page. On the server its storage is empty; there, use `locals.supabase`.
import { PUBLIC_SUPABASE_PUBLISHABLE_KEY, PUBLIC_SUPABASE_URL } from '$app/env/public'
import { createChartroomClient } from 'chartroom'
import { createCookieStorage } from 'chartroom/ssr'
import type { Database } from './database'

export const client = createChartroomClient<Database>(PUBLIC_SUPABASE_URL, PUBLIC_SUPABASE_PUBLISHABLE_KEY, {
  auth: { storage: createCookieStorage(), flowType: 'pkce' },
})
