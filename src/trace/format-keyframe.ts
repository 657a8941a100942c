// The whole state of a system between two steps, as a trace holds it: enough to go on from there.

/** The counters of an actor that is not at its beginning, by phase. */
export interface CodeCounts {
  readonly actor: number
  readonly transitions: number
  readonly actions?: number
  readonly snapshots?: number
  readonly emits?: number
  readonly sends?: number
}

/** A timer that was armed when a keyframe was taken. */
export interface ArmedTimer {
  readonly ordinal: number
  /** Actor indices; no target where another system's actor is sent to. */
  readonly source: number
  readonly target?: number
  /** Name of the other system's actor. */
  readonly outside?: string
  readonly event: unknown
  readonly delay: number
  /** How much of the delay was left, in milliseconds. */
  readonly left?: number
  readonly id: string
}

/**
 * The whole state of the system between two steps; everything needed to go on from there. A recording that was
 * started on a running system begins with one, and further ones may stand between its steps.
 */
export interface KeyframeRecord {
  readonly line: 'keyframe'
  /** `seq` of the stimulus that comes next; 0 where the recording begins with it. */
  readonly at: number
  /** How many views stand before it, and how many readings of the tape. */
  readonly views: number
  readonly tape: number
  /** How many actors there had been; they are the first ones of the table. */
  readonly actors: number
  /** Indices of those in the snapshot, parents before their children; absent where they are all that there had been. */
  readonly tree?: readonly number[]
  /** Persisted snapshot of the root with all its children. */
  readonly snapshot: unknown
  readonly timers: readonly ArmedTimer[]
  /** Ordinal of the next timer to be armed. */
  readonly nextOrdinal: number
  /** How many stretches of the app's code the living actors have run: the counters of anchors. */
  readonly leaves: readonly CodeCounts[]
  /** How often each path was given so far, so that later actors get the same names. */
  readonly names: Readonly<Record<string, number>>
  /** Paths of running actors that no parent holds any more: these cannot be restored. */
  readonly unreachable: readonly string[]
}
