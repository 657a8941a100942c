// Which columns of results can be edited: values of a table whose primary key is in the result, too.
import type { Queries, SqlField } from '../database/index.ts'
import { splitStatements } from '../project/statements.ts'
import { arrayOf } from './columns.ts'

/** How a column is edited; or why it is not. */
export type ColumnEditing =
  | {
      /** Places of the columns with the primary key, in its order. */
      readonly key: readonly number[]
      /** Whether null is forbidden. */
      readonly required: boolean
      /** The values of an enum. */
      readonly options?: readonly string[]
    }
  | { readonly readOnly: string }

export interface RanStatement {
  readonly sql: string
  readonly fields: readonly SqlField[] | undefined
  /** Whether an earlier statement may have changed the session, so that another one reads texts in another way. */
  readonly isAfterSettings: boolean
}

interface CatalogColumn {
  readonly id: string
  readonly number: number
  readonly schema: string
  readonly table: string
  readonly column: string
  readonly kind: string
  readonly key: readonly number[] | null
  readonly has_children: boolean
  readonly required: boolean
  readonly generated: 'generated' | 'identity' | null
  readonly options: readonly string[] | null
}

/** Says for each column of each result whether it can be edited. */
export async function describeEditing(
  { query }: Pick<Queries, 'query'>,
  statements: readonly RanStatement[],
): Promise<readonly (readonly ColumnEditing[])[]> {
  const reasons = statements.map(refusalOf)
  const tables = new Set(
    statements
      .flatMap(({ fields = [] }, at) => (reasons[at] === undefined ? fields : []))
      .map(f => f.tableId),
  )
  tables.delete(0)
  const catalog = tables.size === 0 ? [] : await readCatalog(query, [...tables])
  const columns = new Map(catalog.map(column => [`${column.id}.${column.number}`, column]))
  return statements.map((statement, at) => {
    const { fields = [] } = statement
    const readOnly = reasons[at]
    if (readOnly !== undefined) return fields.map(() => ({ readOnly }))
    const origins = fields.map(({ tableId, columnId }) => columns.get(`${tableId}.${columnId}`))
    return origins.map(origin => editingOf(statement, origins, origin))
  })
}

const PLAIN = /^(?:select|table)\b/
/** Two references to one query would join the table with itself. */
const QUERIES = /^with\b|\(\s*with\b/
const SETTINGS = /^(?:set|reset|discard)\b|\bset_config\b/

/** Whether statements after this one may run as another role, or read and write texts in another way. */
export const changesSettings = (sql: string): boolean =>
  splitStatements(sql).some(({ words }) => SETTINGS.test(words))

function refusalOf({ sql, isAfterSettings }: RanStatement): string | undefined {
  const words = splitStatements(sql)[0]?.words ?? ''
  if (QUERIES.test(words)) return 'a WITH query'
  if (!PLAIN.test(words)) return 'not a plain SELECT'
  return isAfterSettings ? 'the script changed settings or the role before it' : undefined
}

type Origin = CatalogColumn | undefined

function editingOf({ sql }: RanStatement, origins: readonly Origin[], origin: Origin): ColumnEditing {
  if (!origin) return { readOnly: 'an expression' }
  const { table, key, generated, required, options } = origin
  const problem = tableProblem(origin)
  if (problem !== undefined || key === null) return { readOnly: problem ?? `${table} has no primary key` }
  const places = key.map(number =>
    origins.findIndex(each => each?.id === origin.id && each.number === number),
  )
  if (places.includes(-1)) return { readOnly: `no primary key of ${table} in the result` }
  const numbers = origins.flatMap(each => (each?.id === origin.id ? [each.number] : []))
  if (new Set(numbers).size < numbers.length) return { readOnly: `a column of ${table} occurs twice` }
  if (occurrences(sql, table) !== 1) return { readOnly: `${table} must occur exactly once in the statement` }
  if (generated === 'generated') return { readOnly: 'a generated column' }
  if (generated === 'identity') return { readOnly: 'an identity that is always generated' }
  return { key: places, required, ...(options ? { options } : {}) }
}

function tableProblem({ schema, table, kind, key, has_children }: CatalogColumn): string | undefined {
  if (kind === 'v' || kind === 'm') return `a column of a view, ${table}`
  if (schema === 'information_schema' || schema.startsWith('pg_')) return 'a table of PostgreSQL itself'
  if (key === null) return `${table} has no primary key`
  return has_children ? `other tables inherit from ${table}, so that its key is not unique` : undefined
}

/**
 * How often the statement names a table other than before a column; at least as often as it reads it. Without WITH, a
 * table that is named once is read by one reference, whose columns belong to one row.
 */
function occurrences(sql: string, table: string): number {
  if (/u&"/i.test(sql)) return Infinity
  const [text, name] = [sql.toLowerCase(), table.replaceAll('"', '""').toLowerCase()]
  let count = 0
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + 1)) {
    const after = text.slice(at + name.length, at + name.length + 40)
    const isWhole = !IN_NAME.test(text.charAt(at - 1)) && !IN_NAME.test(after.charAt(0))
    if (isWhole && !/^"?\s*\./.test(after)) count += 1
  }
  return count
}

const IN_NAME = /[\w$\u0080-\uffff]/

const readCatalog = (query: Queries['query'], tables: readonly number[]) =>
  query<CatalogColumn>(
    `select c.oid::text as id, a.attnum::int as number, n.nspname as schema, c.relname as table, a.attname as column,
       c.relkind::text as kind,
       (select array_agg(k.number::int order by k.place)
        from pg_index i, unnest(i.indkey::int2[]) with ordinality as k (number, place)
        where i.indrelid = c.oid and i.indisprimary and i.indisvalid and k.place <= i.indnkeyatts) as key,
       c.relkind = 'r' and exists (select from pg_inherits h where h.inhparent = c.oid) as has_children,
       a.attnotnull or t.typnotnull as required,
       case when a.attgenerated <> '' then 'generated' when a.attidentity = 'a' then 'identity' end as generated,
       (select array_agg(e.enumlabel::text order by e.enumsortorder) from pg_enum e
        where e.enumtypid = coalesce(nullif(t.typbasetype, 0), t.oid)) as options
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     join pg_type t on t.oid = a.atttypid
     where c.oid = any ($1::bigint[]) and c.relpersistence <> 't'`,
    [arrayOf(tables)],
  )
