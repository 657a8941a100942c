// Joins recordings of one run that follow each other without a gap to one: the next begins where the last one ends.
import { Appender, type Joined, type Part } from './join-part.ts'
import type {
  ActorEntry,
  BookmarkRecord,
  Damage,
  EndRecord,
  KeyframeRecord,
  ReplayableTrace,
  Stimulus,
  TapeEntry,
  ViewRecord,
} from './format.ts'

export { extentOf, type Part } from './join-part.ts'

/** What makes one recording of many; also while the last of them still grows. */
export class Joiner implements Joined {
  readonly actors: ActorEntry[] = []
  readonly stimuli: Stimulus[] = []
  readonly views: ViewRecord[] = []
  readonly tape: TapeEntry[] = []
  readonly keyframes: KeyframeRecord[] = []
  readonly bookmarks: BookmarkRecord[] = []
  readonly damage: Damage[] = []
  readonly #indices = new Map<string, number>()
  readonly #parts: Appender[] = []

  /** Begins the next part; those before it are complete. */
  begin(part: Part): void {
    this.update()
    this.#parts.push(new Appender(this, this.#indices, part))
    this.update()
  }

  /** Takes over what has come since the last time. */
  update(): void {
    this.#parts.at(-1)?.update()
    for (const part of this.#parts) part.updateNotes()
  }

  /** Begins the next part without taking anything of it yet; those before it are complete. */
  open(part: Part): void {
    this.#parts.push(new Appender(this, this.#indices, part))
  }

  /** Takes at most so many stimuli and views of the last part; whether that is all there is. */
  advance(most: number): boolean {
    return this.#parts.at(-1)?.advance(most) ?? true
  }

  /** Which part a view of the whole comes from, and its number there. */
  locate(view: number): { readonly part: Part; readonly view: number } | undefined {
    return this.#parts.findLast(one => one.begins <= view)?.locate(view)
  }
}

/** The parts as one recording; the first gives the header. */
export function joinTraces(parts: readonly [Part, ...Part[]]): ReplayableTrace {
  const [first] = parts
  if (parts.length === 1 && !first.until) return first.trace
  const joiner = new Joiner()
  for (const part of parts) joiner.begin(part)
  const { actors, stimuli, views, tape, keyframes, bookmarks, damage } = joiner
  return {
    live: false,
    header: first.trace.header,
    actors,
    stimuli,
    views,
    tape,
    keyframes,
    bookmarks,
    damage,
    hashes: [],
    ...endOf(parts, joiner),
    version: () => 0,
    subscribe: () => () => undefined,
  }
}

/** Only a run whose last part was closed was closed. */
function endOf(parts: readonly Part[], joiner: Joiner): { readonly end?: EndRecord } {
  const last = parts.at(-1)
  if (!last?.trace.live && !last?.trace.end) return {}
  return { end: { line: 'end', stimuli: joiner.stimuli.length, views: joiner.views.length } }
}
