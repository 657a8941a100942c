// Reads a parameter from left to right, and remembers what would have been accepted where it cannot be read on.
import type { RestError } from '../rest-error.ts'
import { parseError } from './parse-error.ts'
import type { Note } from './parse-error.ts'

/** Levels of embedded resources, or of logic: each costs stack, here and in the database. */
const MOST_LEVELS = 100

/**
 * Reads a text by a rule; one that cannot be read is read again, for its error.
 *
 * @param label What an error says of the text, like `failed to parse filter (0)`.
 * @throws RestError if the rule fails.
 */
export function parse<T>(label: string, text: string, rule: (scanner: Scanner) => T | undefined): T {
  const result = rule(new Scanner(label, text, false))
  if (result !== undefined) return result
  const scanner = new Scanner(label, text, true)
  rule(scanner)
  throw scanner.error()
}

/** Notes of one position, the last one first. */
interface Notes {
  readonly at: number
  readonly last: Note
  readonly earlier: Notes | undefined
}

/**
 * Rules take a scanner, and return `undefined` or `false` if they fail. A failed rule that left the position where it
 * was may be followed by an alternative; if it moved the position, the whole text is refused.
 *
 * An error lists what would have been accepted at the furthest position since the last character was read.
 */
export class Scanner {
  readonly text: string
  position = 0
  readonly #label: string
  readonly #takesNotes: boolean
  #notes: Notes | undefined
  #reads = 0

  constructor(label: string, text: string, takesNotes: boolean) {
    this.#label = label
    this.text = text
    this.#takesNotes = takesNotes
  }

  /** The next UTF-16 unit; `NaN` at the end. */
  get code(): number {
    return this.text.charCodeAt(this.position)
  }

  error(): RestError {
    return parseError(this.#label, this.text, {
      at: this.#notes?.at ?? this.position,
      notes: inOrder(this.#notes),
    })
  }

  /** @throws RestError if there are too many levels. */
  checkLevel(level: number): void {
    if (level <= MOST_LEVELS) return
    const note = { unmatched: this.position, rule: `at most ${MOST_LEVELS} levels` }
    throw parseError(this.#label, this.text, { at: this.position, notes: [note] })
  }

  advance(to: number): void {
    this.position = to
    this.#notes = undefined
    this.#reads++
  }

  /** Notes why the text cannot be read on at a position. */
  note(at: number, note: Note): void {
    if (!this.#takesNotes) return
    const notes = this.#notes
    if (notes === undefined || at > notes.at) this.#notes = { at, last: note, earlier: undefined }
    else if (at === notes.at) this.#notes = { at, last: note, earlier: notes }
  }

  /** Fails at the next character, whatever would have been accepted. */
  refuse(): undefined {
    this.note(this.position, { unmatched: this.position })
  }

  /** Notes what would have been accepted next. */
  expect(rule: string): void {
    this.note(this.position, { unmatched: this.position, rule })
  }

  /** Reads a word; if only its beginning is there, that. */
  literal(word: string): boolean {
    const start = this.position
    const length = this.#lengthOf(word)
    if (length > 0) this.advance(start + length)
    if (length < word.length) this.note(start, { unmatched: start + length, word })
    return length === word.length
  }

  /** Reads a word, or nothing. */
  word(word: string): boolean {
    const isNext = this.isNext(word)
    if (isNext) this.advance(this.position + word.length)
    return isNext
  }

  /** Whether a word comes next; does not read it. */
  isNext(word: string): boolean {
    const length = this.#lengthOf(word)
    if (length === word.length) return true
    this.note(this.position, { unmatched: this.position + length, word })
    return false
  }

  isAtEnd(): boolean {
    const { position } = this
    if (position >= this.text.length) {
      this.expect('end of input')
      return true
    }
    this.note(position, { rejected: position, rule: 'end of input' })
    return false
  }

  /** Reads spaces and tabs, if there are some. */
  spaces(): void {
    let end = this.position
    while (isBlank(this.text.charCodeAt(end))) end++
    if (end > this.position) this.advance(end)
    this.refuse()
  }

  /** Reads the characters before one of `stops`, or all. */
  until(stops: string): string {
    const { text, position } = this
    let end = position
    while (end < text.length && !stops.includes(text.charAt(end))) end++
    if (end > position) this.advance(end)
    this.refuse()
    return text.slice(position, end)
  }

  rest(): string {
    const { text, position } = this
    this.advance(text.length)
    return text.slice(position)
  }

  /** Reads by a rule, or nothing. */
  attempt<T>(rule: (scanner: Scanner) => T | undefined): T | undefined {
    const { position } = this
    const notes = this.#notes
    const reads = this.#reads
    const result = rule(this)
    if (result !== undefined) return result
    this.position = position
    if (this.#reads !== reads) this.#notes = furthest(notes, this.#notes)
    return undefined
  }

  /** Reads by a rule that errors name as a whole, not by what it consists of. */
  labeled<T>(label: string, rule: (scanner: Scanner) => T | undefined): T | undefined {
    const { position } = this
    const before = this.#notes
    this.#notes = undefined
    const result = rule(this)
    if (this.position === position) this.#notes = furthest(before, relabeled(this.#notes, label))
    return result
  }

  #lengthOf(word: string): number {
    const { text, position } = this
    let length = 0
    while (length < word.length && text.charCodeAt(position + length) === word.charCodeAt(length)) length++
    return length
  }
}

const isBlank = (code: number): boolean => code === 0x20 || code === 0x09

function inOrder(notes: Notes | undefined): readonly Note[] {
  const list: Note[] = []
  for (let each = notes; each !== undefined; each = each.earlier) list.push(each.last)
  return list.toReversed()
}

/** Both, if they are of the same position. */
function furthest(first: Notes | undefined, second: Notes | undefined): Notes | undefined {
  if (first === undefined || second === undefined) return first ?? second
  if (first.at !== second.at) return first.at > second.at ? first : second
  return inOrder(second).reduce((earlier, last) => ({ at: first.at, last, earlier }), first)
}

function relabeled(notes: Notes | undefined, rule: string): Notes | undefined {
  if (notes === undefined) return undefined
  const { at } = notes
  const first: Notes = { at, last: { rule }, earlier: undefined }
  return inOrder(notes).reduce<Notes>(
    (earlier, { unmatched, rejected }) => ({ at, last: { unmatched, rejected }, earlier }),
    first,
  )
}
