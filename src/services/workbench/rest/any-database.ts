// The data client for tables that are only known at run time.
import type { DataClient } from '../../client/index.ts'

export interface AnyDatabase {
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

/** supabase-js without the types of a specific schema. */
export type AnyDataClient = DataClient<AnyDatabase>
