// Builds a filter from a cell: rows with the cell's value, or rows without it.
import type { Cell } from './cells/cell-text.ts'
import type { Column } from './schema.ts'
import type { TableFilter } from './table-query.ts'
import { isGuarded } from './edits/guards.ts'

/** Returns undefined for values that a filter cannot express. */
export const cellFilter = (column: Column, cell: Cell, isWithout: boolean): TableFilter | undefined => {
  const { name, type } = column
  if (cell === null) return { column: name, operator: 'is', value: 'null', negate: isWithout }
  if (type === 'boolean') return { column: name, operator: 'is', value: cell, negate: isWithout }
  if (!isGuarded(column, cell)) return undefined
  return { column: name, operator: isWithout ? 'neq' : 'eq', value: cell, negate: false }
}
