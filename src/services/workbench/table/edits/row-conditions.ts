// Conditions that find given rows, and no others.
import { cellOf, type Cell } from '../cells/cell-text.ts'
import { isPlainText, type Condition } from '../cursor.ts'
import type { Column, Row, TableInfo } from '../schema.ts'
import { parameterName, quoteItem, quoteName } from '../rest-names.ts'
import { anyOf } from '../table-query.ts'

/** Types the database can compare, with text short enough for a URL. */
const COMPARED: ReadonlySet<Column['type']> = new Set<Column['type']>([
  'integer',
  'number',
  'uuid',
  'timestamp',
  'date',
  'time',
  'enum',
  'text',
])
const LONGEST = 200
/** Characters of all conditions of a row. */
const LONGEST_ALL = 4_000

/** Some servers interpret such text as a keyword. */
const isWord = (text: string) => /^(null|true|false|unknown)$/i.test(text)

/** Whether the database can check this value. */
export const isGuarded = (column: Column, cell: Cell): boolean =>
  cell === null ||
  (COMPARED.has(column.type) &&
    cell.length <= LONGEST &&
    !isWord(cell) &&
    (column.type !== 'text' || /^(text|character|varchar|char|citext|name)/.test(column.format)))

/** The condition that checks it. Some servers trim a plain value, or take a word for a keyword, but read both in quotes. */
export const guardFor = (column: Column, cell: Cell): Condition => [
  parameterName(column.name),
  cell === null ? 'is.null' : isMisread(cell) ? anyOf([cell]) : `eq.${cell}`,
]

const isMisread = (text: string): boolean => (text !== text.trim() || isWord(text)) && isPlainText(text)

const keysOf = ({ columns }: TableInfo): readonly Column[] => columns.filter(({ isKey }) => isKey)

/** Conditions that find a row by its key, and by all its values where other rows may have the same key. */
export const rowConditions = (info: TableInfo, row: Row): readonly Condition[] =>
  info.isKeyShared
    ? exactConditions(info, row)
    : keysOf(info).map(column => guardFor(column, cellOf(row, column)))

/** Conditions that find a row by its key and all its values that the database can compare. */
export const exactConditions = (info: TableInfo, row: Row): readonly Condition[] => {
  const keys = keysOf(info).map(column => guardFor(column, cellOf(row, column)))
  const otherColumns = info.columns.filter(column => !column.isKey && isGuarded(column, cellOf(row, column)))
  let length = 0
  return [
    ...keys,
    ...otherColumns
      .map(column => guardFor(column, cellOf(row, column)))
      .filter(([name, value]) => (length += name.length + value.length) <= LONGEST_ALL),
  ]
}

/** Rows that one request finds. */
export interface RowGroup<One extends Row = Row> {
  readonly rows: readonly One[]
  readonly conditions: readonly Condition[]
}

/** Number of rows that fit in one URL. */
export const ROWS_AT_ONCE = 80

/** Conditions that find the rows: all of them at once, except those that only plain filters find on every server. */
export const groupsOf = (info: TableInfo, rows: readonly Row[]): readonly RowGroup[] => {
  const keys = keysOf(info)
  const isListed = (row: Row) =>
    info.isKeyShared !== true &&
    keys.every(key => {
      const cell = cellOf(row, key)
      return cell !== null && isPlainText(cell)
    })
  const listed = rows.filter(isListed)
  const singleRows = rows.filter(row => !isListed(row))
  return [
    ...(listed.length === 0 ? [] : [{ rows: listed, conditions: [listOf(keys, listed)] }]),
    ...singleRows.map(row => ({ rows: [row], conditions: rowConditions(info, row) })),
  ]
}

function listOf(keys: readonly Column[], rows: readonly Row[]): Condition {
  const [onlyKey] = keys
  if (onlyKey !== undefined && keys.length === 1)
    return [parameterName(onlyKey.name), anyOf(rows.map(row => cellOf(row, onlyKey) ?? ''))]
  const terms = rows.map(row => {
    const parts = keys.map(column => `${quoteName(column.name)}.eq.${quoteItem(cellOf(row, column) ?? '')}`)
    return `and(${parts.join(',')})`
  })
  return ['or', `(${terms.join(',')})`]
}
