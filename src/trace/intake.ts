// Takes the lines of a file one after the other: each is parsed, checked and put in its place, or told as damage.
import { checkLine } from './check.ts'
import { MAX_JSON_DEPTH, decodeValue } from './codec-decode.ts'
import { FORMAT_VERSION } from './format.ts'
import type { ActorEntry, Damage, Stimulus, TraceHeader, TraceRecord, ViewRecord } from './format.ts'
import type { Json } from './json.ts'
import { lostActor, lostStimulus, lostView } from './lost.ts'
import { MAX_LINE, type Loss, type Portion } from './text-lines.ts'
import { upgradeRecord } from './upgrade.ts'

export type UnusableReason = 'empty' | 'notATrace' | 'newerFormat' | 'tooLarge'

export interface Unusable {
  readonly kind: 'unusable'
  readonly reason: UnusableReason
  readonly message: string
}

export function unusable(reason: UnusableReason, message: string): Unusable {
  return { kind: 'unusable', reason, message }
}

/** Where sound records go, in the order of the file; one that is missing is replaced, so that numbers keep their meaning. */
export interface Sink {
  header(header: TraceHeader): void
  /** `size` is the length of its line; 0 when the line was lost. */
  record(record: Exclude<TraceRecord, TraceHeader>, size: number): void
  /** The line of this number, counted from 1, is no record. */
  damaged?(atLine: number): void
}

/** Nobody reads more; the rest is counted. */
const MAX_DAMAGE = 1000

/** A file with more damaged lines than this is rather something else; reading on would only take time. */
const ENOUGH_DAMAGE = 100_000

/** Takes the records of one file. */
export class Intake {
  readonly damage: Damage[] = []
  /** Format of the file; 0 before its header. */
  format = 0
  readonly #sink: Sink
  #untold = 0
  /** Lines that could not be read so far: only as many records can be missing. */
  #missing = 0
  #actors = 0
  #stimuli = 0
  #views = 0
  #lastView: ViewRecord | undefined
  #isClosed = false

  constructor(sink: Sink) {
    this.#sink = sink
  }

