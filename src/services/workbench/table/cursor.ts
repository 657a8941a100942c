// Keyset pagination: the last row of a page determines the next page, so the server need not count rows.
import { parameterName, quoteItem, quoteName } from './rest-names.ts'
import type { TableSort } from './table-query.ts'
import { cellOf } from './cells/cell-text.ts'
import type { Column, Row, TableInfo } from './schema.ts'

/**
 * The requested sorts followed by the key, so that each row has a unique position and no page repeats a row.
 */
export const totalOrder = (sorts: readonly TableSort[], info: TableInfo): readonly TableSort[] => {
  const direction = sorts.at(-1)?.direction ?? 'asc'
  const keys = info.columns.filter(column => column.isKey && !sorts.some(sort => sort.column === column.name))
  return [...sorts, ...keys.map(column => ({ column: column.name, direction }))]
}

const COMPARABLE: ReadonlySet<Column['type']> = new Set([
  'integer',
  'text',
  'uuid',
  'timestamp',
  'date',
  'number',
])
/** Longer values are not put into a URL. */
const LONGEST = 120

/** Servers may refuse longer URLs. */
const LONGEST_BEHIND = 1_500

/** A REST condition: parameter name and value. */
export type Condition = readonly [name: string, value: string]

const columnOf = (info: TableInfo, name: string) => info.columns.find(each => each.name === name)

/**
 * Condition for rows after `last` that an index can answer; undefined when only an offset finds them. `gt` does not
 * find nulls.
 */
export const conditionAfter = (
  order: readonly TableSort[],
  last: Row,
  info: TableInfo,
): Condition | undefined => {
  const isIndexed = order.every(({ column: name }) => {
    const column = columnOf(info, name)
    const cell = column && cellOf(last, column)
    if (!column || !cell || !(column.required || column.isKey)) return false
    return cell.length <= LONGEST && !/^(nan|-?infinity)$/i.test(cell)
  })
  return isIndexed ? conditionBehind(order, last, info) : undefined
}

/** The text of such a number is not always parsed as the same number. */
const isRounded = ({ format }: Column): boolean => /^(real|float4)/.test(format)

/** Whether the values give each row a unique position and a successor. */
export const isTotal = (order: readonly TableSort[], info: TableInfo): boolean =>
  info.isKeyShared !== true &&
  info.columns.some(column => column.isKey) &&
  totalOrder(order, info).every(({ column: name }) => {
    const column = columnOf(info, name)
    return column !== undefined && COMPARABLE.has(column.type) && !isRounded(column)
  })

const equals = (name: string, cell: string | null) =>
  cell === null ? `${name}.is.null` : `${name}.eq.${quoteItem(cell)}`

/** Nulls sort last. */
const behind = (
  name: string,
  cell: string | null,
  direction: 'asc' | 'desc',
  mayBeNull: boolean,
): readonly string[] => {
  if (direction === 'desc') return [cell === null ? `${name}.not.is.null` : `${name}.lt.${quoteItem(cell)}`]
  if (cell === null) return []
  return [`${name}.gt.${quoteItem(cell)}`, ...(mayBeNull ? [`${name}.is.null`] : [])]
}

/**
 * Condition for rows after `last`, also when sort columns contain nulls; undefined when only an offset finds
 * them. Where nulls are possible, an index cannot answer it.
 */
export const conditionBehind = (
  order: readonly TableSort[],
  last: Row,
  info: TableInfo,
): Condition | undefined => {
  if (!isTotal(order, info)) return undefined
  const [onlyOrder] = order
  const onlyCell = onlyOrder && order.length === 1 ? cellOf(last, { name: onlyOrder.column }) : null
  // The value of a plain filter is taken literally, by every server.
  if (onlyOrder !== undefined && onlyCell !== null && onlyCell.length <= LONGEST_BEHIND)
    return [parameterName(onlyOrder.column), `${onlyOrder.direction === 'asc' ? 'gt' : 'lt'}.${onlyCell}`]
  const before: string[] = []
  const terms: string[] = []
  for (const sort of order) {
    const column = columnOf(info, sort.column)
    if (column === undefined) return undefined
    const [name, cell] = [quoteName(sort.column), cellOf(last, column)]
    if (!isPlainText(cell)) return undefined
    for (const term of behind(name, cell, sort.direction, !column.required && !column.isKey))
      terms.push(before.length === 0 ? term : `and(${[...before, term].join(',')})`)
    before.push(equals(name, cell))
  }
  const text = terms.join(',')
  return text.length > LONGEST_BEHIND ? undefined : ['or', `(${text})`]
}

/** Whether quotes around the text need no escapes, which some servers do not read. */
export const isPlainText = (cell: string | null): boolean => cell === null || !/["\\]/.test(cell)
