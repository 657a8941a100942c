// Gives each request a client with the session of its cookies, and refreshes it before the page renders.
import { PUBLIC_SUPABASE_PUBLISHABLE_KEY, PUBLIC_SUPABASE_URL } from '$app/env/public'
import type { Handle } from '@sveltejs/kit/hooks'
import { createServerClient } from 'chartroom/ssr'
import type { Database } from './database'

export const handle: Handle = async ({ event, resolve }) => {
  event.locals.supabase = createServerClient<Database>(PUBLIC_SUPABASE_URL, PUBLIC_SUPABASE_PUBLISHABLE_KEY, {
    cookies: {
      getAll: () => event.cookies.getAll(),
      setAll(all, headers) {
        for (const { name, value, options } of all)
          event.cookies.set(name, value, { ...options, path: options.path ?? '/' })
        event.setHeaders(headers)
      },
    },
  })
  await event.locals.supabase.auth.getClaims()
  return resolve(event, {
    filterSerializedResponseHeaders: name => name === 'content-range' || name === 'x-supabase-api-version',
  })
}
