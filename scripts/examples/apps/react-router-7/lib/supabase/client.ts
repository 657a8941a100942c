import { createBrowserClient } from '@supabase/ssr'
import type { Database } from '../../database'

export function createClient() {
  return createBrowserClient<Database>(
    import.meta.env.VITE_SUPABASE_URL!,
    import.meta.env.VITE_SUPABASE_PUBLISHABLE_KEY!,
  )
}
