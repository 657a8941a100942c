// The order of rows on the client, as PostgreSQL sorts them.
import { cellOf } from '../cells/cell-text.ts'
import type { Column, Row, TableInfo } from '../schema.ts'
import type { TableSort } from '../table-query.ts'

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
export const isOrderedAlike = ({ type, format }: Column): boolean =>
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
