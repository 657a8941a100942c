// Builds the query for the row that a foreign key references.
import type { Cell } from './cells/cell-text.ts'
import type { Reference } from './reference.ts'
import { filterText } from './table-query.ts'

/**
 * Filters for the referenced row; undefined while part of the key is null. @param cellIn returns the cell of
 * a column in the referencing row
 */
export const filtersTo = (
  { column, pairs }: Reference,
  own: string,
  cellIn: (name: string) => Cell,
): readonly string[] | undefined => {
  const cells = (pairs ?? [{ own, theirs: column }]).map(pair => [pair.theirs, cellIn(pair.own)] as const)
  const filters = cells.flatMap(([name, value]) =>
    value === null ? [] : [filterText({ column: name, operator: 'eq', value, negate: false })],
  )
  return filters.length === cells.length ? filters : undefined
}
