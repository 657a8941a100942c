// Write conditions that check that a cell still has the value that was read.
import type { Cell } from '../cells/cell-text.ts'
import type { Column } from '../schema.ts'
import { parameterName } from '../table-query.ts'

export type Parameter = readonly [name: string, value: string]

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

/** Some servers interpret such text as a keyword. */
const isWord = (text: string) => /^(null|true|false|unknown)$/i.test(text)

/** Whether the database can check this value. */
export const isGuarded = (column: Column, cell: Cell): boolean =>
  cell === null ||
  (COMPARED.has(column.type) &&
    cell.length <= LONGEST &&
    !isWord(cell) &&
    (column.type !== 'text' || /^(text|character|varchar|char|citext|name)/.test(column.format)))

/** The condition that checks it. */
export const guardFor = (column: Column, cell: Cell): Parameter => [
  parameterName(column.name),
  cell === null ? 'is.null' : `eq.${cell}`,
]
