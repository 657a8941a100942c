// Notes on steps: a later one about the same step takes the place of the earlier, and an empty one takes it away.
import type { BookmarkRecord, ReplayableTrace } from './format.ts'

/** The notes that hold, in the order of their steps. */
export function notesOf(records: readonly BookmarkRecord[]): BookmarkRecord[] {
  const latest = new Map(records.map(record => [record.view, record]))
  return [...latest.values()].filter(({ note }) => note !== '').sort((a, b) => a.view - b.view)
}

/** A trace of a log that is written to: steps of it can be noted. */
export interface NotedTrace extends ReplayableTrace {
  /** Puts a note on a step; an empty one takes it away. What is no step of the trace is passed over. */
  bookmark(note: string, view: number): void
}
