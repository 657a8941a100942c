// The client of the page. On the server its storage is empty; there, use lib/server.ts.
import { createChartroomClient } from 'chartroom'
import { createCookieStorage } from 'chartroom/ssr'
import type { Database } from './database'
import { key, url } from './env'

export const client = createChartroomClient<Database>(url, key, {
  auth: { storage: createCookieStorage(), flowType: 'pkce' },
})
