// Conditions by which a write says what a cell held when it was read.
import type { Cell } from '../cells/cell-text.ts'
import type { Column } from '../schema.ts'
import { parameterName } from '../table-query.ts'

export type Parameter = readonly [name: string, value: string]

/** Types that the database compares, in a text that fits into an address. */
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

/** Some servers read such a text as what it says. */
const isWord = (text: string) => /^(null|true|false|unknown)$/i.test(text)

/** Whether the database can be asked if a cell holds this. */
export const isGuarded = (column: Column, cell: Cell): boolean =>
  cell === null ||
  (COMPARED.has(column.type) &&
    cell.length <= LONGEST &&
    !isWord(cell) &&
    (column.type !== 'text' || /^(text|character|varchar|char|citext|name)/.test(column.format)))

/** That it does. */
export const guardFor = (column: Column, cell: Cell): Parameter => [
  parameterName(column.name),
  cell === null ? 'is.null' : `eq.${cell}`,
]
