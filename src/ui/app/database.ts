// The data client for tables that are only known at run time.
import type { DataClient } from '../../index.ts'
import { useClient } from '../react.ts'

interface AnyDatabase {
  public: {
    Tables: Record<
      string,
      {
        Row: Record<string, unknown>
        Insert: Record<string, unknown>
        Update: Record<string, unknown>
        Relationships: []
      }
    >
    Views: Record<string, never>
    Functions: Record<string, never>
  }
}

/** Ordinary supabase-js without the types of a certain schema. */
export type AnyDataClient = DataClient<AnyDatabase>

/** The connected backend's data client. */
export const useData = (): AnyDataClient => useClient<AnyDatabase>().supabase
