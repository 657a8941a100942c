// The part of the generated database types that the logbook uses, and what it shows on its screen.

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

/** The page around it. */
export interface Screen {
  showEntries(entries: readonly Entry[]): void
  showSignedOut(why: string): void
  showProblem(problem: string): void
}

export interface Account {
  readonly email: string
  readonly password: string
}
