// The database types of the test app, as `supabase gen types` writes them: the logbook of the demo.

export interface Database {
  public: {
    Tables: {
      log_entries: {
        Row: { id: number; note: string; author: string }
        Insert: { id?: number; note: string; author?: string }
        Update: { id?: number; note?: string; author?: string }
        Relationships: []
      }
    }
    Views: { [_ in never]: never }
    Functions: { [_ in never]: never }
  }
}
