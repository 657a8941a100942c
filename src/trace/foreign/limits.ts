// How much of what another app says is taken: it is a stranger, and may be wrong or hostile.

/** Bounds on what is received and kept. */
export interface ForeignLimits {
  /** Characters of one message that comes as text. */
  readonly messageText: number
  /** Values in one message, and how deep they may nest; what lies deeper is cut off. */
  readonly values: number
  readonly depth: number
  /** Characters of a machine's definition, and the states that it may have. */
  readonly definitionText: number
  readonly states: number
  /** States of all machines together. */
  readonly allStates: number
  readonly actors: number
  /** Steps that are kept, and the size of all of them, roughly in bytes; of more the older half goes. */
  readonly views: number
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
  views: 200_000,
  bytes: 256 * 2 ** 20,
}
