// What a comparison reads: all rows by key, and single rows again; and the order in which it shows them.
import { totalOrder, type Condition } from '../cursor.ts'
import type { Column, Row, TableInfo } from '../schema.ts'
import { parameterName } from '../rest-names.ts'
import type { TableQuery, TableSort } from '../table-query.ts'
import { groupsOf } from '../edits/row-conditions.ts'
import { createRowReader, type RowReader } from '../row-reader.ts'
import { cellOf } from '../cells/cell-text.ts'

/** Whether PostgreSQL can sort the type. */
const isSortable = ({ type, format }: Column): boolean =>
  type === 'text'
    ? /^(text|character|varchar|citext|name|bpchar)/.test(format)
    : type !== 'json' && type !== 'array'

/** Pages by key, regardless of the user's sorting; without a key, by all sortable columns. */
const orderOf = ({ sorts }: TableQuery, info: TableInfo): TableQuery['sorts'] => {
  const keys = new Set(info.columns.filter(({ isKey }) => isKey).map(({ name }) => name))
  if (keys.size > 0)
    return totalOrder(
      sorts.filter(({ column }) => keys.has(column)),
      info,
    )
  return info.columns.filter(isSortable).map(({ name }) => ({ column: name, direction: 'asc' }))
}

/** The compared columns; empty: all, when the columns are unknown. */
export const comparedColumns = ({ columns }: TableQuery, info: TableInfo): readonly string[] =>
  columns.length > 0 || !info.isKnown ? columns : info.columns.map(({ name }) => name)

/** The query that reads every row once, in key order. */
export const comparedQuery = (query: TableQuery, info: TableInfo): TableQuery => {
  const { range: _, ...all } = query
  const columns = comparedColumns(query, info)
  const needed = [
    ...info.columns.filter(({ isKey }) => isKey).map(({ name }) => name),
    ...query.sorts.map(({ column }) => column),
  ]
  return {
    ...all,
    columns: columns.length === 0 ? [] : [...new Set([...columns, ...needed])],
    sorts: orderOf(query, info),
  }
}

/** Reads single rows: with one request or, where a list cannot name a row, one for each. */
export const readersOfRows = (
  query: TableQuery,
  info: TableInfo,
  rows: readonly Row[],
): readonly RowReader[] =>
  groupsOf(info, rows).map(({ rows: { length: maxRows }, conditions: also }) =>
    createRowReader({ query, info, also, maxRows }),
  )

/** Reads all rows between two keys, inclusive; only for tables with a single key column. */
export const readerOfRange = (
  query: TableQuery,
  info: TableInfo,
  [key, low, high]: readonly [key: Column, low: string, high: string],
): RowReader => {
  const name = parameterName(key.name)
  const also: readonly Condition[] = [
    [name, `gte.${low}`],
    [name, `lte.${high}`],
  ]
  return createRowReader({ query, info, also })
}

/** Whether rows are shown in the table's order. */
export const isInTableOrder = (query: TableQuery, info: TableInfo): boolean =>
  query.sorts.every(({ column: name }) => {
    const column = info.columns.find(each => each.name === name)
    return column !== undefined && isOrderedAlike(column)
  })

const compareValues = <Value extends string | bigint>(a: Value, b: Value): number =>
  a < b ? -1 : a > b ? 1 : 0

const compareIntegers = (a: string, b: string): number => {
  const [x, y] = [Number(a), Number(b)]
  if (Number.isSafeInteger(x) && Number.isSafeInteger(y)) return x - y
  return /^-?\d+$/.test(a) && /^-?\d+$/.test(b) ? compareValues(BigInt(a), BigInt(b)) : compareValues(a, b)
}

const compareNumbers = (a: string, b: string): number => {
  const [x, y] = [Number(a), Number(b)]
  // NaN is the greatest number in PostgreSQL.
  if (Number.isNaN(x) || Number.isNaN(y)) return Number(Number.isNaN(x)) - Number(Number.isNaN(y))
  return x - y
}

/** Negative if `a` comes first, positive if `b` does. */
export type Compare = (a: Row, b: Row) => number

/** Compares rows by one column. */
export const comparing = (column: Column, direction: TableSort['direction']): Compare => {
  const sign = direction === 'asc' ? 1 : -1
  const compareCells =
    column.type === 'integer' ? compareIntegers : column.type === 'number' ? compareNumbers : compareValues
  return (one, other) => {
    const [a, b] = [cellOf(one, column), cellOf(other, column)]
    if (a === null || b === null) return sign * (Number(a === null) - Number(b === null))
    return sign * compareCells(a, b)
  }
}

/**
 * Whether the client sorts the column's values as the server does; only the server knows the order of text.
 */
const isOrderedAlike = ({ type, format }: Column): boolean =>
  ['integer', 'uuid', 'boolean', 'date', 'timestamp'].includes(type) ||
  (type === 'number' && !format.startsWith('money'))

/** The order by these columns and then by the key, and the columns that it reads. */
export function rowOrder(info: TableInfo, sorts: readonly TableSort[]) {
  const isSorted = (name: string) => sorts.some(({ column }) => column === name)
  const last = sorts.at(-1)?.direction ?? 'asc'
  const keys = info.columns.filter(({ isKey, name }) => isKey && !isSorted(name))
  const orders = [
    ...sorts,
    ...keys.map(({ name }): TableSort => ({ column: name, direction: last })),
  ].flatMap(({ column: name, direction }) => {
    const column = info.columns.find(each => each.name === name)
    return column ? [{ column, direction }] : []
  })
  const compares = orders.map(({ column, direction }) => comparing(column, direction))
  const compare: Compare = (a, b) => {
    for (const compareColumn of compares) {
      const result = compareColumn(a, b)
      if (result !== 0) return result
    }
    return 0
  }
  return { columns: [...new Set(orders.map(({ column }) => column.name))], compare }
}
