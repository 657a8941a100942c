// Collects the records of a file into a trace in memory.
import type {
  ActorEntry,
  BookmarkRecord,
  EndRecord,
  HashRecord,
  KeyframeRecord,
  PlacedRecord,
  StepRecord,
  Stimulus,
  TapeEntry,
  TraceHeader,
} from '../format/records.ts'
import type { Damage, ReplayableTrace } from '../format/trace-source.ts'
import type { Sink } from './record-sequencer.ts'

/** Receives the records of one file. */
export class Collector implements Sink {
  #header: TraceHeader | undefined
  readonly #actors: ActorEntry[] = []
  readonly #stimuli: Stimulus[] = []
  readonly #steps: StepRecord[] = []
  readonly #tape: TapeEntry[] = []
  readonly #hashes: HashRecord[] = []
  readonly #keyframes: KeyframeRecord[] = []
  readonly #bookmarks: BookmarkRecord[] = []
  #end: EndRecord | undefined

  header(header: TraceHeader): void {
    this.#header = header
  }

  record(record: PlacedRecord): void {
    switch (record.line) {
      case 'actor':
        return void this.#actors.push(record)
      case 'stimulus':
        return void this.#stimuli.push(record)
      case 'step':
        return void this.#steps.push(record)
      case 'tape':
        return void this.#tape.push(record)
      case 'hash':
        return void this.#hashes.push(record)
      case 'keyframe':
        return void this.#keyframes.push(record)
      case 'bookmark':
        return void this.#bookmarks.push(record)
      case 'end':
        this.#end = record
    }
  }

  /** Returns the trace after the last line of the file. */
  finish(damage: readonly Damage[]): ReplayableTrace | undefined {
    return (
      this.#header && {
        live: false,
        header: this.#header,
        actors: this.#actors,
        stimuli: this.#stimuli,
        steps: this.#steps,
        damage,
        tape: this.#tape,
        hashes: this.#hashes,
        keyframes: this.#keyframes,
        bookmarks: this.#bookmarks,
        ...(this.#end && { end: this.#end }),
        version: () => 0,
        subscribe: () => () => undefined,
      }
    )
  }
}
