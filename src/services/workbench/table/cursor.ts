// Keyset pagination: the last row of a page determines the next page, so the server need not count rows.
import { parameterName, quoteName, type TableSort } from './table-query.ts'
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

const quoteValue = (text: string) => `"${text.replaceAll(/["\\]/g, character => `\\${character}`)}"`

/** A REST condition: parameter name and value. */
export type Condition = readonly [name: string, value: string]

/** Condition for rows after `last`; undefined when only an offset finds them. */
export const conditionAfter = (
  order: readonly TableSort[],
  last: Row,
  info: TableInfo,
): Condition | undefined => {
  if (order.length === 0 || !info.columns.some(column => column.isKey)) return undefined
  const parts: { readonly name: string; readonly text: string; readonly after: string }[] = []
  for (const { column: name, direction } of order) {
    const column = info.columns.find(each => each.name === name)
    const cell = column && cellOf(last, column)
    // `gt` does not find nulls.
    if (!column || !cell || !(column.required || column.isKey) || !COMPARABLE.has(column.type))
      return undefined
    if (cell.length > LONGEST || /^(nan|-?infinity)$/i.test(cell)) return undefined
    parts.push({ name, text: cell, after: direction === 'asc' ? 'gt' : 'lt' })
  }
  const [only] = parts
  if (only !== undefined && parts.length === 1)
    return [parameterName(only.name), `${only.after}.${only.text}`]
  const terms = parts.map(({ name, text, after }, at) => {
    const same = parts.slice(0, at).map(each => `${quoteName(each.name)}.eq.${quoteValue(each.text)}`)
    const behind = `${quoteName(name)}.${after}.${quoteValue(text)}`
    return same.length === 0 ? behind : `and(${[...same, behind].join(',')})`
  })
  return ['or', `(${terms.join(',')})`]
}

/** The text of such a number is not always parsed as the same number. */
const isRounded = ({ format }: Column): boolean => /^(real|float4)/.test(format)

/** Whether the values give each row a unique position and a successor. */
export const isTotal = (order: readonly TableSort[], info: TableInfo): boolean =>
  info.columns.some(column => column.isKey) &&
  totalOrder(order, info).every(({ column: name }) => {
    const column = info.columns.find(each => each.name === name)
    return column !== undefined && COMPARABLE.has(column.type) && !isRounded(column)
  })

const same = (name: string, cell: string | null) =>
  cell === null ? `${name}.is.null` : `${name}.eq.${quoteValue(cell)}`

/** Nulls sort last. */
const behind = (
  name: string,
  cell: string | null,
  direction: 'asc' | 'desc',
  mayBeNull: boolean,
): readonly string[] => {
  if (direction === 'desc') return [cell === null ? `${name}.not.is.null` : `${name}.lt.${quoteValue(cell)}`]
  if (cell === null) return []
  return [`${name}.gt.${quoteValue(cell)}`, ...(mayBeNull ? [`${name}.is.null`] : [])]
}

/**
 * Condition for rows after `last`, also when sort columns contain nulls; undefined when only an offset finds
 * them. Unlike `conditionAfter`, an index cannot answer it: use it for reading everything once.
 */
export const conditionBehind = (
  order: readonly TableSort[],
  last: Row,
  info: TableInfo,
): Condition | undefined => {
  if (!isTotal(order, info)) return undefined
  const before: string[] = []
  const terms: string[] = []
  for (const sort of order) {
    const column = info.columns.find(each => each.name === sort.column)
    if (column === undefined) return undefined
    const [name, cell] = [quoteName(sort.column), cellOf(last, column)]
    for (const term of behind(name, cell, sort.direction, !column.required && !column.isKey))
      terms.push(before.length === 0 ? term : `and(${[...before, term].join(',')})`)
    before.push(same(name, cell))
  }
  const text = terms.join(',')
  return text.length > LONGEST_BEHIND ? undefined : ['or', `(${text})`]
}
