// Reads the lines of a file in order: each is parsed, validated and stored, or reported as damage.
import { checkLine } from './check-record.ts'
import { checkValue, decodeValue, MAX_JSON_DEPTH } from '../codec/codec-decode.ts'
import {
  type ActorEntry,
  type DamageRecord,
  FORMAT_VERSION,
  lostActor,
  lostStep,
  lostStimulus,
  MAX_LINE,
  type PlacedRecord,
  type StepRecord,
  type Stimulus,
  type TraceHeader,
  type TraceRecord,
  upgradeRecord,
} from '../format/records.ts'
import type { Damage } from '../format/trace-source.ts'
import type { Json } from '../codec/json.ts'
import type { Loss, TextBatch } from './read-file.ts'

/** Why a file is not a readable trace. */
export type UnusableReason = 'empty' | 'notATrace' | 'newerFormat' | 'tooLarge'

export interface Unusable {
  readonly kind: 'unusable'
  readonly reason: UnusableReason
  readonly message: string
}

export function unusable(reason: UnusableReason, message: string): Unusable {
  return { kind: 'unusable', reason, message }
}

/** Maximum number of reported damages; the rest is only counted. */
const MAX_DAMAGE = 1000

/** A file with more damaged lines is probably not a trace; reading on would only take time. */
const ENOUGH_DAMAGE = 100_000

/** Receives the records of one file. */
export class RecordReader {
  readonly damage: Damage[] = []
  /** Format of the file; 0 before its header. */
  format = 0
  /** Whether so much is damaged that the rest is not worth reading. */
  isHopeless = false
  readonly #sink: Sink
  #unreported = 0
  readonly #sequencer: RecordSequencer

  constructor(sink: Sink) {
    this.#sink = sink
    this.#sequencer = new RecordSequencer(sink)
  }

  /** Processes the next part of the file; returns why the file cannot be read as a trace, if so. */
  take(next: TextBatch | Loss): Unusable | undefined {
    if (next.kind === 'lost') {
      // Messages about a line have no subject.
      const what = next.message.startsWith('is ') ? `the first line ${next.message}` : next.message
      if (this.format === 0) return unusable('notATrace', `not a readable trace: ${what}`)
      this.#reportDamage(next.atLine, next.message, next.lines)
      return undefined
    }
    const { text, before, isGarbled } = next
    let number = before
    for (let from = 0; from < text.length && !this.isHopeless;) {
      const found = text.indexOf('\n', from)
      const end = found < 0 ? text.length : found
      number += 1
      if (end > from && !(end === from + 1 && text.charCodeAt(from) === 13)) {
        const line = text.slice(from, end)
        const isOdd = line.length > MAX_LINE || (isGarbled && line.includes('\uFFFD'))
        if (this.format === 0) {
          const wrong = isOdd ? NO_HEADER : this.#header(line)
          if (wrong) return wrong
        } else {
          const wrong = isOdd ? oddity(line) : this.#line(line)
          if (wrong !== undefined) this.#reportDamage(number, wrong, 1)
        }
      }
      from = end + 1
    }
    return undefined
  }

  /** Call it after the last line; `last` is the number of the line at which the file ends. */
  end(last: number): Unusable | undefined {
    if (this.format === 0) return unusable('empty', 'the file is empty')
    if (this.#unreported > 0) {
      const rest = this.isHopeless ? '; the rest of the file was not read' : ''
      this.damage.push({ atLine: last, message: `${this.#unreported} more lines are damaged${rest}` })
    }
    if (!this.#sequencer.isClosed)
      this.damage.push({ atLine: last, message: 'the file is truncated: its last line is missing' })
    return undefined
  }

  #reportDamage(atLine: number, message: string, lines: number): void {
    this.#sequencer.missing += lines
    this.#sink.damaged?.(atLine)
    if (this.damage.length < MAX_DAMAGE) this.damage.push({ atLine, message })
    else this.isHopeless = ++this.#unreported > ENOUGH_DAMAGE
  }

