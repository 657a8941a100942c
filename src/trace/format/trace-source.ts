// The interface of a trace for the console and the tools, whether live or in a file.
import type { KeyframeRecord } from './keyframe.ts'
import type {
  ActorEntry,
  BookmarkRecord,
  EndRecord,
  HashRecord,
  Stimulus,
  TapeEntry,
  TraceHeader,
  StepRecord,
} from './records.ts'

/**
 * A problem that makes the rest of a trace unreliable: a damaged line of a file, or a problem found while
 * recording.
 */
export interface Damage {
  /** Line number in the file, counted from 1; absent if the recorder found it. */
  readonly atLine?: number
  /** Number of stimuli when the recorder found it; absent for a damaged line. */
  readonly at?: number
  readonly message: string
}

/** A trace for the console and the tools; a live recording and an opened file share this interface. */
export interface TraceSource {
  readonly live: boolean
  readonly header: TraceHeader
  /** Append-only. */
  readonly actors: readonly ActorEntry[]
  /** Append-only. */
  readonly stimuli: readonly Stimulus[]
  /** Append-only, causes before their effects; `seq` is the index. */
  readonly steps: readonly StepRecord[]
  readonly damage: readonly Damage[]
  /** Grows with every append; cheap to compare. */
  version(): number
  /** Calls back after appends, at most once per task; returns the unsubscribe function. */
  subscribe(listener: () => void): () => void
  /**
   * By how much the numbers of steps decreased because the oldest were dropped; new lists replace the old
   * ones then.
   */
  readonly dropped?: number
  /**
   * Returns the lists as far as ready, after making at most this many more of each ready; reading the lists
   * directly makes all ready.
   */
  batch?(most: number): TraceBatch
}

/** A part of a trace: lists that grow with the next portion. */
export interface TraceBatch extends Pick<TraceSource, 'actors' | 'stimuli' | 'steps'> {
  readonly isWhole: boolean
  /** Number of steps, ready or not, as far as known. */
  readonly size: number
}

/**
 * A trace with everything that a replay needs; the result of reading a file, and the content of a recorder.
 */
export interface ReplayableTrace extends TraceSource {
  readonly tape: readonly TapeEntry[]
  readonly bookmarks: readonly BookmarkRecord[]
  readonly hashes: readonly HashRecord[]
  /** Ordered by `at`. The first one has `at` 0 if the recording was started on a running system. */
  readonly keyframes: readonly KeyframeRecord[]
  /** Counts from the last line; absent in a live recording and in a truncated file. */
  readonly end?: EndRecord | undefined
}
