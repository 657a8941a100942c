// Notes on the shown trace: stored in the running recording, or for an opened file.
import {
  type BookmarkRecord,
  encodeFile,
  encodeValue,
  Listeners,
  notesOf,
  packLines,
  type Timeline,
  TimelineFeed,
} from '../../../trace/index.ts'
import type { ConsoleRecording } from '../console-recording.ts'
import type { FileTrace } from '../model/file-trace.ts'
import { saveAs } from '../../widgets/save-as.ts'
import { messageOf } from '../text.ts'

export interface BookmarksState {
  /** Sorted by step, ascending. The same list until it changes. */
  readonly list: readonly BookmarkRecord[]
  /** Why no notes can be added here. */
  readonly refusal: string | undefined
  /** Number of changes not saved in any file; 0 for a live recording, which stores them itself. */
  readonly unsaved: number
  /** Why the last save failed. */
  readonly failure: string | undefined
  /** Whether the panel is open. */
  readonly isOpen: boolean
  /** The step whose note is being written; defaults to the selected one. */
  readonly draft: number | undefined
}

/** The notes of a shown trace, and the panel that lists them. */
export class Bookmarks {
  readonly #recording: Pick<ConsoleRecording, 'bookmark'>
  readonly #file: FileTrace | undefined
  readonly #notes: FileNotes | undefined
  readonly #timeline: Timeline
  readonly #listeners = new Listeners()
  #marks: readonly BookmarkRecord[] = []
  #state: BookmarksState
  /** What had the focus when the panel was opened. */
  #before: Element | null = null

  constructor(
    recording: Pick<ConsoleRecording, 'bookmark'>,
    file: FileTrace | undefined,
    timeline: Timeline,
  ) {
    this.#recording = recording
    this.#file = file
    this.#notes = file && new FileNotes(file)
    this.#timeline = timeline
    this.#state = {
      list: [],
      refusal: this.#refusal(),
      unsaved: 0,
      failure: undefined,
      isOpen: false,
      draft: undefined,
    }
  }

  readonly state = (): BookmarksState => {
    const [marks, refusal] = [this.#timeline.bookmarks, this.#refusal()]
    if (marks !== this.#marks) {
      this.#marks = marks
      const list = marks.toSorted((a, b) => a.step - b.step)
      this.#state = { ...this.#state, list, unsaved: this.#notes?.unsaved ?? 0 }
    }
    if (refusal !== this.#state.refusal) this.#state = { ...this.#state, refusal }
    return this.#state
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    const unsubscribes = [this.#timeline.subscribe(listener), this.#listeners.subscribe(listener)]
    return () => unsubscribes.forEach(unsubscribe => unsubscribe())
  }

  /** Adds or replaces the note on a step. */
  readonly add = (seq: number, note: string): void => {
    const text = note.trim()
    if (this.#notes) this.#notes.write(text, seq)
    else this.#recording.bookmark?.(text, seq)
  }

  readonly remove = (seq: number): void => this.add(seq, '')

  /** Opens the panel to write a note on this step. */
  readonly write = (seq: number): void => {
    this.setDraft(seq)
    this.show(true)
  }

  readonly setDraft = (draft: number | undefined): void => this.#set({ draft })

  /** Opens or closes the panel. When it closes, the focus returns to where it was when it was opened. */
  readonly show = (isOpen: boolean): void => {
    if (isOpen) this.#before = document.activeElement
    this.#set({ isOpen })
    if (isOpen) return
    const before = this.#before
    requestAnimationFrame(() => {
      const isNowhere = document.activeElement === document.body
      if (isNowhere && before instanceof HTMLElement) before.focus()
    })
  }

  /** Saves the opened file with its notes as another file; resolves to whether it did. */
  readonly save = async (): Promise<boolean> => {
    if (!this.#notes) return false
    this.#set({ failure: undefined })
    try {
      const made = await this.#notes.save()
      saveAs(made, made.name)
      this.#notes.saved()
      this.#set({ unsaved: this.#notes.unsaved })
      return true
    } catch (error) {
      this.#set({ failure: messageOf(error) })
      return false
    }
  }

  #refusal(): string | undefined {
    if (this.#file) return this.#file.share() < 1 ? 'The file is still loading' : undefined
    return 'bookmark' in this.#recording ? undefined : 'This recording does not support notes'
  }

  #set(change: Partial<BookmarksState>): void {
    this.#state = { ...this.state(), ...change }
    this.#listeners.notify()
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
