// Index of all rows visible to at least one account, by key: who sees them, whether values match, and their
// order.
import { cellOf } from '../cells/cell-text.ts'
import { fingerprint } from '../fingerprint.ts'
import { valueText, type Column, type Row, type TableInfo } from '../schema.ts'
import type { TableSort } from '../table-query.ts'
import { comparing, rowOrder, type Compare } from './seen-requests.ts'

/** What is known about a row for one account. */
export type RowStatus =
  | 'seen'
  | 'hidden'
  /** Not among the account's rows; not re-checked yet. */
  | 'unconfirmed'
  /** The account's rows were not fully read. */
  | 'notCompared'
  /** The row changed during or after the comparison. */
  | 'changed'

export interface RowIndexOptions {
  readonly info: TableInfo
  /** The compared columns; empty: all columns of the rows. */
  readonly columns: readonly string[]
  readonly sorts: readonly TableSort[]
  /** Number of accounts, identified by position. */
  readonly accounts: number
}

/** Which accounts are shown. */
export interface IndexView {
  readonly shownAccounts: readonly number[]
  /** By account: whether all its rows were read. */
  readonly isRead: readonly boolean[]
  readonly onlyDifferences: boolean
}

export interface IndexSummary {
  /** Rows whose status is known for all shown accounts. */
  readonly compared: number
  /** Compared rows that are hidden from some accounts or have different values for some. */
  readonly differing: number
  readonly hidden: number
  readonly otherValues: number
  /** Rows that changed during the comparison; not counted in `compared`. */
  readonly changed: number
  /** Rows that were not fully read for all shown accounts. */
  readonly notCompared: number
}

/** Maximum number of rows whose values are cached per account; others are read again when shown. */
export const VALUES_KEPT = 3_000

/** Maximum re-checks of a row that keeps changing. */
const MOST_ROUNDS = 3

const NOT_SEEN = 0

export class RowIndex {
  readonly keys: readonly Column[]
  readonly #columns: readonly string[]
  readonly #keptColumns: readonly string[]
  readonly #compare: Compare
  readonly #numbers = new Map<string, number>()
  /** Key and sort columns of each row; the whole row for tables without a key. */
  readonly #rows: Row[] = []
  /** By account and row: the fingerprint of the values, or `NOT_SEEN`. */
  readonly #prints: number[][]
  readonly #values: Map<number, Row>[]
  /** For tables without a key: how often each account has the same row. */
  readonly #repeats: Map<string, number>[]
  readonly #confirmed = new Set<number>()
  readonly #changed = new Set<number>()
  readonly #goneRows = new Set<number>()
  readonly #rounds = new Map<number, number>()
  #order: number[] = []

  constructor({ info, columns, sorts, accounts }: RowIndexOptions) {
    this.keys = info.columns.filter(({ isKey }) => isKey)
    this.#columns = columns
    const order = rowOrder(info, sorts)
    this.#keptColumns = order.columns
    this.#compare = order.compare
    const each = <T>(make: () => T): T[] => Array.from({ length: accounts }, make)
    this.#prints = each((): number[] => [])
    this.#values = each(() => new Map<number, Row>())
    this.#repeats = each(() => new Map<string, number>())
  }

  /** Number of rows found for any account. */
  get size(): number {
    return this.#rows.length
  }

  /** The number of a row; undefined when no account had it. */
  numberOf(row: Row): number | undefined {
    return this.#numbers.get(this.#nameOf(row))
  }

  /** The key columns of a row, or the whole row for tables without a key. */
  rowOf(number: number): Row {
    return this.#rows[number] ?? {}
  }

  /** Adds rows an account sees. */
  add(account: number, rows: readonly Row[]): void {
    for (const row of rows) {
      const number = this.#numberFor(account, row)
      this.#setPrint(account, number, this.print(row))
      this.keepValues(account, number, row, false)
    }
  }

  print(row: Row): number {
    const compared = this.#columns.length === 0 ? row : this.#columns.map(name => row[name] ?? null)
    return fingerprint(JSON.stringify(compared))
  }

  printOf(account: number, number: number): number | undefined {
    return this.#prints[account]?.[number] || undefined
  }

  /** The account's values of a row; undefined when hidden or not loaded. */
  valuesOf(account: number, number: number): Row | undefined {
    if (this.printOf(account, number) === undefined) return undefined
    return this.keys.length === 0 ? this.#rows[number] : this.#values[account]?.get(number)
  }

  /** @param isShown evicts values loaded earlier to make room */
  keepValues(account: number, number: number, row: Row, isShown: boolean): void {
    const values = this.#values[account]
    if (values === undefined || this.keys.length === 0) return
    if (values.size >= VALUES_KEPT && !values.has(number)) {
      const oldest = values.keys().next()
      if (!isShown || oldest.done === true) return
      values.delete(oldest.value)
    }
    values.set(number, row)
  }

  /** Marks a row that changed since it was compared. */
  markChanged(number: number): void {
    this.#changed.add(number)
  }

