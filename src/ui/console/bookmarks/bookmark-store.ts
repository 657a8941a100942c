// Stores notes on the shown trace: in the running recording, or for an opened file.
import {
  type BookmarkRecord,
  encodeFile,
  encodeValue,
  notesOf,
  packLines,
  TimelineFeed,
} from '../../../trace/index.ts'
import type { ConsoleRecording } from '../console-recording.ts'
import type { FileTrace } from '../model/file-trace.ts'

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

/** The notes of one opened file; the file itself is not changed. */
export class FileNotes {
  readonly #trace: FileTrace
  /** For each step with a touched note, the note in the opened file. */
  readonly #before = new Map<number, string>()
  /** For each step, the last saved note. */
  readonly #saved = new Map<number, string>()

  constructor(trace: FileTrace) {
    this.#trace = trace
  }

  write(note: string, step: number): void {
    const { timeline } = this.#trace
    if (!this.#before.has(step)) this.#before.set(step, this.#noteOn(step))
    const feed = new TimelineFeed()
    feed.record({ line: 'bookmark', step, note })
    const block = feed.flush()
    if (block) timeline.take(block)
  }

  /** Number of steps whose note differs from every file. */
  get unsaved(): number {
    const isSaved = ([step, before]: [number, string]) =>
      this.#noteOn(step) === (this.#saved.get(step) ?? before)
    return [...this.#before].filter(one => !isSaved(one)).length
  }

  /** Returns the file with its notes. Unchanged notes stay byte for byte. */
  async save(): Promise<File> {
    const changes = this.#changes()
    const { file } = this.#trace
    const isOverwritten = changes.some(({ step }) => this.#before.get(step) !== '')
    const isSound = this.#trace.damage().length === 0
    const isLean = this.#trace.header.steps === false
    const bytes =
      isLean || (isSound && !isOverwritten) ? await appended(file, changes) : await rewritten(file, changes)
    return new File([bytes], notedName(file.name), { type: file.type })
  }

  /** Marks the notes as saved. */
  saved(): void {
    for (const step of this.#before.keys()) this.#saved.set(step, this.#noteOn(step))
  }

  /** Returns the notes that differ from the opened file. */
  #changes(): BookmarkRecord[] {
    const changed = [...this.#before].filter(([step, before]) => this.#noteOn(step) !== before)
    return changed.map(([step]) => ({ line: 'bookmark', step, note: this.#noteOn(step) }))
  }

  #noteOn(step: number): string {
    return this.#trace.timeline.bookmarks.find(one => one.step === step)?.note ?? ''
  }
}

/** Turns `a.trace.gz` into `a-notes.trace.gz`. */
export function notedName(name: string): string {
  const [, stem = name, ending = ''] = /^(.*?)((?:\.(?:trace|jsonl|ndjson|json|gz)){0,4})$/is.exec(name) ?? []
  return stem.endsWith('-notes') ? name : `${stem}-notes${ending}`
}

/** Gzip members can be concatenated, as lines can. */
async function appended(file: Blob, changes: readonly BookmarkRecord[]): Promise<Blob> {
  const lines = changes.map(change => JSON.stringify(encodeValue(change)))
  const [a, b] = new Uint8Array(await file.slice(0, 2).arrayBuffer())
  const isPacked = a === 0x1f && b === 0x8b
  return new Blob([file, isPacked ? await packLines(lines) : `\n${lines.join('\n')}\n`])
}

/** Written from records, so that a note's old text is not left in the file. */
async function rewritten(file: Blob, changes: readonly BookmarkRecord[]): Promise<Blob> {
  const { readTrace } = await import('../../../trace/read/read-file.ts')
  const read = await readTrace(file)
  if (read.kind !== 'trace') throw new Error(read.message)
  const bookmarks = notesOf([...read.trace.bookmarks, ...changes])
  return new Blob([await encodeFile({ ...read.trace, bookmarks })])
}
