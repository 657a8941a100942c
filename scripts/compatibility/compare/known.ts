// Differences that stay, and why.

interface KnownDifference {
  /** Matches `CONVERSATION: STEP | WHAT | OURS | THEIRS`. */
  readonly pattern: RegExp
  readonly reason: string
}

export const KNOWN: readonly KnownDifference[] = []
