// Reads CSV from a stream, and distinguishes empty fields from empty text.
import { valueText, type Row } from './schema.ts'

/** Null: an empty field. `''`: a pair of quotes with nothing between. */
export type Cell = string | null

export interface CsvRow {
  /** The row's first line, counted from 1. */
  readonly line: number
  readonly cells: readonly Cell[]
  /** An error in its quotes. */
  readonly problem?: string
}

const UNCLOSED = 'An opening quotation mark has no closing one.'
const STRAY = 'There is text after a closing quotation mark.'

const isLineEnd = (character: string): boolean => character === '\n' || character === '\r'

/** RFC 4180: quoted fields may contain anything, with quotes doubled. */
export class CsvReader {
  readonly #delimiter: string
  #line = 1
  #start = 1
  #cells: Cell[] = []
  #field = ''
  #state: 'start' | 'bare' | 'quoted' | 'closed' = 'start'
  #problem: string | undefined
  #isAfterReturn = false
  #rows: CsvRow[] = []

  constructor(delimiter: string) {
    this.#delimiter = delimiter
  }

  /** Returns the rows completed so far. */
  push(text: string): readonly CsvRow[] {
    for (const character of text) {
      const isSecondHalf = character === '\n' && this.#isAfterReturn
      this.#isAfterReturn = character === '\r'
      if (isSecondHalf) {
        if (this.#state === 'quoted') this.#field += character
        else this.#start = this.#line
        continue
      }
      if (isLineEnd(character)) this.#line += 1
      this.#take(character)
      if (isLineEnd(character) && this.#state !== 'quoted') this.#start = this.#line
    }
    return this.#dataRows()
  }

  /** Returns the last row, which needs no line break. */
  end(): readonly CsvRow[] {
    if (this.#state === 'quoted') this.#problem = UNCLOSED
    this.#endRow()
    return this.#dataRows()
  }

  #take(character: string) {
    if (this.#state === 'quoted') {
      if (character === '"') this.#state = 'closed'
      else this.#field += character
    } else if (character === '"' && this.#state === 'start') this.#state = 'quoted'
    else if (character === '"' && this.#state === 'closed') {
      this.#field += '"'
      this.#state = 'quoted'
    } else if (character === this.#delimiter) this.#endField()
    else if (isLineEnd(character)) this.#endRow()
    else this.#bare(character)
  }

  #bare(character: string) {
    if (this.#state === 'closed') this.#problem ??= STRAY
    if (this.#state === 'start') this.#state = 'bare'
    this.#field += character
  }

  #endField() {
    this.#cells.push(this.#state === 'start' ? null : this.#field)
    this.#field = ''
    this.#state = 'start'
  }

  #endRow() {
    // An empty line is not a row.
    const isBlank = this.#cells.length === 0 && this.#state === 'start'
    this.#endField()
    const problem = this.#problem === undefined ? {} : { problem: this.#problem }
    if (!isBlank) this.#rows.push({ line: this.#start, cells: this.#cells, ...problem })
    this.#cells = []
    this.#problem = undefined
  }

  #dataRows(): readonly CsvRow[] {
    const ready = this.#rows
    this.#rows = []
    return ready
  }
}

export const DELIMITERS = [',', ';', '\t', '|'] as const
export type Delimiter = (typeof DELIMITERS)[number]

const FIRST_ROWS = 20

/** The delimiter that splits the first rows into the most columns, with the same number in each row. */
export function guessDelimiter(text: string): Delimiter {
  const score = (delimiter: Delimiter) => {
    const reader = new CsvReader(delimiter)
    const rows = reader.push(text).slice(0, FIRST_ROWS)
    const sizes = (rows.length === 0 ? reader.end() : rows).map(({ cells }) => cells.length)
    const [first = 1] = sizes
    return first < 2 ? 0 : (first * sizes.filter(size => size === first).length) / sizes.length
  }
  const [bestDelimiter = ','] = [...DELIMITERS].sort((a, b) => score(b) - score(a))
  return bestDelimiter
}

export type CsvKind = 'exact' | 'spreadsheet'

/** How spreadsheet formulas start, including characters that some spreadsheets skip first. */
const FORMULA = /^[\t\r\n ]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|^[\t\r]/

/** The byte order mark, by which spreadsheets detect UTF-8. */
const MARK = '\uFEFF'

/** An empty field is null; empty text is a pair of quotes. */
function cellText(value: unknown, kind: CsvKind): string {
  if (value === null || value === undefined) return ''
  const text = valueText(value)
  // Numbers stay numbers in spreadsheets; only text can be a formula.
  const inert = kind === 'spreadsheet' && typeof value === 'string' && FORMULA.test(text) ? `'${text}` : text
  const isBare = inert !== '' && !/[",;\t\r\n|]|^\s|\s$/.test(inert)
  return isBare ? inert : `"${inert.replaceAll('"', '""')}"`
}

/** The header line. */
export const csvHead = (columns: readonly string[], kind: CsvKind): string =>
  `${kind === 'spreadsheet' ? MARK : ''}${columns.map(name => cellText(name, kind)).join(',')}\r\n`

/** The lines of several rows. */
export const csvLines = (columns: readonly string[], rows: readonly Row[], kind: CsvKind): string =>
  rows.map(row => `${columns.map(name => cellText(row[name], kind)).join(',')}\r\n`).join('')
