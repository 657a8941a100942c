// Upgrades records of older formats to the current one, with one typed step per breaking change.
import type {
  ActorEntry,
  BookmarkRecord,
  DamageRecord,
  EndRecord,
  HashRecord,
  KeyframeRecord,
  Stimulus,
  TapeEntry,
  TraceHeader,
  TraceRecord,
  ViewRecord,
} from './format.ts'

/**
 * Format 1: a keyframe was only at the beginning and did not state it, and the whole tape preceded the first
 * stimulus.
 */
type KeyframeOf1 = Omit<KeyframeRecord, 'at' | 'views' | 'tape'>
type RecordOf1 =
  | TraceHeader
  | ActorEntry
  | Stimulus
  | Omit<TapeEntry, 'at'>
  | ViewRecord
  | KeyframeOf1
  | HashRecord
  | BookmarkRecord
  | DamageRecord
  | EndRecord

function from1(record: RecordOf1): TraceRecord {
  switch (record.line) {
    case 'header':
      return { ...record, format: 2 }
    case 'keyframe':
      return { ...record, at: 0, views: 0, tape: 0 }
    default:
      return record
  }
}

/** Converts a validated record of this format to the current format. */
export function upgradeRecord(record: TraceRecord, format: number): TraceRecord {
  return format < 2 ? from1(record) : record
}