  #mark({ at, message }: DamageRecord): void {
    if (this.damage.length < MAX_DAMAGE) this.damage.push({ at, message })
  }

  #header(line: string): Unusable | undefined {
    const raw = parse(line)
    if (
      typeof raw !== 'object' ||
      raw === null ||
      !('line' in raw) ||
      raw.line !== 'header' ||
      !('format' in raw)
    )
      return NO_HEADER
    const { format } = raw
    if (typeof format === 'number' && format > FORMAT_VERSION) {
      const reads = `written by format ${format}; this build reads up to ${FORMAT_VERSION}: update chartroom`
      return unusable('newerFormat', reads)
    }
    const header = decoded(line, raw)
    const wrong =
      typeof header === 'string' ? header : (checkLine(raw) ?? (format === 0 ? 'is of format 0' : undefined))
    if (wrong !== undefined || typeof header === 'string')
      return unusable('notATrace', `not a trace: the header ${wrong}`)
    this.format = Number(format)
    this.#sink.header(upgradeRecord(header, this.format) as TraceHeader)
    return undefined
  }

  /** Returns what is wrong with the line. */
  #line(line: string): string | undefined {
    const raw = parse(line)
    if (raw === undefined) return 'is not JSON'
    // First, since it limits the nesting of the rest.
    const found = this.#sink.takesJson === true ? checked(line, raw) : decoded(line, raw)
    if (typeof found === 'string') return found
    const wrong = checkLine(raw)
    if (wrong !== undefined) return wrong
    const record = upgradeRecord(found, this.format)
    if (record.line === 'header') return 'is a second header'
    if (record.line !== 'damage') return this.#sequencer.place(record, line)
    this.#mark(record)
    return undefined
  }
}

const NO_HEADER = unusable('notATrace', 'not a trace: the first line is not a header')

function oddity(line: string): string {
  return line.length > MAX_LINE ? `is longer than ${MAX_LINE} characters; it is not read` : 'is not UTF-8'
}

function parse(line: string): Json | undefined {
  try {
    return JSON.parse(line) as Json
  } catch {
    return undefined
  }
}

/**
 * Whether a line's values need no decoding: they contain no codec tag except `undefined`, and nest within the
 * limit.
 */
function isBare(line: string, mayHoldUndefined: boolean): boolean {
  // Searches for `$`, which is rare, instead of quotes, which are frequent.
  for (let at = line.indexOf('$"'); at >= 0; at = line.indexOf('$"', at + 1))
    if (!mayHoldUndefined || !line.startsWith(UNDEFINED, at - 2)) return false
  return isShallow(line) && !line.includes('\\u0024')
}

const UNDEFINED = '{"$":"undefined"}'

/** A level of nesting takes two characters for a list, and five for an object. */
function isShallow(line: string): boolean {
  let room = line.length <= 2 * MAX_JSON_DEPTH ? -1 : 5 * MAX_JSON_DEPTH - line.length
  for (let at = line.indexOf('['); room >= 0 && at >= 0; at = line.indexOf('[', at + 1)) room -= 3
  return line.length <= 2 * MAX_JSON_DEPTH || room >= 0
}

/** Decodes the values of a line; returns a string if they are invalid. */
function decoded(line: string, raw: Json): TraceRecord | string {
  try {
    return (isBare(line, false) ? raw : decodeValue(raw)) as TraceRecord
  } catch (error) {
    return reasonOf(error)
  }
}

/** The line unchanged, if its values can be decoded. */
function checked(line: string, raw: Json): TraceRecord | string {
  try {
    if (!isBare(line, true)) checkValue(raw)
    return raw as unknown as TraceRecord
  } catch (error) {
    return reasonOf(error)
  }
}

function reasonOf(error: unknown): string {
  return error instanceof TypeError ? error.message : String(error)
}

