// Bookmarks on steps: a later note on the same step replaces the earlier one, and an empty note removes it.
import type { BookmarkRecord } from './records.ts'
import type { ReplayableTrace } from './trace-source.ts'

/** Returns the current notes, in the order of their steps. */
export function notesOf(records: readonly BookmarkRecord[]): BookmarkRecord[] {
  const latest = new Map(records.map(record => [record.step, record]))
  return [...latest.values()].filter(({ note }) => note !== '').sort((a, b) => a.step - b.step)
}

/** A trace whose steps can be bookmarked. */
export interface NotedTrace extends ReplayableTrace {
  /** Sets a note on a step; an empty note removes it. Numbers outside the trace are ignored. */
  bookmark(note: string, step: number): void
}
