// Cuts pieces of a file's text into portions of whole lines, each with its location in the file if it has
// one.
import { join } from './gzip.ts'
import { MAX_LINE } from '../format/records.ts'
import type { Piece, Place } from './unpack.ts'

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
export class LineCutter {
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