  /** Takes what comes next in the file; answers when the file is no trace that could be read here. */
  take(next: Portion | Loss): Unusable | undefined {
    if (next.kind === 'lost') {
      if (this.format === 0) return unusable('notATrace', `not a trace that can be read: ${next.message}`)
      this.#tell(next.atLine, next.message, next.lines)
      return undefined
    }
    const { text, before, isGarbled } = next
    let number = before
    for (let from = 0; from < text.length;) {
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
          if (wrong !== undefined) this.#tell(number, wrong, 1)
        }
      }
      from = end + 1
    }
    return undefined
  }

  /** Whether so much is damaged that the rest is not worth reading. */
  get isHopeless(): boolean {
    return this.#untold > ENOUGH_DAMAGE
  }

  /** To be called when there are no more lines; `lines` is how many there were. */
  end(lines: number): Unusable | undefined {
    if (this.format === 0) return unusable('empty', 'the file is empty')
    if (this.#untold > 0) {
      const rest = this.isHopeless ? '; the rest of the file was not read' : ''
      this.damage.push({ atLine: lines, message: `${this.#untold} more lines are damaged${rest}` })
    }
    if (!this.#isClosed)
      this.damage.push({ atLine: lines, message: 'the file was cut short: its last line is missing' })
    return undefined
  }

  #tell(atLine: number, message: string, lines: number): void {
    this.#missing += lines
    this.#sink.damaged?.(atLine)
    if (this.damage.length < MAX_DAMAGE) this.damage.push({ atLine, message })
    else this.#untold += 1
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
      typeof header === 'string'
        ? header
        : (checkLine(raw, FORMAT_VERSION) ?? (format === 0 ? 'is of format 0' : undefined))
    if (wrong !== undefined || typeof header === 'string')
      return unusable('notATrace', `not a trace: the header ${wrong}`)
    this.format = Number(format)
    this.#sink.header(upgradeRecord(header, this.format) as TraceHeader)
    return undefined
  }

  /** Answers with what is wrong with the line. */
  #line(line: string): string | undefined {
    const raw = parse(line)
    if (raw === undefined) return 'is not JSON'
    // First, since it bounds how deeply the rest is nested.
    const found = decoded(line, raw)
    if (typeof found === 'string') return found
    const wrong = checkLine(raw, this.format)
    if (wrong !== undefined) return wrong
    const record = upgradeRecord(found, this.format)
    return record.line === 'header' ? 'is a second header' : this.#place(record, line.length)
  }

  #place(record: Exclude<TraceRecord, TraceHeader>, size: number): string | undefined {
    const wrong =
      record.line === 'actor'
        ? this.#placeActor(record)
        : record.line === 'stimulus'
          ? this.#placeStimulus(record)
          : record.line === 'view'
            ? this.#placeView(record)
            : record.line === 'keyframe'
              ? this.#know(record.actors - 1)
              : undefined
    if (wrong !== undefined) return wrong
    if (record.line === 'end') this.#isClosed = true
    this.#sink.record(record, size)
    return undefined
  }

  #placeActor({ index, parent = -1 }: ActorEntry): string | undefined {
    if (parent >= index) return `has a parent, ${parent}, that does not come before it`
    const gap = index - this.#actors
    if (gap < 0 || gap > this.#missing) return outOfOrder(index, this.#actors)
    this.#fillActors(index)
    this.#actors += 1
    return undefined
  }

  #placeStimulus({ seq, to, from = -1, anchor }: Stimulus): string | undefined {
    const gap = seq - this.#stimuli
    if (gap < 0 || gap > this.#missing) return outOfOrder(seq, this.#stimuli)
    const unknown = this.#know(Math.max(to, from, anchor?.in ?? -1))
    if (unknown !== undefined) return unknown
    for (; this.#stimuli < seq; this.#stimuli++) this.#sink.record(lostStimulus(this.#stimuli), 0)
    this.#stimuli += 1
    return undefined
  }

  #placeView(view: ViewRecord): string | undefined {
    const { seq, actor, from = -1, cause, by = -1 } = view
    const gap = seq - this.#views
    if (gap < 0 || gap > this.#missing) return outOfOrder(seq, this.#views)
    if (by >= seq) return `says that it was caused by view ${by}, which does not come before it`
    if (cause >= this.#stimuli + this.#missing)
      return `is caused by stimulus ${cause}, which does not come before it`
    const unknown = this.#know(Math.max(actor, from))
    if (unknown !== undefined) return unknown
    for (; this.#views < seq; this.#views++) this.#sink.record(lostView(this.#views, this.#lastView), 0)
    this.#views += 1
    this.#lastView = view
    return undefined
  }

  /** An actor stands before the first record that names it, unless its line was lost. */
  #know(index: number): string | undefined {
    if (index < this.#actors) return undefined
    if (index - this.#actors >= this.#missing) return `names actor ${index}, which is not in the table`
    this.#fillActors(index + 1)
    return undefined
  }

  #fillActors(count: number): void {
    for (; this.#actors < count; this.#actors++) this.#sink.record(lostActor(this.#actors), 0)
  }
}

const NO_HEADER = unusable('notATrace', 'not a trace: the first line is no header')

function oddity(line: string): string {
  return line.length > MAX_LINE ? `is longer than ${MAX_LINE} characters; it is not read` : 'is not UTF-8'
}

function outOfOrder(number: number, expected: number): string {
  return `is out of order: number ${number} where ${expected} should be`
}

function parse(line: string): Json | undefined {
  try {
    return JSON.parse(line) as Json
  } catch {
    return undefined
  }
}

/** The values of a checked line; text is what is wrong with them. Lines without the codec's mark hold JSON alone. */
function decoded(line: string, raw: Json): TraceRecord | string {
  const isPlain = line.length <= 2 * MAX_JSON_DEPTH && !line.includes('"$"') && !line.includes('\\u0024')
  try {
    return (isPlain ? raw : decodeValue(raw)) as TraceRecord
  } catch (error) {
    return error instanceof TypeError ? error.message : String(error)
  }
}

/** The record of a line that was taken before. Throws when it is not the same line any more. */
export function recordOf(line: string, format: number): TraceRecord {
  const record = decoded(line, JSON.parse(line) as Json)
  if (typeof record === 'string') throw new TypeError(`a line of the trace ${record}`)
  return upgradeRecord(record, format)
}
