// The generated database types that the logbook uses, and the data that it displays.

export interface Database {
  public: {
    Tables: {
      log_entries: {
        Row: { id: number; at: string; note: string }
        Insert: { note: string }
        Update: { note?: string }
        Relationships: []
      }
    }
    Views: { [_ in never]: never }
    Functions: { [_ in never]: never }
  }
}

export interface Entry {
  readonly id: number
  readonly note: string
}

/** The page that contains it. */
export interface Screen {
  showEntries(entries: readonly Entry[]): void
  showSignedOut(why: string): void
  showProblem(problem: string): void
}

export interface Account {
  readonly email: string
  readonly password: string
}
