// What the server adds to each request.
import type { SupabaseClient } from '@supabase/supabase-js'
import type { Database } from './database'

declare global {
  namespace App {
    interface Locals {
      supabase: SupabaseClient<Database>
    }
  }
}
