// Reads all rows of a query: page by page, whatever page size the server uses, with a count at the end. What a page
// lacks is looked for again, so that a part is never taken for the whole.
import { conditionBehind, isTotal, type Condition } from './cursor.ts'
import { fingerprint } from './fingerprint.ts'
import { type Row, rowKey, type TableInfo } from './schema.ts'
import { plainRow, toRestRead, type TableQuery } from './table-query.ts'
import { addressOf } from '../rest/call-spec.ts'

/** Rows per request; a server may return fewer. */
const PAGE = 1_000
/** Page size shrinks from 1,000 to 1 in three steps. */
const FEWER = 10
/** Equal pages one after the other of a table without a key: a server that ignores the offset would never end. */
const MOST_EQUAL = 50

/** A request of a reader: path, with the query, and headers. */
export interface PageRequest {
  readonly method: 'GET' | 'HEAD'
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
}

/** What a server responded. */
export interface PageAnswer {
  /** Empty after the last row, and for a count. */
  readonly rows: readonly Row[]
  /** From the response's `Content-Range`; undefined if the server did not count. */
  readonly total: number | undefined
}

/** What a response means for the whole. */
export interface ReadStep {
  /** Rows that were not read before, with only the wanted columns. */
  readonly rows: readonly Row[]
  /** Whether there is nothing left to request. */
  readonly isLast: boolean
  /** The last count; undefined: whether these are all rows is not known. */
  readonly total: number | undefined
  /** At the end: existing rows that the server did not return. */
  readonly missing: number
}

export interface RowReaderOptions {
  /** A query with a total order, without a range. */
  readonly query: TableQuery
  readonly info: TableInfo
  /** Maximum rows per request. */
  readonly size?: number
  /** Conditions that query filters cannot express. */
  readonly also?: readonly Condition[]
  /** The number of matching rows is not higher: when they are read, nothing is counted. */
  readonly maxRows?: number
}

/** Reads one query to its end: `next` is the request, `take` its response, until a step is the last one. */
export interface RowReader {
  readonly next: () => PageRequest
  /** The same page with fewer rows, after a response was too large; undefined once it is a single row. */
  readonly smaller: () => PageRequest | undefined
  readonly take: (answer: PageAnswer) => ReadStep
  /** Reads from the first row again and takes those that are missing. */
  readonly restart: () => void
  /** Whether the next request is a count, without which the rows can be used. */
  readonly isCounting: () => boolean
  /** Number of rows read. */
  readonly read: () => number
  /** Whether any page was read by offset: concurrent writes may have shifted its rows. */
  readonly hasCounted: () => boolean
}

/**
 * `key`: each page starts after the previous page's last row. `offset`: after as many rows as were read. `again`: from
 * the first row, by offset.
 */
type ReadMode = 'key' | 'offset' | 'again'

export const createRowReader = (options: RowReaderOptions): RowReader => new Reader(options)

class Reader implements RowReader {
  readonly #query: TableQuery
  readonly #sorts: TableQuery['sorts']
  readonly #info: TableInfo
  readonly #also: readonly Condition[]
  readonly #columns: readonly string[]
  readonly #plain: (row: Row) => Row
  /** Sort columns that are not wanted. */
  readonly #extra: readonly string[]
  /** Whether no two rows have the same key, as far as is known. */
  #isKeyed: boolean
  readonly #maxRows: number
  readonly #seenKeys = new SeenKeys()
  #size: number
  #mode: ReadMode
  #last: Row | undefined
  #read = 0
  /** The row at which the next page by offset begins. */
  #position = 0
  /** The first count, and the last one. */
  #first: number | undefined
  #total: number | undefined
  #isCounting = false
  /** Whether this way finds no more rows. */
  #isExhausted = false
  #hasAsked = false
  #hasCounted: boolean
  #equal = { print: 0, pages: 0 }

  constructor({ query, info, size = PAGE, also = [], maxRows = Infinity }: RowReaderOptions) {
    const { columns, sorts } = query
    this.#columns = columns
    this.#sorts = sorts
    this.#info = info
    this.#also = also
    this.#maxRows = maxRows
    this.#size = size
    this.#extra =
      columns.length === 0 ? [] : sorts.map(each => each.column).filter(name => !columns.includes(name))
    this.#query = { ...query, columns: columns.length === 0 ? [] : [...columns, ...this.#extra] }
    this.#plain = plainRow(this.#query)
    this.#isKeyed = isTotal(sorts, info)
    this.#mode = this.#isKeyed ? 'key' : 'offset'
    this.#hasCounted = !this.#isKeyed
  }

  readonly read = (): number => this.#read

  readonly hasCounted = (): boolean => this.#hasCounted

  readonly isCounting = (): boolean => this.#isCounting

