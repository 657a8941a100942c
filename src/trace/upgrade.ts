// Upgrades: records of older formats become those of the present one, by one typed step for each break.
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
 * Format 1: a keyframe stood at the beginning alone and did not say so, and the whole tape stood before the first
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

/** What a record of this format, which was checked as one, is in the present format. */
export function upgradeRecord(record: TraceRecord, format: number): TraceRecord {
  return format < 2 ? from1(record) : record
}
