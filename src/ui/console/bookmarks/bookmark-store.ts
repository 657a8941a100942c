// Stores notes on the shown trace: in the running recording, or for an opened file.
import type { BookmarkRecord } from '../../../trace/index.ts'
import type { ConsoleRecording } from '../console-recording.ts'
import type { FileTrace } from '../model/file-trace.ts'
import { FileNotes } from './file-notes.ts'

export interface BookmarkStore {
  readonly write: (note: string, step: number) => void
  /** Returns why no notes can be added. */
  readonly refusal: () => string | undefined
  readonly unsaved: () => number
  /** Returns the opened file with its notes; undefined for a recording, which stores them itself. */
  readonly save: (() => Promise<File>) | undefined
  readonly saved: () => void
}

export function createBookmarkStore(
  recording: Pick<ConsoleRecording, 'bookmark'>,
  file: FileTrace | undefined,
): BookmarkStore {
  if (!file) {
    return {
      write: (note, step) => recording.bookmark?.(note, step),
      refusal: () => ('bookmark' in recording ? undefined : 'This recording does not support notes'),
      unsaved: () => 0,
      save: undefined,
      saved: () => undefined,
    }
  }
  const notes = new FileNotes(file)
  return {
    write: (note, step) => notes.write(note, step),
    refusal: () => (file.share() < 1 ? 'The file is still loading' : undefined),
    unsaved: () => notes.unsaved,
    save: () => notes.save(),
    saved: () => notes.saved(),
  }
}

/** Returns the next or previous note from this step; wraps around at the ends. */
export function nextNote(
  list: readonly BookmarkRecord[],
  seq: number,
  by: 1 | -1,
): BookmarkRecord | undefined {
  const found = by === 1 ? list.find(({ step }) => step > seq) : list.findLast(({ step }) => step < seq)
  return found ?? (by === 1 ? list[0] : list.at(-1))
}

const TERM = /(^|\s)bookmarked(?=\s|$)/

/** Adds the term `bookmarked` to the query or removes it. */
export function toggledQuery(query: string): string {
  if (TERM.test(query)) return query.replace(TERM, '').trim()
  return `${query} bookmarked`.trim()
}