  status(account: number, number: number, isRead: readonly boolean[]): RowStatus {
    if (this.#changed.has(number)) return 'changed'
    if (this.printOf(account, number) !== undefined) return 'seen'
    if (isRead[account] !== true) return 'notCompared'
    // Without a key, a single row cannot be read again.
    return this.keys.length === 0 || this.#confirmed.has(number) ? 'hidden' : 'unconfirmed'
  }

  /** Rows to show, in order, and the summary. */
  view({ shownAccounts, isRead, onlyDifferences }: IndexView): {
    readonly rows: readonly number[]
    readonly summary: IndexSummary
  } {
    const summary = { compared: 0, differing: 0, hidden: 0, otherValues: 0, changed: 0, notCompared: 0 }
    const rows: number[] = []
    for (const number of this.#ordered()) {
      const {
        seen: seenCount,
        hidden,
        isMissing,
        otherValues,
      } = this.#difference(number, shownAccounts, isRead)
      if (seenCount === 0 || this.#goneRows.has(number)) continue
      const isChanged = this.#changed.has(number)
      const isDifferent = hidden > 0 || otherValues
      if (isChanged) summary.changed += 1
      else if (isMissing) summary.notCompared += 1
      else {
        summary.compared += 1
        if (isDifferent) summary.differing += 1
        if (hidden > 0) summary.hidden += 1
        if (otherValues) summary.otherValues += 1
      }
      if (!onlyDifferences || isChanged || isDifferent) rows.push(number)
    }
    return { rows, summary }
  }

  /** Rows that differ between fully read accounts, by key if the client can sort keys. */
  differences(isRead: readonly boolean[]): readonly number[] {
    const accounts = isRead.flatMap((read, account) => (read ? [account] : []))
    return this.#ordered().filter(number => {
      const { seen: seenCount, hidden, otherValues } = this.#difference(number, accounts, isRead)
      return !this.#goneRows.has(number) && seenCount > 0 && (hidden > 0 || otherValues)
    })
  }

  /** Row numbers sorted by a column. */
  inOrderOf(column: Column): readonly number[] {
    const compare = comparing(column, 'asc')
    return this.#ordered().toSorted((a, b) => compare(this.rowOf(a), this.rowOf(b)))
  }

  /** Clears the re-check results: an account may have been read since. */
  resetChecks(): void {
    this.#confirmed.clear()
    this.#changed.clear()
    this.#rounds.clear()
  }

  /**
   * Compares a second read of a row with the first; values that differ are replaced.
   * @param repeats by account: the values read again; `null`: the row was missing; undefined: not read
   * @returns whether the row is decided; otherwise it must be read again
   */
  recheck(number: number, repeats: readonly (Row | null | undefined)[]): boolean {
    let isSame = true
    repeats.forEach((row, account) => {
      if (row === undefined) return
      const print = row === null ? NOT_SEEN : this.print(row)
      if (print === (this.#prints[account]?.[number] ?? NOT_SEEN)) return
      isSame = false
      this.#setPrint(account, number, print)
      if (row === null) this.#values[account]?.delete(number)
      else this.keepValues(account, number, row, true)
    })
    if (isSame) {
      this.#confirmed.add(number)
      return true
    }
    const accounts = repeats.flatMap((row, account) => (row === undefined ? [] : [account]))
    const {
      seen: seenCount,
      hidden,
      otherValues,
    } = this.#difference(
      number,
      accounts,
      repeats.map(row => row !== undefined),
    )
    if (seenCount === 0) this.#goneRows.add(number)
    if (seenCount === 0 || (hidden === 0 && !otherValues)) return true
    const rounds = (this.#rounds.get(number) ?? 1) + 1
    this.#rounds.set(number, rounds)
    if (rounds < MOST_ROUNDS) return false
    this.#changed.add(number)
    return true
  }

  #setPrint(account: number, number: number, print: number): void {
    const prints = this.#prints[account]
    if (prints) prints[number] = print
  }

  #difference(number: number, accounts: readonly number[], isRead: readonly boolean[]) {
    let [seenCount, hidden, first] = [0, 0, NOT_SEEN]
    let [isMissing, otherValues] = [false, false]
    for (const account of accounts) {
      const print = this.#prints[account]?.[number] ?? NOT_SEEN
      if (print === NOT_SEEN) {
        if (isRead[account] === true) hidden += 1
        else isMissing = true
        continue
      }
      seenCount += 1
      if (first === NOT_SEEN) first = print
      else if (first !== print) otherValues = true
    }
    return { seen: seenCount, hidden, isMissing, otherValues }
  }

  /** New rows are appended to sorted ones, which keeps sorting linear. */
  #ordered(): readonly number[] {
    if (this.#order.length < this.#rows.length) {
      for (let number = this.#order.length; number < this.#rows.length; number += 1) this.#order.push(number)
      this.#order.sort((a, b) => this.#compare(this.rowOf(a), this.rowOf(b)))
    }
    return this.#order
  }

  #nameOf(row: Row): string {
    const [onlyKey] = this.keys
    if (onlyKey === undefined)
      return JSON.stringify(this.#columns.length === 0 ? row : this.#columns.map(name => row[name] ?? null))
    if (this.keys.length === 1) return cellOf(row, onlyKey) ?? ''
    return JSON.stringify(this.keys.map(key => cellOf(row, key)))
  }

  #numberFor(account: number, row: Row): number {
    let name = this.#nameOf(row)
    if (this.keys.length === 0) {
      const repeat = (this.#repeats[account]?.get(name) ?? 0) + 1
      this.#repeats[account]?.set(name, repeat)
      name = `${repeat} ${name}`
    }
    const existing = this.#numbers.get(name)
    if (existing !== undefined) return existing
    const number = this.#rows.length
    this.#numbers.set(name, number)
    this.#rows.push(
      this.keys.length === 0
        ? row
        : Object.fromEntries(this.#keptColumns.map(column => [column, row[column]])),
    )
    return number
  }
}

/** The key of a row as display text. */
export const keyText = (keys: readonly Column[], row: Row): string =>
  keys.map(({ name }) => valueText(row[name] ?? null)).join(' · ')
