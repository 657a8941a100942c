// The interface of a trace for the console and the tools, whether live or in a file, and reading it in
// portions.
import type {
  ActorEntry,
  BookmarkRecord,
  EndRecord,
  HashRecord,
  KeyframeRecord,
  StepRecord,
  Stimulus,
  TapeEntry,
  TraceHeader,
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
  /** Append-only; absent if steps cannot be bookmarked. */
  readonly bookmarks?: readonly BookmarkRecord[]
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
export interface TraceBatch extends Pick<TraceSource, 'actors' | 'stimuli' | 'steps' | 'bookmarks'> {
  readonly isWhole: boolean
  /** Number of steps, ready or not, as far as known. */
  readonly size: number
}

/** Returns the available lists, after making at most this many more records of each available. */
export function batchOf(source: TraceSource, most: number): TraceBatch {
  if (source.batch) return source.batch(most)
  const { actors, stimuli, steps, bookmarks } = source
  return { actors, stimuli, steps, ...(bookmarks && { bookmarks }), isWhole: true, size: steps.length }
}

/** Adds portions to a trace. A copy with other lists does not inherit them. */
export function inBatches<T extends object>(trace: T, batch: (most: number) => TraceBatch): T {
  return Object.defineProperty(trace, 'batch', { value: batch })
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

/**
 * Returns the current notes, in the order of their steps: a later one on the same step replaces the earlier
 * one, and an empty one removes it.
 */
export function notesOf(records: readonly BookmarkRecord[]): BookmarkRecord[] {
  const latest = new Map(records.map(record => [record.step, record]))
  return [...latest.values()].filter(({ note }) => note !== '').sort((a, b) => a.step - b.step)
}

/** A trace whose steps can be bookmarked. */
export interface NotedTrace extends ReplayableTrace {
  /** Sets a note on a step; an empty note removes it. Numbers outside the trace are ignored. */
  bookmark(note: string, step: number): void
}
