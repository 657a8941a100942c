// Reads CSV as it comes in, piece by piece, and tells what is empty from what is an empty text.

/** Null: nothing stood there. `''`: a pair of quotes with nothing in between. */
export type Cell = string | null

export interface CsvRow {
  /** Where it begins, counted from 1. */
  readonly line: number
  readonly cells: readonly Cell[]
  /** What is wrong with its quotes. */
  readonly problem?: string
}

export interface CsvReader {
  /** The rows that are whole now. */
  readonly push: (text: string) => readonly CsvRow[]
  /** The last row, which no line end needs to follow. */
  readonly end: () => readonly CsvRow[]
}

const UNCLOSED = 'A quotation mark is opened here and never closed.'
const STRAY = 'There is text after a closing quotation mark.'

/** By the usual rules: fields in double quotes may hold anything, and double quotes twice. */
export function createCsvReader(delimiter: string): CsvReader {
  let line = 1
  let start = 1
  let cells: Cell[] = []
  let field = ''
  let state: 'start' | 'bare' | 'quoted' | 'closed' = 'start'
  let problem: string | undefined
  let isAfterReturn = false
  let rows: CsvRow[] = []

  const endField = () => {
    cells.push(state === 'start' ? null : field)
    field = ''
    state = 'start'
  }
  const endRow = () => {
    // A line with nothing in it is no row.
    const isBlank = cells.length === 0 && state === 'start'
    endField()
    if (!isBlank) rows.push({ line: start, cells, ...(problem === undefined ? {} : { problem }) })
    cells = []
    problem = undefined
  }
  const bare = (character: string) => {
    if (state === 'closed') problem ??= STRAY
    if (state === 'start') state = 'bare'
    field += character
  }
  const take = (character: string) => {
    if (state === 'quoted') {
      if (character === '"') state = 'closed'
      else field += character
    } else if (character === '"' && state === 'start') state = 'quoted'
    else if (character === '"' && state === 'closed') {
      field += '"'
      state = 'quoted'
    } else if (character === delimiter) endField()
    else if (character === '\n' || character === '\r') endRow()
    else bare(character)
  }
  const read = (text: string) => {
    for (const character of text) {
      const isSecondHalf = character === '\n' && isAfterReturn
      isAfterReturn = character === '\r'
      if (isSecondHalf) {
        if (state === 'quoted') field += character
        else start = line
        continue
      }
      if (character === '\n' || character === '\r') line += 1
      take(character)
      if (state !== 'quoted' && (character === '\n' || character === '\r')) start = line
    }
  }
  const given = () => {
    const ready = rows
    rows = []
    return ready
  }
  return {
    push: text => {
      read(text)
      return given()
    },
    end: () => {
      if (state === 'quoted') problem = UNCLOSED
      endRow()
      return given()
    },
  }
}

export const DELIMITERS = [',', ';', '\t', '|'] as const
export type Delimiter = (typeof DELIMITERS)[number]

const FIRST_ROWS = 20

/** The delimiter that cuts the first rows into the most columns, all rows alike. */
export function guessDelimiter(text: string): Delimiter {
  const score = (delimiter: Delimiter) => {
    const reader = createCsvReader(delimiter)
    const rows = reader.push(text).slice(0, FIRST_ROWS)
    const sizes = (rows.length === 0 ? reader.end() : rows).map(({ cells }) => cells.length)
    const [first = 1] = sizes
    return first < 2 ? 0 : (first * sizes.filter(size => size === first).length) / sizes.length
  }
  const [best = ','] = [...DELIMITERS].sort((a, b) => score(b) - score(a))
  return best
}
