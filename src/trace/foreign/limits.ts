// Limits on data from other apps, which are untrusted and may be faulty or hostile.

/** Limits on what is received and stored. */
export interface ForeignLimits {
  /** Characters of one text message. */
  readonly messageText: number
  /** Number of values in one message, and their nesting; deeper values are cut off. */
  readonly values: number
  readonly depth: number
  /** Characters of a machine's definition, and its number of states. */
  readonly definitionText: number
  readonly states: number
  /** States of all machines together. */
  readonly allStates: number
  readonly actors: number
  /**
   * Maximum number of steps, and their approximate total size in bytes; beyond that, the older half is
   * dropped.
   */
  readonly steps: number
  readonly bytes: number
}

export const FOREIGN_LIMITS: ForeignLimits = {
  messageText: 16 * 2 ** 20,
  values: 400_000,
  depth: 60,
  definitionText: 2 * 2 ** 20,
  states: 3_000,
  allStates: 50_000,
  actors: 50_000,
  steps: 200_000,
  bytes: 256 * 2 ** 20,
}