/** Decodes a line that was read before. Throws if it has changed since. */
export function recordOf(line: string, format: number): TraceRecord {
  const record = decoded(line, JSON.parse(line) as Json)
  if (typeof record === 'string') throw new TypeError(`a line of the trace ${record}`)
  return upgradeRecord(record, format)
}

/** Receives valid records in file order; missing ones are replaced, so that the numbering is preserved. */
export interface Sink {
  /** Records are passed with encoded values, validated but not decoded. */
  readonly takesJson?: boolean
  header(header: TraceHeader): void
  /** `line` is empty for a lost record. */
  record(record: PlacedRecord, line: string): void
  /** The line with this number, counted from 1, is not a valid record. */
  damaged?(atLine: number): void
}

/** Numbers the records of one file. */
class RecordSequencer {
  /** Number of unreadable lines so far: at most this many records can be missing. */
  missing = 0
  /** Whether the last line was present. */
  isClosed = false
  readonly #sink: Sink
  #actors = 0
  #stimuli = 0
  #steps = 0
  #lastStep: StepRecord | undefined

  constructor(sink: Sink) {
    this.#sink = sink
  }

  /** Processes the next record; returns what is wrong with its position. */
  place(record: PlacedRecord, line: string): string | undefined {
    const wrong =
      record.line === 'actor'
        ? this.#placeActor(record)
        : record.line === 'stimulus'
          ? this.#placeStimulus(record)
          : record.line === 'step'
            ? this.#placeStep(record)
            : record.line === 'keyframe'
              ? this.#know(record.actors - 1)
              : undefined
    if (wrong !== undefined) return wrong
    if (record.line === 'end') this.isClosed = true
    this.#sink.record(record, line)
    return undefined
  }

  #placeActor({ index, parent = -1 }: ActorEntry): string | undefined {
    if (parent >= index) return `has a parent, ${parent}, that does not precede it`
    const gap = index - this.#actors
    if (gap < 0 || gap > this.missing) return outOfOrder(index, this.#actors)
    this.#fillActors(index)
    this.#actors += 1
    return undefined
  }

  #placeStimulus({ seq, to, from = -1, anchor }: Stimulus): string | undefined {
    const gap = seq - this.#stimuli
    if (gap < 0 || gap > this.missing) return outOfOrder(seq, this.#stimuli)
    const unknown = this.#know(Math.max(to, from, anchor?.in ?? -1))
    if (unknown !== undefined) return unknown
    for (; this.#stimuli < seq; this.#stimuli++) this.#sink.record(lostStimulus(this.#stimuli), '')
    this.#stimuli += 1
    return undefined
  }

  #placeStep(step: StepRecord): string | undefined {
    const { seq, actor, from = -1, cause, by = -1 } = step
    const gap = seq - this.#steps
    if (gap < 0 || gap > this.missing) return outOfOrder(seq, this.#steps)
    if (by >= seq) return `names step ${by} as its cause, which does not precede it`
    if (cause >= this.#stimuli + this.missing)
      return `names input ${cause} as its cause, which does not precede it`
    const unknown = this.#know(Math.max(actor, from))
    if (unknown !== undefined) return unknown
    for (; this.#steps < seq; this.#steps++) this.#sink.record(lostStep(this.#steps, this.#lastStep), '')
    this.#steps += 1
    this.#lastStep = step
    return undefined
  }

  /** An actor precedes the first record that names it, unless its line was lost. */
  #know(index: number): string | undefined {
    if (index < this.#actors) return undefined
    if (index - this.#actors >= this.missing) return `names actor ${index}, which is not in the table`
    this.#fillActors(index + 1)
    return undefined
  }

  #fillActors(count: number): void {
    for (; this.#actors < count; this.#actors++) this.#sink.record(lostActor(this.#actors), '')
  }
}

function outOfOrder(number: number, expected: number): string {
  return `is out of order: number ${number} instead of ${expected}`
}
