// The types of the database, as `supabase gen types typescript` writes them.

export interface Database {
  public: {
    Tables: {
      notes: {
        Row: { id: number; author: string; text: string; created_at: string }
        Insert: { id?: never; author?: string; text: string; created_at?: string }
        Update: { id?: never; author?: string; text?: string; created_at?: string }
        Relationships: []
      }
    }
    Views: { [_ in never]: never }
    Functions: { [_ in never]: never }
  }
}
