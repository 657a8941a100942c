// The trace format: the contents of a recording of an actor system, as plain data.
import type { KeyframeRecord } from './keyframe.ts'
import type {
  ActorEntry,
  BookmarkRecord,
  DamageRecord,
  EndRecord,
  HashRecord,
  Stimulus,
  TapeEntry,
  TraceHeader,
  StepRecord,
} from './records.ts'

/** The version that this build writes. A file with a higher version is rejected with a message. */
export const FORMAT_VERSION = 1

/**
 * Any line of a file. Lines are in chronological order: an actor before the first record that names it, a
 * reading of the tape before the step that used it, a keyframe between two steps.
 */
export type TraceRecord =
  | TraceHeader
  | ActorEntry
  | Stimulus
  | TapeEntry
  | StepRecord
  | KeyframeRecord
  | HashRecord
  | BookmarkRecord
  | DamageRecord
  | EndRecord

/** A record with a position in a trace; the header and damage are stored separately. */
export type PlacedRecord = Exclude<TraceRecord, TraceHeader | DamageRecord>
