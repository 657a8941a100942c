// Joins recordings of one run that follow each other without gaps.
import { Appender, type Joined, type Part } from './join-part.ts'
import type {
  ActorEntry,
  BookmarkRecord,
  EndRecord,
  KeyframeRecord,
  StepRecord,
  Stimulus,
  TapeEntry,
} from '../format/records.ts'
import type { Damage, ReplayableTrace } from '../format/trace-source.ts'

/** Joins several recordings into one, also while the last of them is growing. */
export class Joiner implements Joined {
  readonly actors: ActorEntry[] = []
  readonly stimuli: Stimulus[] = []
  readonly steps: StepRecord[] = []
  readonly tape: TapeEntry[] = []
  readonly keyframes: KeyframeRecord[] = []
  readonly bookmarks: BookmarkRecord[] = []
  readonly damage: Damage[] = []
  readonly #indices = new Map<string, number>()
  readonly #parts: Appender[] = []

  /** Starts the next part; earlier parts are complete. */
  begin(part: Part): void {
    this.update()
    this.#parts.push(new Appender(this, this.#indices, part))
    this.update()
  }

  /** Appends what was added since the last call. */
  update(): void {
    this.#parts.at(-1)?.update()
    for (const part of this.#parts) part.updateNotes()
  }

  /** Starts the next part without reading it yet; earlier parts are complete. */
  open(part: Part): void {
    this.#parts.push(new Appender(this, this.#indices, part))
  }

  /** Appends at most this many stimuli and steps of the last part; returns whether it has reached the end. */
  advance(most: number): boolean {
    const isAtEnd = this.#parts.at(-1)?.advance(most) ?? true
    if (isAtEnd) for (const part of this.#parts) part.updateNotes()
    return isAtEnd
  }

  /** Returns the part of a step of the whole, and its number there. */
  locate(step: number): { readonly part: Part; readonly step: number } | undefined {
    return this.#parts.findLast(one => one.begins <= step)?.locate(step)
  }
}

/** Joins the parts into one recording; the first one provides the header, and its start is the whole's. */
export function joinTraces(parts: readonly [Part, ...Part[]]): ReplayableTrace {
  const [first] = parts
  if (parts.length === 1 && !first.until) return first.trace
  const joiner = new Joiner()
  for (const part of parts) joiner.begin({ ...part, at: part.at - first.at })
  const { actors, stimuli, steps, tape, keyframes, bookmarks, damage } = joiner
  return {
    live: false,
    header: first.trace.header,
    actors,
    stimuli,
    steps,
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

/** A run was properly closed only if its last part was. */
function endOf(parts: readonly Part[], joiner: Joiner): { readonly end?: EndRecord } {
  const last = parts.at(-1)
  if (!last?.trace.live && !last?.trace.end) return {}
  return { end: { line: 'end', stimuli: joiner.stimuli.length, steps: joiner.steps.length } }
}
