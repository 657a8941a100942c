// Reads a trace file, gzip or plain, valid or damaged, in portions of whole lines and within limits; keeps valid
// records and reports the rest by line.
import type { Damage, ReplayableTrace } from '../format/trace-source.ts'
import {
  type ActorEntry,
  type BookmarkRecord,
  type EndRecord,
  type HashRecord,
  type KeyframeRecord,
  MAX_LINE,
  type PlacedRecord,
  type StepRecord,
  type Stimulus,
  type TapeEntry,
  type TraceHeader,
} from '../format/records.ts'
import { excessOf, measureFile } from './declared-size.ts'
import { join } from './gzip.ts'
import { RecordReader, type Sink, type Unusable, unusable } from './record-reader.ts'
import {
  type ByteInput,
  type ByteSource,
  type Piece,
  type Place,
  sourceOf,
  type Unpack,
  unpackFile,
} from './unpack.ts'

/** Options for reading a trace file. */
export interface ReadOptions {
  /**
   * Maximum size after unpacking, in bytes. Defaults to 200 times the packed size, but at least 256 MiB, so
   * that memory stays in proportion to the input.
   */
  readonly maxBytes?: number
  /** Aborts the reading, which then rejects with the signal's reason. */
  readonly signal?: AbortSignal
  /** The share of the file that was read, from 0 to 1. */
  readonly onProgress?: (share: number) => void
  /** Unpacks one member of a file; defaults to the platform's stream. Node's `gunzipSync` is faster. */
  readonly unpack?: Unpack
}

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

const LEAST_MAX_BYTES = 2 ** 28
const MOST_UNPACKED = 200
const MOST_LINES = 2_500_000

/** Passes all portions to the intake, and then to `also`; returns why the file cannot be used, if so. */
export async function readFile(
  source: ByteSource,
  reader: RecordReader,
  options: ReadOptions,
  also: (batch: TextBatch) => Promise<void> | void = () => undefined,
): Promise<Unusable | undefined> {
  const { signal, onProgress } = options
  const maxBytes = options.maxBytes ?? Math.max(LEAST_MAX_BYTES, MOST_UNPACKED * source.size)
  const limits = { bytes: maxBytes, lines: MOST_LINES }
  const excess = excessOf(await measureFile(source, limits), limits)
  if (excess !== undefined) return unusable('tooLarge', excess)
  const cutter = new LineCutter()
  const take = async (parts: readonly (TextBatch | Loss)[]) => {
    for (const part of parts) {
      const wrong = reader.take(part)
      if (wrong) return wrong
      if (part.kind === 'lines') await also(part)
    }
    return undefined
  }
  let isFirst = true
  for await (const piece of unpackFile(source, options.unpack)) {
    signal?.throwIfAborted()
    if (isFirst && piece.kind === 'text' && isUtf16(piece.bytes))
      return unusable('notATrace', 'not a trace: the file is UTF-16, and a trace is UTF-8')
    isFirst = false
    const wrong = await take(cutter.take(piece))
    if (wrong) return wrong
    if (reader.isHopeless) break
    const found = excessOf({ bytes: cutter.size, lines: cutter.last - 1 }, limits)
    if (found !== undefined) return unusable('tooLarge', found)
    if (piece.kind === 'text') onProgress?.(piece.until / source.size)
  }
  return (await take(cutter.end())) ?? reader.end(cutter.last)
}

function isUtf16([a, b]: Uint8Array): boolean {
  return (
    (a === 0xff && b === 0xfe) ||
    (a === 0xfe && b === 0xff) ||
    (a === 0x7b && b === 0) ||
    (a === 0 && b === 0x7b)
  )
}

/** Bytes of a portion that is assembled from smaller pieces. */
const BATCH = 2 ** 17

export interface TextBatch {
  readonly kind: 'lines'
  /** Whole lines with their line breaks; the last line of a file may lack it. */
  readonly text: string
  /** Number of earlier lines in the file. */
  readonly before: number
  /** The exact location of these lines, if they can be read again from there. */
  readonly place?: Place
  /** Some bytes were not UTF-8: they appear in the text as U+FFFD. */
  readonly isGarbled: boolean
}

/** Lost lines; `atLine` is the first of them, counted from 1. */
export interface Loss {
  readonly kind: 'lost'
  readonly atLine: number
  readonly message: string
  readonly lines: number
}

