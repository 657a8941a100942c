// Options and results of the invariants; the state functions are shared with the assertions.

/** Name of a built-in invariant. */
export type InvariantName =
  'oneRefresh' | 'liveToken' | 'settlesOnce' | 'endsForAReason' | 'nothingOutlives' | 'comesToRest'

/** A failed invariant. */
export interface Violation {
  readonly invariant: InvariantName
  /** Number of the step at which it was detected; the last one for an omission. */
  readonly seq: number
  /** Milliseconds since the recording started. */
  readonly t: number
  /** Path of the actor concerned. */
  readonly actor: string
  /** Description, without secrets. */
  readonly why: string
}

export interface InvariantOptions {
  /** Milliseconds from the last fault to authenticated, open and joined. */
  readonly restsWithin: number
  /** Milliseconds by which timers may be late: a token that has expired for less may still be used. */
  readonly timerLag: number
  /** Milliseconds beyond its own deadline in which a request must settle. */
  readonly settlesWithin: number
}

export const DEFAULT_INVARIANT_OPTIONS: InvariantOptions = {
  // An open breaker (60 s), then the timeouts of a lock, a refresh, a socket and a join, with the longest
  // delays.
  restsWithin: 180_000,
  // Browsers delay the timers of a hidden page by up to a minute.
  timerLag: 60_000,
  // Three attempts of a minute each with their delays, and the same again for a server with a long
  // `Retry-After`.
  settlesWithin: 600_000,
}
