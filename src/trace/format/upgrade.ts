// Upgrades records of earlier formats to the current one. Format 1 is the first, so there is no step yet.
import type { TraceRecord } from './format.ts'

/** Converts a record of this format to the current format; each breaking change adds a step here. */
export function upgradeRecord(record: TraceRecord, _format: number): TraceRecord {
  return record
}
