// Keyframes: the whole state of a system between two steps, from which a replay can continue.

/** The nonzero counters of an actor, by phase. */
export interface CodeCounts {
  readonly actor: number
  readonly transitions: number
  readonly actions?: number
  readonly snapshots?: number
  readonly emits?: number
  readonly sends?: number
}

/** A timer that was active when a keyframe was taken. */
export interface ArmedTimer {
  readonly ordinal: number
  /** Actor indices; no target if the event goes to an actor of another system. */
  readonly source: number
  readonly target?: number
  /** Name of the other system's actor. */
  readonly outside?: string
  readonly event: unknown
  readonly delay: number
  /** Remaining delay in milliseconds. */
  readonly left?: number
  readonly id: string
}

/**
 * The whole state of the system between two steps; everything needed to continue from there. A recording that
 * was started on a running system begins with one, and further ones may follow between its steps.
 */
export interface KeyframeRecord {
  readonly line: 'keyframe'
  /** `seq` of the next stimulus; 0 if the recording begins with it. */
  readonly at: number
  /** Number of steps before it, and number of readings of the tape. */
  readonly steps: number
  readonly tape: number
  /** Number of actors created so far; they are the first ones of the table. */
  readonly actors: number
  /**
   * Indices of the actors in the snapshot, parents before children; absent if they are all actors created so
   * far.
   */
  readonly tree?: readonly number[]
  /** Persisted snapshot of the root with all its children. */
  readonly snapshot: unknown
  readonly timers: readonly ArmedTimer[]
  /** Ordinal of the next timer. */
  readonly nextOrdinal: number
  /** How many segments of app code the living actors have run: the counters of anchors. */
  readonly leaves: readonly CodeCounts[]
  /** Number of uses of each path so far, so that later actors get the same names. */
  readonly names: Readonly<Record<string, number>>
  /** Paths of running actors that no parent references anymore: these cannot be restored. */
  readonly unreachable: readonly string[]
}
