// Selects values that JSON would change as the text that PostgreSQL writes.
import { selectName } from './rest-names.ts'
import type { Column, Row } from './schema.ts'

/** What decides how a column is selected. */
export type TypedColumn = Pick<Column, 'name' | 'type' | 'format'>

/** Types whose JSON is the text that PostgreSQL writes, and reads back unchanged. */
const IN_JSON: ReadonlySet<Column['type']> = new Set<Column['type']>([
  'boolean',
  'timestamp',
  'date',
  'time',
  'interval',
  'uuid',
  'bytea',
  'enum',
])
/** Texts, of which a cast would change some: it trims `character` and adds a mask to `inet`. */
const TEXTS =
  /^(?:\w+\.)?(?:text|character varying|varchar|character|char|bpchar|citext|name|inet)(?:\(\d+\))?$/
const SMALL = /^(?:smallint|integer|int|int[24]|(?:small)?serial)$/

/**
 * Whether the column is selected as PostgreSQL text: JSON has no form for its values, `JSON.parse` would round them,
 * or the type is not known.
 */
const isExact = ({ type, format }: TypedColumn): boolean =>
  !(
    IN_JSON.has(type) ||
    (type === 'text' && TEXTS.test(format)) ||
    (type === 'integer' && SMALL.test(format))
  )

/** An alias for the text: under the column's own name, or that of another, `order` could sort by the text. */
function aliasesFor(columns: readonly TypedColumn[]): (index: number) => string {
  let prefix = 'exact_'
  while (columns.some(({ name }) => name.startsWith(prefix))) prefix = `exact_${prefix}`
  return index => prefix + String(index)
}

/** The `select` for the columns; all columns when none is known. */
export const selectOf = (columns: readonly TypedColumn[]): string => {
  if (columns.length === 0) return '*'
  const aliasOf = aliasesFor(columns)
  return columns
    .map((column, index) =>
      isExact(column) ? `${aliasOf(index)}:${selectName(column.name)}::text` : selectName(column.name),
    )
    .join(',')
}

/** Maps a row from an exact select back to its column names. */
export const exactRow = (columns: readonly TypedColumn[], row: Row): Row => {
  if (columns.length === 0) return row
  const aliasOf = aliasesFor(columns)
  return Object.fromEntries(
    columns.map((column, index) => [column.name, isExact(column) ? row[aliasOf(index)] : row[column.name]]),
  )
}
