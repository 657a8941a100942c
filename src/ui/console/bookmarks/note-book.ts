// Where notes on the shown trace go: into the running recording, or beside the opened file.
import type { BookmarkRecord } from '../../../trace/format.ts'
import type { ConsoleRecording } from '../console-recording.ts'
import type { FileTrace } from '../model/file-trace.ts'
import { FileNotes } from './file-notes.ts'

export interface NoteBook {
  readonly write: (note: string, view: number) => void
  /** Why no notes can be made. */
  readonly refusal: () => string | undefined
  readonly unsaved: () => number
  /** The opened file with its notes; nothing for a recording, which keeps them itself. */
  readonly save: (() => Promise<File>) | undefined
  readonly saved: () => void
}

export function noteBook(
  recording: Pick<ConsoleRecording, 'bookmark'>,
  file: FileTrace | undefined,
): NoteBook {
  if (!file) {
    return {
      write: (note, view) => recording.bookmark?.(note, view),
      refusal: () => ('bookmark' in recording ? undefined : 'This recording keeps no notes'),
      unsaved: () => 0,
      save: undefined,
      saved: () => undefined,
    }
  }
  const notes = new FileNotes(file)
  return {
    write: (note, view) => notes.write(note, view),
    refusal: () => (file.share() < 1 ? 'The file is still being read' : undefined),
    unsaved: () => notes.unsaved,
    save: () => notes.save(),
    saved: () => notes.saved(),
  }
}

/** The note before or after this step; at the ends the one at the other end. */
export function nextNote(
  list: readonly BookmarkRecord[],
  seq: number,
  by: 1 | -1,
): BookmarkRecord | undefined {
  const found = by === 1 ? list.find(({ view }) => view > seq) : list.findLast(({ view }) => view < seq)
  return found ?? (by === 1 ? list[0] : list.at(-1))
}

const TERM = /(^|\s)bookmarked(?=\s|$)/

/** The query with the term `bookmarked`, or without it when it has it. */
export function toggledQuery(query: string): string {
  if (TERM.test(query)) return query.replace(TERM, '').trim()
  return `${query} bookmarked`.trim()
}
