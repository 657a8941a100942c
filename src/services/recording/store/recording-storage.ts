// Interface of a recording storage, implemented for files and databases. The store engine decides what is
// removed.
import type { StoredRecording } from './trace-store.ts'

/** One segment of a stored recording. */
export interface StoredSegment {
  readonly number: number
  /** Milliseconds from the start of the recording to the start of the segment. */
  readonly at: number
  readonly isRestorable: boolean
  readonly stimuli: number
  readonly steps: number
  readonly failures: number
  readonly bytes: number
}

/** Metadata of a recording. */
export interface RecordingEntry {
  readonly id: string
  readonly system: string
  readonly startedAt: string
  readonly writer: string
  readonly name: string
  readonly user: string | undefined
  readonly kept: boolean
  readonly closed: boolean
  readonly shortened: boolean
  readonly duration: number
  /** Chronological. */
  readonly segments: readonly StoredSegment[]
}

/** All methods reject with the device's error. */
export interface RecordingStorage {
  /** In any order. */
  cards(): Promise<RecordingEntry[]>
  put(card: RecordingEntry): Promise<void>
  /**
   * Appends lines to the last segment and stores the card, atomically. Returns the card with its new size.
   */
  append(card: RecordingEntry, text: string): Promise<RecordingEntry>
  /** Compresses the last segment when it is complete. */
  pack(card: RecordingEntry): Promise<RecordingEntry>
  /** Reads the lines of a segment; complete chunks only. */
  read(id: string, segment: number): Promise<string>
  /** Appends lines to a segment that may be compressed. Does nothing if the segment is gone. */
  amend(id: string, segment: number, text: string): Promise<void>
  /** Replaces text in every segment of a recording. */
  replace(id: string, edit: (text: string) => string): Promise<void>
  removeSegment(id: string, segment: number): Promise<void>
  remove(id: string): Promise<void>
  /** Marks a recording as being written until this writer releases it or is gone. */
  hold(id: string): Promise<() => void>
  /** Ids of the recordings that are being written. */
  held(): Promise<ReadonlySet<string>>
  /** Total usable bytes, if the device reports them. */
  quota(): Promise<number | undefined>
  close(): void
}

/** Whether the error means that the device has no space left. */
export function isFull(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false
  const { name, code } = error as { readonly name?: unknown; readonly code?: unknown }
  return name === 'QuotaExceededError' || code === 'ENOSPC' || code === 'EDQUOT'
}

/** Bytes of a recording. */
export function bytesOf({ segments }: RecordingEntry): number {
  return segments.reduce((sum, segment) => sum + segment.bytes, 0)
}

/** The segment that is being written. */
export function lastOf({ segments }: RecordingEntry): StoredSegment {
  const last = segments.at(-1)
  if (!last) throw new Error('No segment to write to.')
  return last
}

/** Returns the card with changes to its last segment. */
export function withLast(card: RecordingEntry, changes: Partial<StoredSegment>): RecordingEntry {
  return { ...card, segments: [...card.segments.slice(0, -1), { ...lastOf(card), ...changes }] }
}

/** Converts a card to a `StoredRecording`; `held` has the ids of recordings that are being written. */
export function toRecording(card: RecordingEntry, held: ReadonlySet<string>): StoredRecording {
  const { id, system, startedAt, writer, name, user, kept, shortened, segments } = card
  return {
    id,
    system,
    startedAt,
    duration: card.duration - (segments[0]?.at ?? 0),
    stimuli: segments.reduce((sum, segment) => sum + segment.stimuli, 0),
    steps: segments.reduce((sum, segment) => sum + segment.steps, 0),
    failures: segments.reduce((sum, segment) => sum + segment.failures, 0),
    bytes: bytesOf(card),
    state: card.closed ? 'closed' : held.has(id) ? 'running' : 'cutOff',
    writer,
    name,
    user,
    kept,
    shortened,
  }
}
