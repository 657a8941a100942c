// Foreign keys: the rows that a row refers to, the rows that refer to it, and how a request embeds the former.
import type { TableName } from './of-table.ts'
import { allColumns, type Pair, type TableInfo } from './schema.ts'
import { quoteItem, selectName } from './rest-names.ts'

export interface ForeignKey {
  /** Name of the constraint; undefined where the source of the schema does not name it. */
  readonly name?: string
  readonly table: string
  /** Schema of the other table, if it is another one. */
  readonly schema?: string
  readonly pairs: readonly Pair[]
}

/** The foreign keys of a table, as its source lists them, or as far as its columns tell. */
export const keysFrom = (info: TableInfo): readonly ForeignKey[] => {
  if (info.keys !== undefined) return info.keys
  const byContent = new Map<string, ForeignKey>()
  for (const { name, references } of allColumns(info)) {
    if (references === undefined) continue
    const { table, column, pairs = [{ ours: name, theirs: column }] } = references
    byContent.set(JSON.stringify([table, pairs]), { table, pairs })
  }
  return [...byContent.values()]
}

/** A foreign key of another table, or of the same one. */
export interface IncomingKey {
  readonly schema: string
  readonly info: TableInfo
  readonly key: ForeignKey
}

/** The foreign keys that refer to a table, by schema and table. */
export const keysTo = (
  { schema, table }: TableName,
  schemas: ReadonlyMap<string, readonly TableInfo[]>,
): readonly IncomingKey[] =>
  [...schemas].flatMap(([from, infos]) =>
    infos.flatMap(info =>
      keysFrom(info)
        .filter(key => key.table === table && (key.schema ?? from) === schema)
        .map(key => ({ schema: from, info, key })),
    ),
  )

/** PostgREST reads these as the kind of a join. */
const JOINS = /^(?:inner|left)$/

const hintName = (name: string): string => (JOINS.test(name) ? quoteItem(name) : selectName(name))

/** What embeds a row in a request, or why none can. */
type Embedding = { readonly term: string } | { readonly reason: string }

const SELF = 'PostgREST embeds a row of the same table only by a key of one column'

/** @param from name of the table with the key */
export const embeddingOf = (from: string, { name, table, schema, pairs }: ForeignKey): Embedding => {
  if (schema !== undefined)
    return { reason: `${table} is in the schema ${schema}, and a request reads one schema` }
  const [first, ...morePairs] = pairs
  const column = morePairs.length === 0 ? first?.ours : undefined
  // PostgREST finds the other row of the same table by the column alone, and by the table the rows that refer to it.
  if (table === from) return column === undefined ? { reason: SELF } : { term: selectName(column) }
  const hint = name ?? column
  return { term: selectName(table) + (hint === undefined ? '' : `!${hintName(hint)}`) }
}
