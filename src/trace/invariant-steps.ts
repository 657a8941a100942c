// What the invariants are asked with and what they tell; how states are looked at stands with the assertions.
export { isIn } from './assert/values.ts'

export type InvariantName =
  'oneRefresh' | 'liveToken' | 'settlesOnce' | 'endsForAReason' | 'nothingOutlives' | 'comesToCalm'

/** Something that must never happen and did. */
export interface Violation {
  readonly invariant: InvariantName
  /** Number of the step at which it showed; the last one where it is an omission. */
  readonly seq: number
  /** Milliseconds since the recording began. */
  readonly t: number
  /** Path of the actor that it is about. */
  readonly actor: string
  /** In words, free of secrets. */
  readonly why: string
}

export interface InvariantOptions {
  /** Milliseconds from the last fault to authenticated, open and joined. */
  readonly calmWithin: number
  /** Milliseconds by which timers may be late: a token that has expired for less may still be used. */
  readonly timerLag: number
  /** Milliseconds, beyond its own deadline, in which a request settles. */
  readonly settlesWithin: number
}

export const DEFAULT_INVARIANT_OPTIONS: InvariantOptions = {
  // An open breaker (60 s), then the deadlines of a lock, a refresh, a socket and a join, with the longest pauses.
  calmWithin: 180_000,
  // Browsers hold the timers of a page that nobody looks at back for up to a minute.
  timerLag: 60_000,
  // Three attempts of a minute each with their pauses, and as much again for a server that asked for patience.
  settlesWithin: 600_000,
}
