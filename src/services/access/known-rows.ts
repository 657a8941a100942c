// The rows that any account has seen, and to which account each belongs.
import { type CatalogColumn, type CatalogTable, nameIn } from './catalog.ts'
import { byText, stableText } from './stable.ts'
import { type AccessAccount, type JsonRow, NO_OWNER, SOMEONE_ELSE } from './types.ts'

export interface KnownRow {
  readonly row: JsonRow
  readonly owner: string
  /** Names of the accounts that see it. */
  readonly seenBy: string
}

interface RowRecord {
  readonly row: JsonRow
  readonly by: ReadonlySet<string>
}

/** A value that an argument of a function may have, and whose row it is from. */
export interface KnownValue {
  readonly value: unknown
  readonly owner: string
}

/** Follows references to parents this far: a line of an order belongs to the owner of the order. */
const DEEPEST = 3

/** Columns that usually name the owner. */
const OWNER_NAME = /^(?:owner|author|user|created_by|creator|account|profile|member)/

export class KnownRows {
  readonly #accounts: readonly AccessAccount[]
  /** Owner columns that the user named, by table. */
  readonly #chosenValues: Readonly<Record<string, string>>
  readonly #tables = new Map<
    string,
    { readonly table: CatalogTable; readonly rows: Map<string, RowRecord> }
  >()
  readonly #names: ReadonlyMap<unknown, string>
  readonly #ownerColumns = new Map<string, string | undefined>()

  constructor(accounts: readonly AccessAccount[], chosenValues: Readonly<Record<string, string>>) {
    this.#accounts = accounts
    this.#chosenValues = chosenValues
    this.#names = new Map(
      accounts.flatMap(({ userId, name }) => (userId === undefined ? [] : [[userId, name]])),
    )
  }

  /** Adds what one account sees; columns that another account sees are added to the same row. */
  add(table: CatalogTable, account: AccessAccount, rows: readonly JsonRow[]): void {
    const name = nameIn(table)
    const tableRows = this.#tables.get(name) ?? { table, rows: new Map<string, RowRecord>() }
    this.#tables.set(name, tableRows)
    for (const row of rows) {
      const id = this.idOf(table, row)
      if (id === undefined) continue
      const before = tableRows.rows.get(id)
      tableRows.rows.set(id, {
        row: { ...before?.row, ...row },
        by: new Set([...(before?.by ?? []), account.name]),
      })
    }
    this.#ownerColumns.clear()
  }

  /** Identifies a row: `id=4`. Without a primary key, by all its values; undefined if a key column is hidden. */
  idOf(table: CatalogTable, row: JsonRow): string | undefined {
    const keys = keysOf(table)
    if (keys.length === 0) return stableText(JSON.stringify(row), this.#accounts)
    if (keys.some(({ name }) => row[name] === undefined)) return undefined
    return keys.map(({ name }) => `${name}=${this.#names.get(row[name]) ?? textOf(row[name])}`).join(', ')
  }

  /** The rows of a table, sorted by key. */
  rowsOf(table: CatalogTable): readonly KnownRow[] {
    const rows = [...(this.#tables.get(nameIn(table))?.rows ?? [])].toSorted(([a], [b]) => byText(a, b))
    return rows.map(([, { row, by }]) => ({ row, owner: this.ownerOf(table, row), seenBy: [...by].join() }))
  }

  /** The column whose values are users: as given, else the one with the most ids of these accounts. */
  ownerColumn(table: CatalogTable): string | undefined {
    const name = nameIn(table)
    if (!this.#ownerColumns.has(name))
      this.#ownerColumns.set(name, this.#chosenValues[name] ?? this.#findOwner(table))
    return this.#ownerColumns.get(name)
  }

  #findOwner(table: CatalogTable): string | undefined {
    const rows = [...(this.#tables.get(nameIn(table))?.rows.values() ?? [])]
    const scored = table.columns.map(column => {
      const matches = rows.filter(({ row }) => this.#names.has(row[column.name])).length
      const isUser = column.references?.schema === 'auth'
      const hint = (isUser ? 2 : 0) + (OWNER_NAME.test(column.name) ? 1 : 0)
      return { name: column.name, matches, hint }
    })
    const [bestRow] = scored
      .filter(({ matches }) => matches > 0)
      .toSorted((a, b) => b.hint - a.hint || b.matches - a.matches)
    return bestRow?.name
  }

  /** The account whose row it is: by its own column, else by the row that it references. */
  ownerOf(table: CatalogTable, row: JsonRow, depth = 0): string {
    const column = this.ownerColumn(table)
    if (column !== undefined) {
      const value = row[column]
      return this.#names.get(value) ?? (value === null || value === undefined ? NO_OWNER : SOMEONE_ELSE)
    }
    if (depth >= DEEPEST) return NO_OWNER
    for (const { name, references } of table.columns) {
      const parent =
        references && this.#tables.get(nameIn({ schema: references.schema, name: references.table }))
      if (!parent || parent.table === table) continue
      const parentRow = [...parent.rows.values()].find(
        each => each.row[references.column] !== undefined && each.row[references.column] === row[name],
      )
      const owner = parentRow && this.ownerOf(parent.table, parentRow.row, depth + 1)
      if (owner !== undefined && owner !== NO_OWNER) return owner
    }
    return NO_OWNER
  }

  /** Whose row an object without a table is: that of the first user that it mentions. */
  ownerIn(row: unknown): string {
    const values = typeof row === 'object' && row !== null ? Object.values(row as object) : [row]
    for (const value of values) {
      const name = this.#names.get(value)
      if (name !== undefined) return name
    }
    return NO_OWNER
  }

  /** Values of columns with the name of an argument, and of keys that it may refer to: `note_id` is the key of `notes`. */
  valuesFor(argument: string): readonly KnownValue[] {
    const name = argument.replace(/^(?:p|arg|in)?_+|(?<!_)_+$/g, '').toLowerCase()
    const values: KnownValue[] = []
    for (const { table } of this.#tables.values()) {
      const column = table.columns.find(each => isMeant(each, table, name))
      if (!column) continue
      for (const { row, owner } of this.rowsOf(table)) {
        const value = row[column.name]
        if (value !== undefined && value !== null) values.push({ value, owner })
      }
    }
    return values
  }
}

function isMeant({ name, isKey, references }: CatalogColumn, table: CatalogTable, argument: string): boolean {
  if (references?.schema === 'auth') return false
  const singular = table.name.toLowerCase().replace(/s$/, '')
  return (
    name.toLowerCase() === argument ||
    (isKey && [singular, `${singular}_id`, `${singular}id`].includes(argument))
  )
}

export const keysOf = (table: CatalogTable): readonly CatalogColumn[] =>
  table.columns.filter(({ isKey }) => isKey)

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
