// A body of CSV, as the JSON text that PostgREST makes of it.
import { invalidBody } from './invalid-body.ts'
import { encodeText } from './bytes.ts'
import { printed } from './printed.ts'

export interface CsvRows {
  /** An array of objects whose values are strings or null. */
  readonly text: string
  /** Names of the values, each once. */
  readonly columns: readonly string[]
}

/** The first line has the names. Values beyond them are ignored; lines may lack values if all lack the same. */
export function csvToJson(csv: string): CsvRows {
  const reader = new CsvReader(csv)
  const header = reader.record()
  if (!reader.lineEnd()) throw reader.error(reader.isAtEnd ? 'not enough input' : 'Failed reading: satisfy')
  const names = new Names(header)
  const rows: string[] = []
  let columns: readonly string[] | undefined
  do {
    const record = reader.record()
    // A blank line is no row.
    if (record.length === 1 && record[0] === '') continue
    columns ??= names.of(record.length)
    if (names.count(record.length) !== columns.length)
      throw invalidBody('All lines must have same number of fields')
    rows.push(names.row(record))
  } while (reader.lineEnd())
  if (!reader.isAtEnd) throw reader.error('endOfInput')
  return { text: `[${rows.join(',')}]`, columns: columns ?? [] }
}

/** Of values with the same name, the last one is valid. */
class Names {
  readonly #names: readonly string[]
  readonly #keys: readonly string[]
  /** For each name, the index of the next one that equals it. */
  readonly #next: readonly number[]
  /** How many different names precede each index. */
  readonly #counts: readonly number[]

  constructor(names: readonly string[]) {
    this.#names = names
    this.#keys = names.map(name => `${JSON.stringify(name)}:`)
    const next: number[] = names.map(() => Number.POSITIVE_INFINITY)
    const counts = [0]
    const last = new Map<string, number>()
    for (const [index, name] of names.entries()) {
      const previous = last.get(name)
      if (previous !== undefined) next[previous] = index
      last.set(name, index)
      counts.push(last.size)
    }
    this.#next = next
    this.#counts = counts
  }

  count(width: number): number {
    return this.#counts[Math.min(width, this.#names.length)] ?? 0
  }

  of(width: number): readonly string[] {
    return [...new Set(this.#names.slice(0, width))]
  }

  row(values: readonly string[]): string {
    const width = Math.min(values.length, this.#names.length)
    const members: string[] = []
    for (let index = 0; index < width; index++)
      if ((this.#next[index] ?? 0) >= width)
        members.push(`${this.#keys[index]}${jsonOf(values[index] ?? '')}`)
    return `{${members.join(',')}}`
  }
}

const jsonOf = (value: string): string => (value === 'NULL' ? 'null' : JSON.stringify(value))

/** Characters of the rest of a body that an error shows. */
const MOST_SHOWN = 100

class CsvReader {
  readonly #text: string
  #position = 0

  constructor(text: string) {
    this.#text = text
  }

  get isAtEnd(): boolean {
    return this.#position >= this.#text.length
  }

  record(): readonly string[] {
    const fields = [this.#field()]
    while (this.#text.charAt(this.#position) === ',') {
      this.#position++
      fields.push(this.#field())
    }
    return fields
  }

  lineEnd(): boolean {
    const text = this.#text
    const isReturn = text.charAt(this.#position) === '\r'
    if (!isReturn && text.charAt(this.#position) !== '\n') return false
    this.#position += isReturn && text.charAt(this.#position + 1) === '\n' ? 2 : 1
    return true
  }

  error(reason: string): Error {
    const bytes = encodeText(this.#text.slice(this.#position, this.#position + MOST_SHOWN + 1))
    const excerpt = String.fromCharCode(...bytes.subarray(0, MOST_SHOWN))
    return invalidBody(
      `parse error (${reason}) at ${bytes.length > MOST_SHOWN ? `${excerpt} (truncated)` : printed(excerpt, '"')}`,
    )
  }

  #field(): string {
    if (this.#text.charAt(this.#position) === '"') return this.#quotedField()
    const start = this.#position
    while (!this.isAtEnd && !'",\r\n'.includes(this.#text.charAt(this.#position))) this.#position++
    return this.#text.slice(start, this.#position)
  }

  /** Two quotes are one. */
  #quotedField(): string {
    const parts: string[] = []
    let start = this.#position + 1
    for (;;) {
      const quote = this.#text.indexOf('"', start)
      if (quote < 0) {
        this.#position = this.#text.length
        throw this.error('not enough input')
      }
      parts.push(this.#text.slice(start, quote))
      if (this.#text.charAt(quote + 1) !== '"') {
        this.#position = quote + 1
        return parts.join('"')
      }
      start = quote + 2
    }
  }
}