/** Cuts pieces into portions. */
class LineCutter {
  /** Bytes of text processed so far. */
  size = 0
  #parts: Uint8Array[] = []
  #held = 0
  /** Where in the file the held bytes begin, if they are an unchanged part of it. */
  #from: number | undefined
  #lines = 0
  #skipping = false
  /** Whether the last line lacks a line break. */
  #isOpen = false
  readonly #strict = new TextDecoder('utf-8', { fatal: true })
  readonly #lenient = new TextDecoder()

  /** Returns the portions that this piece completes. */
  take(piece: Piece): (TextBatch | Loss)[] {
    if (piece.kind === 'lost') return this.#lose(piece.message, piece.lines)
    const { bytes, place } = piece
    this.size += bytes.length
    if (this.#held === 0 && place?.packed === true && bytes.at(-1) === 10)
      return this.#skipping ? this.#hold(bytes, undefined) : [this.#batch(bytes, place)]
    return this.#hold(bytes, place?.packed === false ? place.from : undefined)
  }

  /** Returns the rest at the end of the file. */
  end(): (TextBatch | Loss)[] {
    const from = this.#from
    const rest = this.#release()
    const place = from === undefined ? undefined : { packed: false, from, to: from + rest.length }
    return rest.length === 0 || this.#skipping ? [] : [this.#batch(rest, place)]
  }

  /** Number of the file's last line: an empty one if the last line has its line break. */
  get last(): number {
    return this.#lines + (this.#isOpen ? 0 : 1)
  }

  #hold(bytes: Uint8Array, from: number | undefined): (TextBatch | Loss)[] {
    const start = this.#skipping ? bytes.indexOf(10) + 1 : 0
    if (this.#skipping && start === 0) return []
    this.#skipping = false
    if (this.#held === 0) this.#from = from === undefined ? undefined : from + start
    else if (from === undefined) this.#from = undefined
    const end = bytes.lastIndexOf(10) + 1
    const isEnough = end > start && this.#held + end >= BATCH
    if (!isEnough) {
      this.#parts.push(bytes.slice(start))
      this.#held += bytes.length - start
      return this.#held > MAX_LINE && end <= start ? this.#skip() : []
    }
    this.#parts.push(bytes.subarray(start, end))
    this.#held += end - start
    const [began, whole] = [this.#from, this.#release()]
    if (end < bytes.length) {
      this.#parts = [bytes.slice(end)]
      this.#held = bytes.length - end
      this.#from = from === undefined ? undefined : from + end
    }
    const place = began === undefined ? undefined : { packed: false, from: began, to: began + whole.length }
    return [this.#batch(whole, place)]
  }

  /** Returns the held lines, without the one that grew too long. */
  #skip(): (TextBatch | Loss)[] {
    const whole = this.#release()
    const end = whole.lastIndexOf(10) + 1
    const before = end > 0 ? [this.#batch(whole.subarray(0, end), undefined)] : []
    this.#skipping = true
    return [...before, ...this.#loss(`is longer than ${MAX_LINE} bytes; it is not read`, 1)]
  }

  #lose(message: string, lines: number): (TextBatch | Loss)[] {
    const whole = this.#release()
    const end = whole.lastIndexOf(10) + 1
    this.#skipping = false
    const before = end > 0 ? [this.#batch(whole.subarray(0, end), undefined)] : []
    return [...before, ...this.#loss(message, lines)]
  }

  #loss(message: string, lines: number): Loss[] {
    const atLine = this.#lines + 1
    this.#lines += lines
    return [{ kind: 'lost', atLine, message, lines }]
  }

  #release(): Uint8Array {
    const bytes = this.#parts.length === 1 ? this.#parts[0] : join(this.#parts, this.#held)
    this.#parts = []
    this.#held = 0
    this.#from = undefined
    return bytes ?? new Uint8Array()
  }

  #batch(bytes: Uint8Array, place: Place | undefined): TextBatch {
    const before = this.#lines
    for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) this.#lines += 1
    this.#isOpen = bytes.at(-1) !== 10
    if (this.#isOpen) this.#lines += 1
    const base = { kind: 'lines', before, ...(place && { place }) } as const
    try {
      return { ...base, text: this.#strict.decode(bytes), isGarbled: false }
    } catch {
      return { ...base, text: this.#lenient.decode(bytes), isGarbled: true }
    }
  }
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
