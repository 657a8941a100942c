// A trace as the console and the tools read it, whether it grows or lies in a file.
import type { KeyframeRecord } from './format-keyframe.ts'
import type {
  ActorEntry,
  BookmarkRecord,
  EndRecord,
  HashRecord,
  Stimulus,
  TapeEntry,
  TraceHeader,
  ViewRecord,
} from './format-records.ts'

/** A problem that makes the rest of a trace unreliable: a damaged line of a file, or something found while recording. */
export interface Damage {
  /** Line number in the file, counted from 1; absent when the recorder found it. */
  readonly atLine?: number
  /** How many stimuli there were when the recorder found it; absent for a damaged line. */
  readonly at?: number
  readonly message: string
}

/** What the console and the tools read; a live recording and an opened file look alike. */
export interface TraceSource {
  readonly live: boolean
  readonly header: TraceHeader
  /** Append-only. */
  readonly actors: readonly ActorEntry[]
  /** Append-only. */
  readonly stimuli: readonly Stimulus[]
  /** Append-only, causes before their effects; `seq` is the index. */
  readonly views: readonly ViewRecord[]
  readonly damage: readonly Damage[]
  /** Grows with every append; cheap to compare. */
  version(): number
  /** Calls back after appends, at most once per task; returns the unsubscribe function. */
  subscribe(listener: () => void): () => void
  /** By how much the numbers of views went down because the oldest were let go; new lists stand in their place then. */
  readonly dropped?: number
  /** The lists as far as they are ready, with at most so many more of each made ready; reading them makes all so. */
  portion?(most: number): TracePortion
}

/** Some of a trace: lists that grow with the next portion. */
export interface TracePortion extends Pick<TraceSource, 'actors' | 'stimuli' | 'views'> {
  readonly isWhole: boolean
  /** How many views there are, ready or not, as far as that is known. */
  readonly size: number
}

/** A trace with everything that a replay needs; what a file decodes to and what a recorder holds. */
export interface ReplayableTrace extends TraceSource {
  readonly tape: readonly TapeEntry[]
  readonly bookmarks: readonly BookmarkRecord[]
  readonly hashes: readonly HashRecord[]
  /** In the order of `at`. The first one has `at` 0 when the recording was started on a running system. */
  readonly keyframes: readonly KeyframeRecord[]
  /** Counts from the last line; absent in a live recording and in a file that was cut short. */
  readonly end?: EndRecord | undefined
}
