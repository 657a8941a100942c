import { createBrowserClient } from '@supabase/ssr'
import type { Database } from '../../database'

export const useSupabase = () => {
  const { supabaseUrl, supabasePublishableKey } = useRuntimeConfig().public
  return createBrowserClient<Database>(supabaseUrl, supabasePublishableKey)
}
