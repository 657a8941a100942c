// Reads a whole trace file: gzip or plain, valid or damaged; keeps valid records and reports the rest by
// line.
import type { Damage, ReplayableTrace } from '../format/trace-source.ts'
import { RecordReader, type Sink, type Unusable } from './record-reader.ts'
import { readFile, type ReadOptions } from './read-file.ts'
import { type ByteInput, sourceOf } from './unpack.ts'
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

/** Outcome of `readTrace`: the trace, or why the file cannot be used. */
export type ReadResult = { readonly kind: 'trace'; readonly trace: ReplayableTrace } | Unusable

/**
 * Reads a file, or unpacked text. Never throws because of the contents.
 * @throws the signal's reason if aborted, and errors of a custom source
 */
export async function readTrace(input: ByteInput | string, options: ReadOptions = {}): Promise<ReadResult> {
  const collector = new Collector()
  const reader = new RecordReader(collector)
  const source = sourceOf(typeof input === 'string' ? new Blob([input]) : input)
  const wrong = await readFile(source, reader, options)
  if (wrong) return wrong
  const trace = collector.finish(reader.damage)
  return trace
    ? { kind: 'trace', trace }
    : { kind: 'unusable', reason: 'empty', message: 'the file is empty' }
}

/** Collects the records of one file into a trace in memory. */
class Collector implements Sink {
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
