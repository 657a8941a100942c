import { createServerClient } from '@supabase/ssr'
import { deleteCookie, getCookie, setCookie, type EventHandlerRequest, type H3Event } from 'h3'
import type { Database } from '../../database'

export const createSupabaseServerClient = (event: H3Event<EventHandlerRequest> | undefined) => {
  return createServerClient<Database>(
    process.env.NUXT_PUBLIC_SUPABASE_URL!,
    process.env.NUXT_PUBLIC_SUPABASE_PUBLISHABLE_KEY!,
    {
      cookies: {
        get: key => getCookie(event!, key),
        set: (key, value, options) => setCookie(event!, key, value, options),
        remove: (key, options) => deleteCookie(event!, key, options),
      },
    },
  )
}
