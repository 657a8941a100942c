// The client of one request, on the server.
import { cookies } from 'next/headers'
import { createServerClient } from 'chartroom/ssr'
import type { Database } from './database'
import { key, url } from './env'

export async function createClient() {
  const store = await cookies()
  return createServerClient<Database>(url, key, {
    cookies: {
      getAll: () => store.getAll(),
      setAll(all) {
        try {
          for (const { name, value, options } of all) store.set(name, value, options)
        } catch {
          // Server components can't set cookies; the proxy has refreshed the session.
        }
      },
    },
  })
}
