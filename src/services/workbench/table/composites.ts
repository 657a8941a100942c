// Composite foreign keys: PostgREST's OpenAPI document lists only single-column ones, so they are guessed by
// name and then verified with a request.
import type { RestRead } from '../rest/rest.ts'
import { selectName } from './rest-names.ts'
import type { Pair, Column, TableInfo } from './schema.ts'

/** Columns that together may reference the whole key of another table. */
export interface Composite {
  readonly table: string
  readonly pairs: readonly Pair[]
}

const fits = (column: Column | undefined, key: Column): column is Column => column?.format === key.format

/**
 * Matches `at_harbour` and `at_no` with a key of `harbour` and `no`: the same prefix for each name, or none.
 */
const pairsFor = (columns: readonly Column[], keys: readonly Column[]): readonly (readonly Pair[])[] => {
  const [first, ...moreKeys] = keys
  if (first === undefined || moreKeys.length === 0) return []
  const byName = new Map(columns.map(column => [column.name, column]))
  return columns.flatMap(column => {
    if (!column.name.endsWith(first.name) || !fits(column, first)) return []
    const before = column.name.slice(0, column.name.length - first.name.length)
    const pairs = keys.map((key): Pair => ({ ours: `${before}${key.name}`, theirs: key.name }))
    return pairs.every(({ ours }, at) => {
      const key = keys[at]
      return key !== undefined && fits(byName.get(ours), key)
    })
      ? [pairs]
      : []
  })
}

/** Candidates for a table; a table's own key never references itself. */
export const compositesIn = (info: TableInfo, tables: readonly TableInfo[]): readonly Composite[] =>
  tables.flatMap(table =>
    pairsFor(
      info.columns,
      table.columns.filter(column => column.isKey),
    )
      .filter(pairs => table.name !== info.name || pairs.some(({ ours, theirs }) => ours !== theirs))
      .map(pairs => ({ table: table.name, pairs })),
  )

/** A read that succeeds only if the backend knows the reference. */
export const askFor = (
  { name }: TableInfo,
  { table, pairs: [first] }: Composite,
  schema: string,
): RestRead => ({
  path: `/${encodeURIComponent(name)}`,
  query: [
    ['select', `there:${selectName(table)}(${first === undefined ? '*' : selectName(first.theirs)})`],
    ['limit', '1'],
  ],
  headers: schema === 'public' ? {} : { 'Accept-Profile': schema },
})

/** Whether each row references one row there, and is not referenced by many. */
export const isReferring = (rows: readonly Readonly<Record<string, unknown>>[]): boolean =>
  rows.every(row => !Array.isArray(row['there']))

/** Adds composite references to the table's columns; a single-column reference takes precedence. */
export const withComposites = (info: TableInfo, composites: readonly Composite[]): TableInfo => {
  if (composites.length === 0) return info
  const columns = info.columns.map((column): Column => {
    const composite = composites.find(({ pairs }) => pairs.some(({ ours }) => ours === column.name))
    const theirs = composite?.pairs.find(({ ours }) => ours === column.name)?.theirs
    if (composite === undefined || theirs === undefined || column.references !== undefined) return column
    return { ...column, references: { table: composite.table, column: theirs, pairs: composite.pairs } }
  })
  return { ...info, columns }
}