  readonly next = (): PageRequest => {
    if (this.#isCounting) return { ...this.#request([['limit', '1']], true), method: 'HEAD' }
    // Counting may be the slow part, so a retry omits it.
    const isFirst = !this.#hasAsked
    this.#hasAsked = true
    return this.#page(isFirst)
  }

  readonly smaller = (): PageRequest | undefined => {
    if (this.#size === 1) return undefined
    this.#size = Math.ceil(this.#size / FEWER)
    return this.#page(false)
  }

  readonly restart = (): void => {
    this.#isCounting = false
    this.#isExhausted = false
    if (!this.#isKeyed) return
    this.#mode = 'again'
    this.#position = 0
  }

  readonly take = ({ rows, total }: PageAnswer): ReadStep => {
    this.#first ??= total
    this.#total = total ?? (this.#isCounting ? undefined : this.#total)
    if (this.#isCounting) return this.#afterCount()
    const isWhole = this.#read === 0 && rows.length === total
    const fresh = this.#fresh(rows)
    this.#read += fresh.length
    this.#position += rows.length
    this.#last = rows.at(-1) ?? this.#last
    if (isWhole || this.#read >= this.#maxRows) return this.#step(fresh, true)
    this.#isExhausted = this.#isAtEnd(rows, fresh)
    this.#isCounting = this.#isExhausted || this.#read >= (this.#total ?? Infinity)
    return this.#step(fresh, false)
  }

  #fresh(rows: readonly Row[]): readonly Row[] {
    if (!this.#isKeyed) return rows
    const keys = rows.map(row => fingerprint(rowKey(this.#info, row) ?? ''))
    if (new Set(keys).size === keys.length) return this.#seenKeys.add(rows, keys)
    // Rows with the same key may be on both sides of a page's end: only an offset finds them all.
    this.#isKeyed = false
    this.#mode = 'offset'
    this.#position = this.#read
    return rows
  }

  #page(isCounted: boolean): PageRequest {
    const behind =
      this.#mode === 'key' && this.#last ? conditionBehind(this.#sorts, this.#last, this.#info) : undefined
    if (this.#mode === 'key') this.#position = this.#read
    const isByOffset = behind === undefined && this.#last !== undefined
    if (isByOffset) this.#hasCounted = true
    const from = isByOffset ? this.#position : 0
    const range: readonly Condition[] = [
      ['offset', String(from)],
      ['limit', String(this.#size)],
    ]
    return { ...this.#request([...range, ...(behind ? [behind] : [])], isCounted), method: 'GET' }
  }

  #request(parameters: readonly Condition[], isCounted: boolean) {
    const read = toRestRead(this.#query)
    const query = [...read.query, ...this.#also, ...parameters]
    return {
      path: addressOf({ method: 'GET', path: `/rest/v1${read.path}`, query }),
      headers: {
        accept: 'application/json',
        ...read.headers,
        ...(isCounted ? { prefer: 'count=exact' } : {}),
      },
    }
  }

  /** Only a page without new rows is certainly the last one: a server may return fewer rows than requested. */
  #isAtEnd(rows: readonly Row[], fresh: readonly Row[]): boolean {
    if (rows.length === 0) return true
    if (this.#mode === 'again') return this.#position >= (this.#total ?? 0)
    if (this.#isKeyed) return fresh.length === 0
    const print = fingerprint(JSON.stringify(rows))
    this.#equal = { print, pages: print === this.#equal.print ? this.#equal.pages + 1 : 0 }
    return this.#equal.pages >= MOST_EQUAL
  }

  #afterCount(): ReadStep {
    this.#isCounting = false
    const isWhole = this.#total !== undefined && this.#read >= this.#total
    if (isWhole || !this.#goOn()) return this.#step([], true)
    this.#isExhausted = false
    return this.#step([], false)
  }

  /** Whether there may be more rows, and a way to find them: the server may not understand the conditions of pages. */
  #goOn(): boolean {
    if (!this.#isExhausted) return true
    const isUnknown = this.#total === undefined && this.#first === undefined
    if (!this.#isKeyed || (!isUnknown && this.#missing() === 0)) return false
    if (this.#mode === 'key' && this.#last !== undefined) {
      this.#mode = 'offset'
      this.#position = this.#read
      return true
    }
    // Missing rows may have been shifted to pages that were read before.
    if (this.#mode === 'again' || isUnknown) return false
    this.#mode = 'again'
    this.#position = 0
    return true
  }

  /** Rows that were added while the others were read are not missing. */
  #missing(): number {
    const existing = Math.min(this.#first ?? Infinity, this.#total ?? Infinity)
    return existing === Infinity ? 0 : Math.max(0, existing - this.#read)
  }

  #step(fresh: readonly Row[], isLast: boolean): ReadStep {
    const rows =
      this.#extra.length === 0
        ? fresh.map(this.#plain)
        : fresh.map(row => {
            const plain = this.#plain(row)
            return Object.fromEntries(this.#columns.map(name => [name, plain[name]]))
          })
    return { rows, isLast, total: this.#total, missing: isLast ? this.#missing() : 0 }
  }
}

/** More values do not fit in one set. */
const MOST_IN_SET = 8_000_000

/** The keys that were read. */
class SeenKeys {
  readonly #sets: Set<number>[] = [new Set()]

  /** Adds the rows of a page. @returns those that no earlier page had */
  add(rows: readonly Row[], keys: readonly number[]): readonly Row[] {
    const fresh = rows.filter((_, at) => !this.#sets.some(set => set.has(keys[at] ?? 0)))
    let last = this.#sets.at(-1)
    if (last === undefined || last.size > MOST_IN_SET) this.#sets.push((last = new Set()))
    for (const key of keys) last.add(key)
    return fresh
  }
}
